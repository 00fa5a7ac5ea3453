import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../service.fixture.ts'
import { InstalledRecords } from '../../software/installed.ts'
import { javaOfServer } from '../../software/java/server-java.ts'
import { ofServer, openPaper, openService, type OpenOptions } from './extensions.fixture.ts'
import type { Facts } from '../../../extensions/jars/facts.ts'
import { javaProblem } from '../../../extensions/problems/java-problem.ts'

/** A Paper server that runs with Java 17. */
async function open(options: OpenOptions = {}) {
  const server = await openPaper(options)
  const { ask, id, list } = server
  const use = async (java: string) =>
    expect((await ask(`PATCH /servers/config/${id}`, { java })).status).toBe(200)
  await use('17')
  return {
    ...{ ...server, use },
    problems: async () =>
      Object.fromEntries((await list()).map(({ name, problems }: never) => [name, problems])) as object,
  }
}

const newer = (wants: string, has: string) => [{ kind: 'wrong-java', wants, has }]

it('what is made for a newer Java than the server runs with says which it needs, until a newer one is chosen', async () => {
  const { put, problems, use, change } = await open()
  await put('plugins/Warp.jar', { name: 'Warp', version: '2', java: 21 })
  await put('plugins/Shop.jar', { name: 'Shop', version: '1', java: 17 })
  await put('plugins/Next.jar', { name: 'Next', version: '1', form: 'paper', java: 25 })
  await put('plugins/Old.jar', { name: 'Old', version: '1' })
  expect(await problems()).toEqual({ Warp: newer('21', '17'), Shop: [], Next: newer('25', '17'), Old: [] })
  // It would need it as soon as it is enabled again.
  await change('plugin-Warp', { enabled: false })
  expect(await problems()).toMatchObject({ Warp: newer('21', '17') })
  await use('21')
  expect(await problems()).toEqual({ Warp: [], Shop: [], Next: newer('25', '21'), Old: [] })
})

it('a jar that an earlier version has read is looked into once more, and what was known of it stays', async () => {
  const { put, list, it: before, id, folder, signedIn } = await open()
  await put('plugins/Warp.jar', { name: 'Warp', version: '2', java: 21 })
  await list()
  await before.service.close(true)
  const file = path.join(folder, 'staging', id, 'extensions', 'known.json')
  const [[mark, known]] = JSON.parse(await readFile(file, 'utf8')) as [[string, { facts: Facts[] }]]
  const facts = known.facts.map(({ java, ...one }) => (expect(java).toBe(21), one))
  const origin = { project: 'modrinth:warp', versionId: 'v2', version: '2', page: null }
  await writeFile(file, JSON.stringify([[mark, { ...known, facts, origin }]]))
  const after = await openService({ dataDir: folder })
  after.signedIn.token = signedIn.token
  expect(await ofServer(after, id).list()).toMatchObject([
    { name: 'Warp', problems: newer('21', '17'), project: { id: 'modrinth:warp' } },
  ])
})

const facts = (more: Partial<Facts>): Facts => ({
  ...{ format: 'fabric', id: 'a', name: 'A', version: '1', description: null, authors: [], needs: [] },
  ...{ provides: [], side: null, apiVersion: null, folia: false, java: null, ...more },
})
const needing = (range: string): Partial<Facts> => ({ needs: [{ id: 'java', range, kind: 'required' }] })

it.each<[string, Partial<Facts>, number, string | null]>([
  ['its classes alone', { java: 21 }, 17, '21'],
  ['its classes, which is there', { java: 17 }, 17, null],
  ['a range from one on', needing('>=21'), 17, '21'],
  ['a range from one on, which is there', needing('>=17'), 21, null],
  ['the newer of both', { java: 21, ...needing('>=25') }, 17, '25'],
  ['the newer of both, which its classes are', { java: 25, ...needing('>=21') }, 17, '25'],
  ['one and no other', needing('8'), 17, '8'],
  ['ones up to another', needing('>=8 <17'), 17, '>=8 <17'],
  ['a range as NeoForge writes it', { format: 'neoforge', ...needing('[21,)') }, 17, '21'],
  ['a closed range', { format: 'neoforge', ...needing('[8,16]') }, 17, '[8,16]'],
  ['nothing', {}, 8, null],
])('of a mod that names %s, the Java it needs is told where it is not there', (_, more, major, wants) => {
  const problem = javaProblem(facts(more), { major, most: null })
  expect(problem).toEqual(wants && { kind: 'wrong-java', wants, has: String(major) })
})

it('it is told where a newer Java does not help, since the server does not run with it', () => {
  expect(javaProblem(facts({ java: 17 }), { major: 11, most: 16 })).toEqual({
    ...{ kind: 'wrong-java', wants: '17', has: '11', most: '16' },
  })
})

it('a server is started with the chosen Java, else with the smallest that does and is here, else with what it asks for', async () => {
  const records = new InstalledRecords(await temporaryFolder())
  const here = (...majors: number[]) => ({
    here: async () =>
      majors.map((major) => ({
        home: `/j${major}`,
        major,
        version: `${major}`,
        vendor: null,
        from: 'found' as const,
      })),
  })
  const of = (javaMajor: number | null = null) => ({ id: 's', softwareId: 'paper', javaMajor })
  expect(await javaOfServer(of(), records, here(17))).toBeNull()
  const install = (major: number, exact = false) =>
    records.write('s', {
      ...{ software: 'paper', version: '1', build: null, jar: 'a' },
      java: { major, exact },
    })
  install(17)
  expect(await javaOfServer(of(), records, here(25, 21, 8))).toEqual({ major: 21, most: null })
  expect(await javaOfServer(of(), records, here(8))).toEqual({ major: 17, most: null })
  expect(await javaOfServer(of(25), records, here(17))).toEqual({ major: 25, most: null })
  install(8)
  expect(await javaOfServer(of(), records, here(21, 11))).toEqual({ major: 11, most: 16 })
  install(8, true)
  expect(await javaOfServer(of(), records, here(11))).toEqual({ major: 8, most: 8 })
  // What is recorded is of the software before.
  expect(await javaOfServer({ ...of(), softwareId: 'fabric' }, records, here(17))).toBeNull()
})
