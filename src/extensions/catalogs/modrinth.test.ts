import { expect, test } from 'vitest'
import type { CatalogServer } from '../../../tests/doubles/catalogs/catalog-server.ts'
import { extensionCatalogs, PAPER } from './catalogs.fixture.ts'

/** What was asked, without the catalog's address. */
const asked = (server: CatalogServer, path: string) =>
  server.requests.filter((one) => one.path.startsWith(path)).map((one) => new URL(one.path, server.origin))

test('finds plugins that fit the software and the version, and tells what people want to know of them', async () => {
  const { offered, search, server } = await extensionCatalogs()
  const shop = await offered.offer({
    catalog: 'modrinth',
    name: 'Shop',
    author: 'ada',
    categories: ['economy'],
    downloads: 7,
    versions: [{ name: '1.0' }],
  })
  await offered.offer({ catalog: 'modrinth', name: 'Shop for Fabric', loaders: ['fabric'], versions: [] })
  await offered.offer({ catalog: 'modrinth', name: 'Shop of old', games: ['1.8'], versions: [] })
  const { items, nextCursor, unreached } = await search('shop')
  expect(items).toEqual([
    {
      id: shop.id,
      name: 'Shop',
      summary: 'Shop in one sentence.',
      author: 'ada',
      catalog: 'modrinth',
      downloads: 7,
      updatedAt: shop.versions[0]!.date,
      createdAt: '2026-01-01T00:00:00.000Z',
      url: `https://modrinth.com/plugin/${shop.key}`,
      hasIcon: true,
      categories: ['economy'],
    },
  ])
  expect([nextCursor, unreached]).toEqual([null, []])
  const [url] = asked(server, '/modrinth/v2/search')
  expect(JSON.parse(url!.searchParams.get('facets')!)).toEqual([
    ['project_type:plugin', 'project_type:mod'],
    ['categories:paper', 'categories:spigot', 'categories:bukkit'],
    ['versions:1.21.11'],
  ])
})

test('leaves out mods that run in the game alone', async () => {
  const { offered, search } = await extensionCatalogs()
  const games = { games: ['1.21.11'], loaders: ['fabric'], versions: [] }
  await offered.offer({ catalog: 'modrinth', name: 'Minimap', clientOnly: true, ...games })
  await offered.offer({ catalog: 'modrinth', name: 'Lithium', ...games })
  const { items } = await search('', null, 20, { software: 'fabric', version: '1.21.11' })
  expect(items.map(({ name }) => name)).toEqual(['Lithium'])
})

test.for([
  ['paper', ['paper', 'spigot', 'bukkit']],
  ['purpur', ['purpur', 'paper', 'spigot', 'bukkit']],
  ['folia', ['folia']],
  ['quilt', ['quilt', 'fabric']],
  ['neoforge', ['neoforge']],
  ['velocity', ['velocity']],
] as const)('%s loads %j', async ([software, loaders]) => {
  const { offered, catalogs, server, signal } = await extensionCatalogs()
  const { id } = await offered.offer({ catalog: 'modrinth', name: 'A', loaders: [...loaders], versions: [{ name: '1' }] }) // prettier-ignore
  const target = { software, version: software === 'velocity' ? '3.4.0-SNAPSHOT' : '1.21.11' }
  expect(await catalogs.of(id).versions(id, target, signal)).toHaveLength(1)
  const [url] = asked(server, '/modrinth/v2/project/').filter(({ pathname }) => pathname.endsWith('version'))
  expect(JSON.parse(url!.searchParams.get('loaders')!)).toEqual(loaders)
  expect(url!.searchParams.has('game_versions')).toBe(software !== 'velocity')
})

test('of a software without extensions nothing is asked', async () => {
  const { search, server } = await extensionCatalogs()
  for (const software of ['vanilla', 'demo', 'constructor'])
    expect(await search('', null, 20, { software, version: '1.21.11' })).toMatchObject({ items: [] })
  expect(server.requests).toEqual([])
})

