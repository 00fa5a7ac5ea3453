import { expect, test } from 'vitest'
import { offerVanilla } from '../../../../../tests/doubles/catalogs/catalog-answers.ts'
import { isAsPromised, kinds } from './catalogs.fixture.ts'

const offered = async () => {
  const all = await kinds()
  offerVanilla(all.server, [
    { id: '26.2-snapshot-1', type: 'snapshot', java: 25 },
    { id: '26.1', java: 25 },
    { id: '1.21.11', java: 21 },
    { id: '1.14 Pre-Release 5', type: 'snapshot', java: null },
    { id: '1.10', java: 8 },
    { id: '1.9', java: null },
    { id: '1.2.4', java: 8, jar: null },
    { id: 'b1.8', type: 'old_beta', jar: null },
  ])
  return all
}

test('lists releases and snapshots, newest first, recommends the latest, and leaves out what never had a server', async () => {
  const { vanilla, signal } = await offered()
  const versions = await vanilla.versions(signal)
  expect(versions.map(({ id, channel }) => `${id} ${channel}`)).toEqual([
    '26.2-snapshot-1 snapshot',
    '26.1 release',
    '1.21.11 release',
    '1.14 Pre-Release 5 snapshot',
    '1.10 release',
    '1.9 release',
    '1.2.4 release',
  ])
  expect(versions.filter(({ recommended }) => recommended).map(({ id }) => id)).toEqual(['26.1'])
  expect(versions[1]?.releasedAt).toBe('2026-04-09T00:00:00.000Z')
})

test("a version's own file tells its download and its Java; the table does where that is silent", async () => {
  const { vanilla, signal } = await offered()
  const newest = await vanilla.release('26.1', null, signal)
  expect(newest).toMatchObject({
    version: '26.1',
    build: null,
    java: { major: 25, exact: false },
    file: { name: 'minecraft_server.26.1.jar', checksum: { algorithm: 'sha1' } },
    form: 'jar',
  })
  expect(await isAsPromised(newest.file)).toBe(true)
  expect((await vanilla.release('1.9', null, signal)).java.major).toBe(8)
  expect((await vanilla.release('1.14 Pre-Release 5', null, signal)).file.name).toBe(
    'minecraft_server.1.14_Pre-Release_5.jar',
  )
  expect(await vanilla.builds('26.1', signal)).toEqual([])
})

test('a version without a server, one that is not listed, and a build are refused with a sentence', async () => {
  const { vanilla, signal } = await offered()
  await expect(vanilla.release('1.2.4', null, signal)).rejects.toMatchObject({
    status: 422,
    code: 'software.no-server',
    message: expect.stringMatching(/^Mojang offers no server for 1\.2\.4/),
  })
  for (const version of ['1.99', '../../etc', ''])
    await expect(vanilla.release(version, null, signal)).rejects.toMatchObject({
      code: 'software.version-not-known',
    })
  await expect(vanilla.release('26.1', '7', signal)).rejects.toMatchObject({
    code: 'software.build-not-known',
  })
})

test("a version's file with other bytes than the manifest promises is not believed", async () => {
  const { vanilla, server, signal } = await offered()
  server.fail('/mojang/v1/packages/', {
    kind: 'instead',
    body: JSON.stringify({
      downloads: { server: { url: 'https://evil.example/a.jar', sha1: '0'.repeat(40), size: 1 } },
    }),
  })
  await expect(vanilla.release('26.1', null, signal)).rejects.toMatchObject({ status: 502 })
})

test('neither a download over plain http elsewhere nor one strange entry among many is taken', async () => {
  const { vanilla, server, signal } = await kinds()
  const details = server.put('/mojang/a.json', {
    downloads: { server: { url: 'http://10.0.0.1/server.jar', sha1: 'A'.repeat(40), size: -5 } },
  })
  server.put('/mojang/mc/game/version_manifest_v2.json', {
    latest: null,
    versions: [
      7,
      { id: '-Dinjected', type: 'release', url: details },
      { id: '../up', type: 'release', url: details },
      { id: '1.21', type: 'release', url: details, releaseTime: 'never' },
    ],
  })
  expect(await vanilla.versions(signal)).toEqual([{ id: '1.21', channel: 'release' }])
  await expect(vanilla.release('1.21', null, signal)).rejects.toMatchObject({
    status: 502,
    message: expect.stringMatching(/^The catalog of Mojang sent an answer that couldn't be read/),
  })
})

test('out of reach, what was asked before is still answered', async () => {
  const { vanilla, server, clock, signal } = await offered()
  await vanilla.release('26.1', null, signal)
  server.fail('/', { kind: 'status', status: 500 })
  clock.ms += 24 * 60 * 60_000
  expect((await vanilla.release('26.1', null, signal)).java.major).toBe(25)
  await expect(vanilla.release('1.21.11', null, signal)).rejects.toMatchObject({ status: 503 })
})
