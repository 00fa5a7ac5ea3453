import { expect, test } from 'vitest'
import { z } from 'zod'
import { countless } from '../../../tests/fixtures/large-answers.ts'
import { catalogs } from '../../service/software/catalogs/kinds/catalogs.fixture.ts'
import { mavenVersions } from '../../service/software/catalogs/kinds/maven.ts'
import { json, listOf } from './shapes.ts'

const MIB = 1024 * 1024

const Packs = listOf(
  z.object({ id: z.string(), dependencies: z.array(z.object({ project: z.string(), kind: z.string() })) }),
)

test.each(Object.entries(countless))('a catalog of countless %s is refused unparsed', async (_name, make) => {
  const { server, client, signal } = await catalogs()
  const url = server.put('/modrinth/large', make(15 * MIB))
  const asked = client.get({ url, name: 'Modrinth', parse: json(z.unknown()) }, signal)
  await expect(asked).rejects.toMatchObject({ status: 502, code: 'software.catalogue-unreadable' })
})

test('all versions of a large modpack are read, some of them beside others that cannot be', async () => {
  const { server, client, signal } = await catalogs()
  const dependencies = Array.from({ length: 250 }, (_, at) => ({
    project: `project ${at}`,
    kind: 'required',
  }))
  const packs = Array.from({ length: 400 }, (_, at) => ({ id: `${at}`, dependencies }))
  const odd = packs.map((pack, at) => (at % 2 === 0 ? pack : { ...pack, id: at }))
  for (const [at, sent, read] of [
    ['a', packs, packs],
    ['b', odd, packs.filter((_, place) => place % 2 === 0)],
  ] as const) {
    const url = server.put(`/modrinth/${at}`, JSON.stringify(sent))
    expect(await client.get({ url, name: 'Modrinth', parse: json(Packs) }, signal)).toEqual(read)
  }
})

test('the metadata of a repository lists no more versions than anybody has released', () => {
  const listing = (count: number) =>
    `<versions>${Array.from({ length: count }, (_, at) => `<version>1.${at}</version>`).join('\n')}</versions>`
  expect(mavenVersions(listing(20_000))).toHaveLength(20_000)
  expect(() => mavenVersions(listing(20_001))).toThrow('too many')
  expect(() => mavenVersions(listing(0))).toThrow('no list')
})
