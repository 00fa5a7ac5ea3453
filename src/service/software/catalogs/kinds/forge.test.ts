import { expect, test } from 'vitest'
import { offerForge, offerVanilla } from '../../../../../tests/doubles/catalogs/catalog-answers.ts'
import { isAsPromised, kinds } from './catalogs.fixture.ts'

const offered = async () => {
  const all = await kinds()
  offerVanilla(all.server, [
    { id: '26.1', java: 25 },
    { id: '1.21.1', java: 21 },
    { id: '1.12.2', java: 8 },
  ])
  offerForge(
    all.server,
    [
      '26.1-64.0.3',
      '1.21.1-52.1.10',
      '1.21.1-52.1.9',
      '1.21.1-52.0.1',
      '1.12.2-14.23.5.2859',
      '1.7.10_pre4-10.12.2.1149-prerelease',
      '1.7.10-10.13.4.1614-1.7.10',
      '1.5.1-7.7.2.682',
      'strange',
    ],
    {
      '26.1-latest': '64.0.3',
      '1.21.1-latest': '52.1.10',
      '1.21.1-recommended': '52.1.9',
      '1.12.2-latest': '14.23.5.2859',
    },
  )
  return all
}

test('lists versions that have an installer, and recommends the newest that Forge recommends a build for', async () => {
  const { forge, signal } = await offered()
  expect(await forge.versions(signal)).toEqual([
    { id: '26.1', channel: 'release' },
    { id: '1.21.1', channel: 'release', recommended: true },
    { id: '1.12.2', channel: 'release' },
    { id: '1.7.10', channel: 'release' },
    { id: '1.7.10-pre4', channel: 'snapshot' },
  ])
})

test('the recommended build and older ones are proven, newer ones are not; numbers are compared as numbers', async () => {
  const { forge, signal } = await offered()
  expect(await forge.builds('1.21.1', signal)).toEqual([
    { id: '52.1.10', channel: 'experimental', changes: [] },
    { id: '52.1.9', channel: 'release', changes: [] },
    { id: '52.0.1', channel: 'release', changes: [] },
  ])
  expect((await forge.builds('26.1', signal))[0]?.channel).toBe('experimental')
})

test.for([
  ['1.21.1', '52.1.9', 21, 'forge-1.21.1-52.1.9-installer.jar'],
  ['26.1', '64.0.3', 25, 'forge-26.1-64.0.3-installer.jar'],
  ['1.7.10', '10.13.4.1614', 8, 'forge-1.7.10-10.13.4.1614-1.7.10-installer.jar'],
  ['1.7.10-pre4', '10.12.2.1149', 8, 'forge-1.7.10_pre4-10.12.2.1149-prerelease-installer.jar'],
] as const)(
  '%s is installed as build %s with exactly Java %i by %s',
  async ([version, build, major, name]) => {
    const { forge, signal } = await offered()
    const release = await forge.release(version, null, signal)
    expect(release).toMatchObject({ build, java: { major, exact: true }, file: { name }, form: 'installer' })
    expect(await isAsPromised(release.file)).toBe(true)
  },
)

test('without the promotions every build can still be chosen', async () => {
  const { forge, server, signal } = await offered()
  server.fail('/forge/', { kind: 'status', status: 500 })
  expect((await forge.versions(signal))[0]).toEqual({ id: '26.1', channel: 'release', recommended: true })
  expect((await forge.release('1.21.1', '52.1.9', signal)).build).toBe('52.1.9')
})

test.for(['<metadata/>', 'no XML', '<versions></versions>', '<versions>', '</versions><versions>'])(
  'a list such as %s is not believed',
  async (body) => {
    const { forge, server, signal } = await offered()
    server.fail('/forgeMaven/', { kind: 'instead', body })
    await expect(forge.versions(signal)).rejects.toMatchObject({ status: 502 })
  },
)

test('refuses what it does not list', async () => {
  const { forge, signal } = await offered()
  await expect(forge.builds('1.5.1', signal)).rejects.toMatchObject({ code: 'software.version-not-known' })
  await expect(forge.release('1.21.1', '1', signal)).rejects.toMatchObject({
    code: 'software.build-not-known',
  })
})
