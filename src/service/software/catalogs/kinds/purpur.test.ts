import { expect, test } from 'vitest'
import { offerPurpur, offerVanilla } from '../../../../../tests/doubles/catalogs/catalog-answers.ts'
import { isAsPromised, kinds } from './catalogs.fixture.ts'

const offered = async () => {
  const all = await kinds()
  offerVanilla(all.server, [{ id: '1.21.11', java: 22 }])
  offerPurpur(
    all.server,
    [
      { id: '1.14.1', builds: [{ build: '500' }] },
      { id: '1.21.9', builds: [] },
      {
        id: '1.21.11',
        builds: [
          { build: '998', commits: ['Older'] },
          { build: '1002', commits: ['Newest (#1)\n\nMore'] },
          { build: '1003', result: 'FAILURE' },
        ],
      },
    ],
    '1.21.11',
  )
  return all
}

test('lists versions newest first and recommends the current one', async () => {
  const { purpur, signal } = await offered()
  expect(await purpur.versions(signal)).toEqual([
    { id: '1.21.11', channel: 'release', recommended: true },
    { id: '1.21.9', channel: 'release' },
    { id: '1.14.1', channel: 'release' },
  ])
})

test('lists the builds that succeeded, newest first by number, with their changes', async () => {
  const { purpur, signal } = await offered()
  expect((await purpur.builds('1.21.11', signal)).map(({ id, changes }) => [id, changes])).toEqual([
    ['1002', ['Newest (#1)']],
    ['998', ['Older']],
  ])
})

test("a build's file has an MD5, and the Java is what Mojang says of the version, or the table", async () => {
  const { purpur, signal } = await offered()
  const release = await purpur.release('1.21.11', null, signal)
  expect(release).toMatchObject({
    build: '1002',
    java: { major: 22, exact: false },
    file: { name: 'purpur-1.21.11-1002.jar', size: null, checksum: { algorithm: 'md5' } },
  })
  expect(await isAsPromised(release.file)).toBe(true)
  expect((await purpur.release('1.14.1', '500', signal)).java.major).toBe(8)
})

test('with Mojang out of reach the table tells the Java', async () => {
  const { purpur, server, signal } = await offered()
  server.fail('/mojang/', { kind: 'status', status: 500 })
  expect((await purpur.release('1.21.11', null, signal)).java.major).toBe(21)
})

test('refuses what it does not list', async () => {
  const { purpur, signal } = await offered()
  for (const [version, build, code] of [
    ['1.21.10', null, 'software.version-not-known'],
    ['1.21.9', null, 'software.no-build'],
    ['1.21.11', '1003', 'software.build-not-known'],
  ] as const)
    await expect(purpur.release(version, build, signal)).rejects.toMatchObject({ status: 422, code })
})