test('tells versions with their files, newest first, and what they need', async () => {
  const { offered, catalogs, signal } = await extensionCatalogs()
  const library = await offered.offer({ catalog: 'modrinth', name: 'Library', versions: [{ name: '3' }] })
  const { id, versions } = await offered.offer({
    catalog: 'modrinth',
    name: 'Shop',
    versions: [
      { name: '1.0' },
      {
        name: '2.0-beta',
        type: 'beta',
        needs: [{ on: library.id }, { on: null, name: 'Vault', kind: 'optional' }],
      },
      { name: '9.0', games: ['26.1'] },
    ],
  })
  const told = await catalogs.of(id).versions(id, PAPER, signal)
  expect(told.map(({ name, channel }) => [name, channel])).toEqual([
    ['2.0-beta', 'experimental'],
    ['1.0', 'release'],
  ])
  const { url, hashes, jar } = versions[1]!
  expect(told[0]).toMatchObject({
    project: id,
    projectName: 'Shop',
    changes: 'What is new in 2.0-beta.',
    file: {
      url,
      name: 'Shop-2.0-beta.jar',
      size: jar.length,
      checksum: { algorithm: 'sha512', value: hashes.sha512 },
    },
    dependencies: [
      { kind: 'required', project: library.id, versionId: null, name: null },
      { kind: 'optional', project: null, versionId: null, name: 'Vault' },
    ],
  })
  expect(await catalogs.of(id).version(told[1]!.id, signal)).toEqual(told[1])
  expect(await catalogs.of(id).details(id, PAPER, signal)).toEqual({
    id,
    name: 'Shop',
    description: '# Shop\n\nWhat it does, at length.',
    url: `https://modrinth.com/plugin/${id.split(':')[1]}`,
    license: 'MIT',
    versions: told,
  })
})

test('knows files by their hashes, a hundred in each question', async () => {
  const { offered, catalogs, server, signal } = await extensionCatalogs()
  const { versions, id } = await offered.offer({ catalog: 'modrinth', name: 'Shop', versions: [{ name: '1' }, { name: '2' }] }) // prettier-ignore
  const unknown = Array.from({ length: 148 }, (_, at) => {
    const hash = at.toString(16).padStart(128, '0')
    return { sha1: hash.slice(0, 40), sha256: hash.slice(0, 64), sha512: hash }
  })
  const files = [versions[1]!.hashes, ...unknown, versions[0]!.hashes]
  const told = await catalogs.of(id).identify(files, signal)
  expect(told.map((one) => one?.name ?? null).filter(Boolean)).toEqual(['2', '1'])
  expect([told[0]?.projectName, told.at(-1)?.id]).toEqual(['Shop', versions[0]!.id])
  const posts = server.requests.filter(({ method }) => method === 'POST')
  expect(posts.map(({ body }) => (JSON.parse(body) as { hashes: string[] }).hashes.length)).toEqual([100, 50])
  await catalogs.of(id).identify(files, signal)
  expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(2)
})

test('a broken entry is left out, and the rest is read', async () => {
  const { offered, catalogs, server, signal, search } = await extensionCatalogs()
  const { id, key, versions } = await offered.offer({
    catalog: 'modrinth',
    name: 'Shop',
    versions: [{ name: '1' }],
  })
  const spoilt = async (path: string, spoil: (answer: never) => object) => {
    const body = await (
      await fetch(server.origin + path, { headers: { 'user-agent': '(a@b.example)' } })
    ).json()
    server.put(path.split('?')[0]!, spoil(body as never))
  }
  await spoilt('/modrinth/v2/search?query=', (answer: { hits: object[] }) => ({
    hits: [null, { project_id: '../evil', title: 'x' }, { ...answer.hits[0], downloads: 'many', author: 7 }],
  }))
  expect((await search('shop')).items).toMatchObject([{ id, downloads: null, author: null }])
  await spoilt(`/modrinth/v2/project/${key}/version`, ([version]: { files: object[] }[]) => [
    7,
    { ...version, id: 'unsafe', files: [{ ...version!.files[0], url: 'http://10.0.0.1/a.jar' }] },
    { ...version, id: 'unchecked', files: [{ ...version!.files[0], hashes: {} }] },
    { ...version, dependencies: 'none', changelog: null, date_published: 'yesterday' },
  ])
  const told = await catalogs.of(id).versions(id, PAPER, signal)
  expect(told.map((one) => [one.id, one.file !== null])).toEqual([
    ['modrinth:unsafe', false],
    ['modrinth:unchecked', false],
    [versions[0]!.id, true],
  ])
  expect(told[2]).toMatchObject({ dependencies: [], changes: null, releasedAt: null })
})

test('what Modrinth does not have is said, and names that are none of its own are not asked for', async () => {
  const { catalogs, server, signal } = await extensionCatalogs()
  for (const id of ['modrinth:GONEGONE', 'modrinth:../v3', 'modrinth:', 'curseforge:1', 'GONE'])
    await expect((async () => catalogs.of(id).versions(id, PAPER, signal))()).rejects.toMatchObject({
      status: 404,
      code: 'extensions.not-found',
    })
  await expect(catalogs.of('modrinth:GONE').version('hangar:1', signal)).rejects.toMatchObject({
    status: 404,
  })
  expect(server.requests.every(({ path }) => path.includes('GONEGONE'))).toBe(true)
})

test('a catalog that cannot be reached is told in a sentence', async () => {
  const { catalogs, server, signal } = await extensionCatalogs()
  server.fail('/modrinth/', { kind: 'status', status: 500 })
  await expect(catalogs.of('modrinth:A').versions('modrinth:A', PAPER, signal)).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining("The catalog of Modrinth can't be reached"),
  })
})
