import { expect, test } from 'vitest'
import { extensionCatalogs, PAPER } from './catalogs.fixture.ts'

const unknown = (at: number) => {
  const hash = at.toString(16).padStart(128, '0')
  return { hashes: { sha1: hash.slice(0, 40), sha256: hash.slice(64), sha512: hash } }
}

test('tells of each what it is, and the newest that fits and came later', async () => {
  const { offered, catalogs, signal } = await extensionCatalogs()
  const shop = await offered.offer({
    catalog: 'modrinth',
    name: 'Shop',
    versions: [
      { name: '1' },
      { name: '2' },
      { name: '3', games: ['26.1'] },
      { name: '4-beta', type: 'beta' },
      // Written for those who stay on the old one, after all others.
      { name: '1.1', date: '2026-05-01T00:00:00Z', games: ['1.8'] },
    ],
  })
  const betas = await offered.offer({ catalog: 'modrinth', name: 'Betas', versions: [{ name: '1', type: 'beta' }, { name: '2', type: 'beta' }] }) // prettier-ignore
  const chat = await offered.offer({
    catalog: 'hangar',
    name: 'Chat',
    versions: [{ name: '1' }, { name: '2' }],
  })
  const files = [
    shop.versions[0]!,
    shop.versions[1]!,
    shop.versions[3]!,
    betas.versions[0]!,
    chat.versions[0]!,
    chat.versions[1]!,
    unknown(1),
  ].map(({ hashes }, at) => ({ hashes, at }))
  const { items, unreached } = await catalogs.updates(files, PAPER, signal)
  expect(items.map(({ file }) => file)).toEqual(files)
  expect(items.map(({ current, newest }) => [current?.name ?? null, newest?.name ?? null])).toEqual([
    ['1', '2'],
    ['2', null],
    ['4-beta', null],
    ['1', '2'],
    ['1', '2'],
    ['2', null],
    [null, null],
  ])
  expect(items[0]!.newest).toMatchObject({ project: shop.id, projectName: 'Shop', id: shop.versions[1]!.id })
  expect(unreached).toEqual([])
})

test('who has a release is not brought to a beta, wherever it is from', async () => {
  const { offered, catalogs, signal } = await extensionCatalogs()
  const versions = [{ name: '1' }, { name: '2' }, { name: '3-beta', type: 'beta' as const }]
  const chat = await offered.offer({ catalog: 'hangar', name: 'Chat', versions })
  const { items } = await catalogs.updates(chat.versions, PAPER, signal)
  expect(items.map(({ newest }) => newest?.name ?? null)).toEqual(['2', null, null])
})

test('what is told can be taken without asking for each', async () => {
  const { offered, catalogs, server, signal } = await extensionCatalogs()
  const shop = await offered.offer({
    catalog: 'modrinth',
    name: 'Shop',
    versions: [{ name: '1' }, { name: '2' }],
  })
  const { items } = await catalogs.updates([shop.versions[0]!], PAPER, signal)
  const count = server.requests.length
  expect(await catalogs.of(shop.id).version(shop.versions[1]!.id, signal)).toEqual(items[0]!.newest)
  expect(server.requests).toHaveLength(count)
})

test('the same file under another name is no update', async () => {
  const { offered, catalogs, signal } = await extensionCatalogs()
  const jar = Buffer.from('the same')
  const shop = await offered.offer({ catalog: 'modrinth', name: 'Shop', versions: [{ name: '1', jar }, { name: '1.0', jar }] }) // prettier-ignore
  const { items } = await catalogs.updates([shop.versions[0]!], PAPER, signal)
  expect(items[0]).toMatchObject({ current: { name: '1' }, newest: null })
})

test('five hundred are asked for in few requests, and only what Modrinth does not know at Hangar', async () => {
  const { offered, catalogs, server, signal } = await extensionCatalogs()
  const files = await Promise.all(
    Array.from({ length: 500 }, async (_, at) => {
      const jar = Buffer.from(`jar ${at}`)
      const one = await offered.offer({ catalog: 'modrinth', name: `Plugin ${at}`, versions: [{ name: '1', jar }, { name: '2', jar: Buffer.from(`new ${at}`) }] }) // prettier-ignore
      return one.versions[0]!
    }),
  )
  const { items } = await catalogs.updates([...files, unknown(1)], PAPER, signal)
  expect(items.filter(({ newest }) => newest?.name === '2')).toHaveLength(500)
  expect(server.requests.filter(({ path }) => path.startsWith('/hangar/'))).toHaveLength(1)
  expect(server.requests.length).toBeLessThan(20)
})

test.for([
  ['modrinth', ['2', null]],
  ['hangar', [null, '2']],
] as const)('where %s cannot be asked, that is told, and the other is', async ([failing, known]) => {
  const { offered, catalogs, server, signal } = await extensionCatalogs()
  const both = { name: 'Shop', versions: [{ name: '1' }, { name: '2' }] }
  const one = await offered.offer({ catalog: 'hangar', ...both })
  const other = await offered.offer({ catalog: 'modrinth', ...both, versions: [{ name: '1', jar: Buffer.from('1') }, { name: '2' }] }) // prettier-ignore
  server.fail(`/${failing}/`, { kind: 'status', status: 500 })
  const files = [one.versions[0]!, other.versions[0]!]
  const { items, unreached } = await catalogs.updates(files, PAPER, signal)
  expect(items.map(({ newest }) => newest?.name ?? null)).toEqual(known)
  expect(unreached).toEqual([failing])
})

test('for a software that Hangar does not serve it is not asked', async () => {
  const { catalogs, server, signal } = await extensionCatalogs()
  await catalogs.updates([unknown(1)], { software: 'fabric', version: '1.21.11' }, signal)
  expect(server.requests.every(({ path }) => path.startsWith('/modrinth/'))).toBe(true)
  await catalogs.updates([unknown(1)], { software: 'vanilla', version: '1.21.11' }, signal)
  expect(server.requests).toHaveLength(1)
})
