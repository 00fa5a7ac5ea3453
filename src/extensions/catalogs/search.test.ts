import { expect, test } from 'vitest'
import type { SearchOrder } from '../../contract/areas/extensions.ts'
import { extensionCatalogs } from './catalogs.fixture.ts'

/** Names of one page after the other. */
async function pagesOf(
  { search }: Awaited<ReturnType<typeof extensionCatalogs>>,
  query: string,
  limit: number,
  sort?: SearchOrder,
) {
  const pages: string[][] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof search>> = await search(query, cursor, limit, undefined, sort)
    pages.push(page.items.map(({ id, name }) => `${id.split(':')[0]![0]!} ${name}`))
    cursor = page.nextCursor
    expect(cursor?.length ?? 0).toBeLessThan(100)
  } while (cursor !== null && pages.length < 20)
  return pages
}

const offer = (
  { offered }: Awaited<ReturnType<typeof extensionCatalogs>>,
  catalog: 'modrinth' | 'hangar',
  name: string,
  downloads: number,
  author = 'ada',
) => offered.offer({ catalog, name, downloads, author, versions: [] })

test('takes the catalogs in turn, and shows once what stands in both', async () => {
  const it = await extensionCatalogs()
  for (const [name, downloads] of [['Map A', 9], ['Map B', 8], ['Map C', 7]] as const) await offer(it, 'modrinth', name, downloads) // prettier-ignore
  for (const [name, downloads] of [['Map X', 9], ['MapB', 8], ['Map Y', 7]] as const) await offer(it, 'hangar', name, downloads) // prettier-ignore
  await offer(it, 'hangar', 'Map A', 1, 'another')
  expect(await pagesOf(it, 'map', 20)).toEqual([
    ['m Map A', 'h Map X', 'm Map B', 'm Map C', 'h Map Y', 'h Map A'],
  ])
})

test('without a word those with more downloads come first, wherever they are', async () => {
  const it = await extensionCatalogs()
  for (const [name, downloads] of [['One', 1], ['Nine', 9], ['Five', 5]] as const) await offer(it, 'modrinth', name, downloads) // prettier-ignore
  for (const [name, downloads] of [
    ['Eight', 8],
    ['Six', 6],
  ] as const)
    await offer(it, 'hangar', name, downloads)
  expect((await pagesOf(it, '', 20)).flat()).toEqual(['m Nine', 'h Eight', 'h Six', 'm Five', 'm One'])
})

test.for([
  ['downloads', ['h Map B', 'm Map A', 'h Map D', 'm Map C']],
  ['updated', ['m Map C', 'h Map D', 'm Map A', 'h Map B']],
  ['newest', ['h Map D', 'm Map A', 'h Map B', 'm Map C']],
] as const)('sorted by %s both catalogs are one list, page by page', async ([sort, wanted]) => {
  const it = await extensionCatalogs()
  const day = (of: number) => new Date(Date.UTC(2026, 5, of)).toISOString()
  for (const [catalog, name, downloads, updated, created] of [
    ['modrinth', 'Map A', 8, 12, 3],
    ['hangar', 'Map B', 9, 11, 2],
    ['modrinth', 'Map C', 1, 14, 1],
    ['hangar', 'Map D', 2, 13, 4],
  ] as const)
    await it.offered.offer({
      ...{ catalog, name, downloads, author: 'ada', created: day(created) },
      versions: [{ name: '1', date: day(updated) }],
    })
  for (const limit of [20, 3, 1]) expect((await pagesOf(it, 'map', limit, sort)).flat()).toEqual(wanted)
})

test('page by page all are shown once, also what stands on different pages of the catalogs', async () => {
  const it = await extensionCatalogs()
  for (let at = 0; at < 23; at++) await offer(it, 'modrinth', `Map ${at}`, 100 - at)
  // The last ones of Modrinth, and others, in another order.
  for (let at = 15; at < 40; at++) await offer(it, 'hangar', `Map ${at}`, at)
  const pages = await pagesOf(it, 'map', 10)
  const all = pages.flat().map((one) => one.slice(2))
  expect(all.toSorted((a, b) => Number(a.slice(4)) - Number(b.slice(4)))).toEqual(
    Array.from({ length: 40 }, (_, at) => `Map ${at}`),
  )
  expect(pages.every(({ length }) => length <= 10)).toBe(true)
  expect(await pagesOf(it, 'map', 10)).toEqual(pages)
})

test('an entry that cannot be read moves no other', async () => {
  const it = await extensionCatalogs()
  for (let at = 0; at < 6; at++) await offer(it, 'modrinth', `Map ${at}`, 100 - at)
  const broken = await offer(it, 'modrinth', 'Map of none', 99)
  broken.name = '\u0000'
  expect((await pagesOf(it, '', 2)).flat()).toEqual(Array.from({ length: 6 }, (_, at) => `m Map ${at}`))
})

test('a catalog that fails does not hide the other, is told, and goes on from where it was', async () => {
  const it = await extensionCatalogs()
  for (let at = 0; at < 4; at++) await offer(it, 'modrinth', `M ${at}`, 10 - at)
  for (let at = 0; at < 4; at++) await offer(it, 'hangar', `H ${at}`, 10 - at)
  const mend = it.server.fail('/hangar/', { kind: 'status', status: 500 })
  const first = await it.search('', null, 3)
  expect(first.unreached).toEqual(['hangar'])
  expect(first.items.map(({ name }) => name)).toEqual(['M 0', 'M 1', 'M 2'])
  mend()
  const second = await it.search('', first.nextCursor, 3)
  expect(second.items.map(({ name }) => name)).toEqual(['H 0', 'H 1', 'H 2'])
  it.server.fail('/', { kind: 'status', status: 429, headers: { 'retry-after': '90' } })
  await expect(it.search('else')).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('Modrinth'),
  })
})

test.for(['x', 'modrinth-0', 'modrinth--1-0', 'curse-0-0', 'modrinth-999999-0', ''])(
  'a place in the list that is none of ours is refused: %j',
  async (cursor) => {
    const { search, server } = await extensionCatalogs()
    await expect(search('map', cursor)).rejects.toMatchObject({ status: 422, code: 'request.invalid' })
    expect(server.requests).toEqual([])
  },
)

test('a category is that of both catalogs, and of the one that has it', async () => {
  const it = await extensionCatalogs()
  for (const [catalog, name, category] of [
    ['modrinth', 'Bank', 'economy'],
    ['modrinth', 'Zombies', 'mobs'],
    ['hangar', 'Shop', 'economy'],
    ['hangar', 'Chat', 'chat'],
  ] as const)
    await it.offered.offer({ catalog, name, categories: [category], versions: [] })
  const names = async (category: string | null) =>
    (await it.search('', null, 20, undefined, 'newest', category)).items.map(({ name }) => name).toSorted()
  expect(await names('economy')).toEqual(['Bank', 'Shop'])
  expect(await names('social')).toEqual(['Chat'])
  expect(await names('mobs')).toEqual(['Zombies'])
  expect(await names(null)).toHaveLength(4)
})
