import { expect, test } from 'vitest'
import { bytesOf, offerFabric, offerVanilla } from '../../../../../tests/doubles/catalogs/catalog-answers.ts'
import { kinds } from './catalogs.fixture.ts'

const offered = async () => {
  const all = await kinds()
  offerVanilla(all.server, [
    { id: '26.1', java: 25 },
    { id: '25w45a', type: 'snapshot', java: 21 },
  ])
  offerFabric(all.server, {
    games: [
      { version: '26.2-snapshot-1', stable: false },
      { version: '26.1', stable: true },
      { version: '25w45a', stable: false },
      { version: '1.21.11', stable: true },
    ],
    loaders: [
      { version: '0.20.0', stable: false },
      { version: '0.19.5', stable: true },
      { version: '0.9.3+build.207', stable: false },
      { version: '0.16.14', stable: false },
    ],
    installers: [
      { version: '1.2.0', stable: false },
      { version: '1.1.0', stable: true },
      { version: '0.7.4', stable: false },
    ],
    jars: { '26.1/0.19.5': bytesOf('Fabric') },
  })
  return all
}

test('lists versions of the game in the order of the catalog', async () => {
  const { fabric, signal } = await offered()
  expect(await fabric.versions(signal)).toEqual([
    { id: '26.2-snapshot-1', channel: 'snapshot' },
    { id: '26.1', channel: 'release', recommended: true },
    { id: '25w45a', channel: 'snapshot' },
    { id: '1.21.11', channel: 'release' },
  ])
})

test('builds are versions of the loader: the marked one and older ones are proven, those without a launcher left out', async () => {
  const { fabric, signal } = await offered()
  expect((await fabric.builds('26.1', signal)).map(({ id, channel }) => `${id} ${channel}`)).toEqual([
    '0.20.0 experimental',
    '0.19.5 release',
    '0.16.14 release',
  ])
})

test('there is no checksum, so the jar has to name the version and the loader inside', async () => {
  const { fabric, server, signal } = await offered()
  expect(await fabric.release('26.1', null, signal)).toEqual({
    version: '26.1',
    build: '0.19.5',
    java: { major: 25, exact: false },
    file: {
      url: `${server.origin}/fabric/v2/versions/loader/26.1/0.19.5/1.1.0/server/jar`,
      name: 'fabric-server-mc.26.1-loader.0.19.5-launcher.1.1.0.jar',
      size: null,
      checksum: null,
    },
    form: 'jar',
    holds: {
      entry: 'install.properties',
      properties: { 'game-version': '26.1', 'fabric-loader-version': '0.19.5' },
    },
  })
  expect(server.requests.every(({ path }) => !path.includes('?'))).toBe(true)
})

test('without a launcher that can be used there is a sentence', async () => {
  const { fabric, server, signal } = await offered()
  server.put('/fabric/v2/versions/installer', [{ version: '0.7.4', stable: true }])
  await expect(fabric.release('26.1', null, signal)).rejects.toMatchObject({ status: 502 })
  await expect(fabric.release('1.99', null, signal)).rejects.toMatchObject({ status: 422 })
})
