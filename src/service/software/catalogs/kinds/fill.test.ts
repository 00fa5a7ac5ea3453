import { expect, test } from 'vitest'
import { offerFill } from '../../../../../tests/doubles/catalogs/catalog-answers.ts'
import { isAsPromised, kinds } from './catalogs.fixture.ts'

const offered = async () => {
  const all = await kinds()
  offerFill(all.server, 'paper', [
    { id: '26.1', java: 25, builds: [{ id: 3, channel: 'ALPHA' }] },
    { id: '26.1-rc1', java: 25, builds: [{ id: 1, channel: 'ALPHA' }] },
    {
      id: '1.21.11',
      builds: [
        { id: 130, channel: 'BETA', commits: ['Try something new\n\nAt length'] },
        { id: 129, commits: ['Fix a leak of chunks\r\n\r\nLong story', '\u001b[31mUpdate upstream', ''] },
        { id: 99, channel: 'RECOMMENDED' },
      ],
    },
    { id: '1.21.9', builds: [{ id: 40 }] },
    { id: '1.9.4', java: 8, status: 'UNSUPPORTED', builds: [{ id: 775 }] },
    { id: '1.8.8', java: 8, status: 'UNSUPPORTED' },
  ])
  return all
}

test('lists versions by their numbers and recommends the newest that has a stable build', async () => {
  const { paper, signal } = await offered()
  expect(
    (await paper.versions(signal)).map(({ id, channel, recommended }) => [id, channel, recommended]),
  ).toEqual([
    ['26.1', 'experimental', undefined],
    ['26.1-rc1', 'snapshot', undefined],
    ['1.21.11', 'release', true],
    ['1.21.9', 'release', undefined],
    ['1.9.4', 'release', undefined],
    ['1.8.8', 'release', undefined],
  ])
})

test('lists builds newest first, with what changed, in lines that a terminal cannot be painted with', async () => {
  const { paper, signal } = await offered()
  expect(await paper.builds('1.21.11', signal)).toEqual([
    {
      id: '130',
      channel: 'experimental',
      releasedAt: '2026-05-01T10:00:00.000Z',
      changes: ['Try something new'],
    },
    {
      id: '129',
      channel: 'release',
      releasedAt: '2026-05-01T10:00:00.000Z',
      changes: ['Fix a leak of chunks', 'Update upstream'],
    },
    { id: '99', channel: 'release', releasedAt: '2026-05-01T10:00:00.000Z', changes: [] },
  ])
})

test('takes the newest stable build, else the newest of all, or the one that is named', async () => {
  const { paper, signal } = await offered()
  const stable = await paper.release('1.21.11', null, signal)
  expect(stable).toMatchObject({
    build: '129',
    java: { major: 21, exact: false },
    file: { name: 'paper-1.21.11-129.jar', checksum: { algorithm: 'sha256' } },
    form: 'jar',
  })
  expect(await isAsPromised(stable.file)).toBe(true)
  expect(await paper.release('26.1', null, signal)).toMatchObject({ build: '3', java: { major: 25 } })
  expect((await paper.release('1.21.11', '99', signal)).build).toBe('99')
})

test('a version or build that is not there, and a version without any build, are refused with sentences', async () => {
  const { paper, signal } = await offered()
  const refused = (version: string, build: string | null) =>
    paper.release(version, build, signal).then(
      () => null,
      (error: { code: string; message: string }) => [error.code, error.message],
    )
  expect(await refused('1.21.10', null)).toEqual([
    'software.version-not-known',
    'This version of Paper is not offered. Choose one from the list.',
  ])
  expect(await refused('1.21.11', '1')).toEqual([
    'software.build-not-known',
    'Paper 1.21.11 has no build 1. Choose one from the list.',
  ])
  expect(await refused('1.8.8', null)).toEqual([
    'software.no-build',
    'There is no build of Paper for 1.8.8 yet. Choose another version.',
  ])
})

test('where builds cannot be asked, versions are listed all the same', async () => {
  const { paper, server, signal } = await offered()
  server.fail('/paper/v3/projects/paper/versions/', { kind: 'status', status: 500 })
  const versions = await paper.versions(signal)
  expect(versions).toHaveLength(6)
  expect(versions.some(({ recommended }) => recommended)).toBe(false)
})

test('Folia is asked for under its own name', async () => {
  const { folia, server, signal } = await kinds()
  offerFill(server, 'folia', [{ id: '1.21.8', builds: [{ id: 6, channel: 'BETA' }] }])
  expect(await folia.versions(signal)).toEqual([{ id: '1.21.8', channel: 'experimental' }])
  expect((await folia.release('1.21.8', null, signal)).file.name).toBe('folia-1.21.8-6.jar')
})

test("Velocity's snapshots are its releases, and want Java 21 where the catalog is silent", async () => {
  const { velocity, server, signal } = await kinds()
  offerFill(server, 'velocity', [
    { id: '3.5.0-SNAPSHOT', builds: [{ id: 600, channel: 'ALPHA' }] },
    { id: '3.4.0-SNAPSHOT', builds: [{ id: 523 }] },
    { id: '3.1.1', builds: [{ id: 100 }] },
  ])
  expect(await velocity.versions(signal)).toEqual([
    { id: '3.5.0-SNAPSHOT', channel: 'experimental' },
    { id: '3.4.0-SNAPSHOT', channel: 'release', recommended: true },
    { id: '3.1.1', channel: 'release' },
  ])
  const silent = await kinds()
  offerFill(silent.server, 'velocity', [{ id: '3.4.0-SNAPSHOT', builds: [{ id: 523 }] }])
  silent.server.put('/paper/v3/projects/velocity/versions', {
    versions: [{ version: { id: '3.4.0-SNAPSHOT' } }],
  })
  expect((await silent.velocity.release('3.4.0-SNAPSHOT', null, silent.signal)).java.major).toBe(21)
})
