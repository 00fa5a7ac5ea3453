import { expect, test } from 'vitest'
import { offerNeoForge, offerVanilla } from '../../../../../tests/doubles/catalogs/catalog-answers.ts'
import { isAsPromised, kinds } from './catalogs.fixture.ts'
import { minecraftOfNeoForge } from './forge-neoforge.ts'

const offered = async (asForge: string[] | undefined = ['1.20.1-47.1.5', '1.20.1-47.1.106', '47.1.82']) => {
  const all = await kinds()
  offerVanilla(all.server, [
    { id: '26.1', java: 25 },
    { id: '1.20.1', java: 17 },
  ])
  offerNeoForge(
    all.server,
    [
      '20.2.3-beta',
      '20.2.88',
      '21.0.167',
      '21.1.9',
      '21.1.72',
      '21.1.100-beta',
      '21.11.3-beta',
      '26.1.0.0-alpha.1+snapshot-1',
      '26.1.0.5-beta',
      '0.25w14craftmine.3-beta',
      'not a version',
    ],
    { asForge },
  )
  return all
}

test.for([
  ['20.2.88', '1.20.2'],
  ['20.6.1-beta', '1.20.6'],
  ['21.0.167', '1.21'],
  ['21.1.72', '1.21.1'],
  ['21.11.3-beta', '1.21.11'],
  ['26.1.0.5-beta', '26.1'],
  ['26.1.2.40', '26.1.2'],
  ['27.3.0.1', '27.3'],
  ['26.1.0.0-alpha.1+snapshot-1', '26.1-snapshot-1'],
  ['0.25w14craftmine.3-beta', '25w14craftmine'],
  ['26.1.5', null],
  ['21.1', null],
  ['1.20.1-47.1.106', null],
] as const)('%s is for Minecraft %s', ([version, minecraft]) => {
  expect(minecraftOfNeoForge(version)).toBe(minecraft)
})

test('lists the versions of Minecraft that have builds, and recommends the newest with a finished one', async () => {
  const { neoforge, signal } = await offered()
  expect(
    (await neoforge.versions(signal)).map(
      ({ id, channel, recommended }) => `${id} ${channel}${recommended ? ' recommended' : ''}`,
    ),
  ).toEqual([
    '26.1 experimental',
    '26.1-snapshot-1 snapshot',
    '25w14craftmine snapshot',
    '1.21.11 experimental',
    '1.21.1 release recommended',
    '1.21 release',
    '1.20.2 release',
    '1.20.1 release',
  ])
})

test('lists builds newest first by their numbers, betas as such', async () => {
  const { neoforge, signal } = await offered()
  expect(await neoforge.builds('1.21.1', signal)).toEqual([
    { id: '21.1.100-beta', channel: 'experimental', changes: [] },
    { id: '21.1.72', channel: 'release', changes: [] },
    { id: '21.1.9', channel: 'release', changes: [] },
  ])
})

test('is installed by its installer, with the checksum beside it', async () => {
  const { neoforge, signal } = await offered()
  const finished = await neoforge.release('1.21.1', null, signal)
  expect(finished).toMatchObject({
    build: '21.1.72',
    java: { major: 21, exact: false },
    file: { name: 'neoforge-21.1.72-installer.jar', checksum: { algorithm: 'sha256' } },
    form: 'installer',
  })
  expect(await isAsPromised(finished.file)).toBe(true)
  const snapshot = await neoforge.release('26.1-snapshot-1', null, signal)
  expect(snapshot).toMatchObject({ build: '26.1.0.0-alpha.1+snapshot-1', java: { major: 25 } })
  expect(snapshot.file.name).toBe('neoforge-26.1.0.0-alpha.1_snapshot-1-installer.jar')
  expect(await isAsPromised(snapshot.file)).toBe(true)
})

test('for 1.20.1 it is still Forge by name, and wants the very Java', async () => {
  const { neoforge, signal } = await offered()
  expect((await neoforge.builds('1.20.1', signal)).map(({ id }) => id)).toEqual(['47.1.106', '47.1.5'])
  const release = await neoforge.release('1.20.1', null, signal)
  expect(release).toMatchObject({
    build: '47.1.106',
    java: { major: 17, exact: true },
    file: { name: 'forge-1.20.1-47.1.106-installer.jar' },
  })
  expect(await isAsPromised(release.file)).toBe(true)
})

test('a mirror without what was made for 1.20.1 lists the rest; one that is out of reach is told', async () => {
  const { neoforge, server, signal } = await offered()
  const list = '/neoforge/api/maven/versions/releases/net/neoforged'
  server.remove(`${list}/forge`)
  expect((await neoforge.versions(signal)).some(({ id }) => id === '1.20.1')).toBe(false)
  const other = await offered()
  other.server.fail(`${list}/forge`, { kind: 'status', status: 500 })
  await expect(other.neoforge.versions(other.signal)).rejects.toMatchObject({ status: 503 })
})

test('refuses what it does not list', async () => {
  const { neoforge, signal } = await offered()
  await expect(neoforge.builds('1.12', signal)).rejects.toMatchObject({ code: 'software.version-not-known' })
  await expect(neoforge.release('1.21.1', '21.0.167', signal)).rejects.toMatchObject({
    code: 'software.build-not-known',
  })
})
