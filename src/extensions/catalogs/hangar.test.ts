import { expect, test } from 'vitest'
import { extensionCatalogs, PAPER } from './catalogs.fixture.ts'

const VELOCITY = { software: 'velocity', version: '3.4.0-SNAPSHOT' }
const NO_HASHES = { sha1: '0'.repeat(40), sha256: '0'.repeat(64), sha512: '0'.repeat(128) }

test('finds plugins of Paper and of Velocity, each by its own versions', async () => {
  const { offered, search } = await extensionCatalogs()
  const paper = await offered.offer({
    catalog: 'hangar',
    name: 'Chat Bot',
    author: 'ada',
    categories: ['admin_tools'],
    versions: [{ name: '1' }],
  })
  await offered.offer({ catalog: 'hangar', name: 'Chat of old', games: ['1.8'], versions: [] })
  await offered.offer({
    catalog: 'hangar',
    name: 'Chat proxy',
    games: ['3.4'],
    loaders: ['velocity'],
    versions: [],
  })
  expect((await search('chat')).items).toEqual([
    {
      id: paper.id,
      name: 'Chat Bot',
      summary: 'Chat Bot in one sentence.',
      author: 'ada',
      catalog: 'hangar',
      downloads: 1000,
      updatedAt: paper.versions[0]!.date,
      createdAt: '2026-01-01T00:00:00.000Z',
      url: 'https://hangar.papermc.io/ada/Chat-Bot',
      hasIcon: true,
      categories: ['admin-tools'],
    },
  ])
  const names = async (target: typeof PAPER) =>
    (await search('', null, 20, target)).items.map(({ name }) => name)
  expect(await names({ software: 'purpur', version: '1.21.11' })).toEqual(['Chat Bot'])
  expect(await names(VELOCITY)).toEqual(['Chat proxy'])
  expect(await names({ software: 'fabric', version: '1.21.11' })).toEqual([])
})

test('names that no address can hold, and that would turn the text beside them, are made plain', async () => {
  const { offered, search } = await extensionCatalogs()
  const one = await offered.offer({ catalog: 'hangar', name: 'Odd', author: 'a\ud800', versions: [] })
  one.name = '\u202eOdd\n\u001b[31mname'
  expect((await search('')).items).toMatchObject([
    { name: 'Odd name', author: 'a\ufffd', url: 'https://hangar.papermc.io/a%EF%BF%BD/Odd' },
  ])
})

test('for Folia there is only what says that it fits', async () => {
  const { offered, catalogs, search, signal } = await extensionCatalogs()
  const target = { software: 'folia', version: '1.21.11' }
  const one = await offered.offer({
    catalog: 'hangar',
    name: 'Threads',
    loaders: ['folia'],
    versions: [{ name: '1' }],
  })
  const other = await offered.offer({ catalog: 'hangar', name: 'Other', versions: [{ name: '1' }] })
  expect((await search('', null, 20, target)).items.map(({ id }) => id)).toEqual([one.id])
  expect(await catalogs.of(one.id).versions(one.id, target, signal)).toHaveLength(1)
  expect(await catalogs.of(other.id).versions(other.id, target, signal)).toEqual([])
})

test('tells versions with their files and what they need; one that lies elsewhere is had by hand', async () => {
  const { offered, catalogs, signal } = await extensionCatalogs()
  const { id, versions } = await offered.offer({
    catalog: 'hangar',
    name: 'Chat',
    versions: [
      {
        name: '1.0',
        needs: [
          { on: 'hangar:77', name: 'Vault' },
          { on: null, name: 'Far', kind: 'optional' },
        ],
      },
      { name: '2.0', external: 'https://elsewhere.example/chat' },
      { name: '3.0-SNAPSHOT', type: 'snapshot' },
      { name: '4.0-beta', type: 'beta' },
    ],
  })
  const told = await catalogs.of(id).versions(id, PAPER, signal)
  expect(told.map(({ name, channel, file }) => [name, channel, file !== null])).toEqual([
    ['4.0-beta', 'experimental', true],
    ['3.0-SNAPSHOT', 'snapshot', true],
    ['2.0', 'release', false],
    ['1.0', 'release', true],
  ])
  expect(told[2]!.url).toBe('https://elsewhere.example/chat')
  const { url, hashes, jar, fileName } = versions[0]!
  expect(told[3]).toMatchObject({
    project: id,
    projectName: 'Chat',
    file: { url, name: fileName, size: jar.length, checksum: { algorithm: 'sha256', value: hashes.sha256 } },
    dependencies: [
      { kind: 'required', project: 'hangar:77', name: 'Vault' },
      { kind: 'optional', project: null, name: 'Far' },
    ],
  })
  expect(await catalogs.of(id).version(told[3]!.id, signal)).toEqual(told[3])
  expect(await catalogs.of(id).details(id, PAPER, signal)).toMatchObject({
    name: 'Chat',
    description: '# Chat\n\nWhat it does, at length.',
    license: 'MIT',
    versions: told,
  })
})

test('reads all pages of versions, as far as anybody would', async () => {
  const { offered, catalogs, server, signal } = await extensionCatalogs()
  const versions = Array.from({ length: 130 }, (_, at) => ({
    name: String(at),
    jar: Buffer.from(String(at)),
  }))
  const { id } = await offered.offer({ catalog: 'hangar', name: 'Chat', versions })
  const told = await catalogs.of(id).versions(id, PAPER, signal)
  expect(told).toHaveLength(100)
  expect(told[0]!.name).toBe('129')
  expect(server.requests.filter(({ path }) => path.includes('/versions?'))).toHaveLength(4)
})

test('knows a file by its hash, also an old version of it, and asks once for one that is unknown', async () => {
  const { offered, catalogs, server, signal } = await extensionCatalogs()
  const versions = Array.from({ length: 30 }, (_, at) => ({ name: String(at), jar: Buffer.from(String(at)) }))
  const chat = await offered.offer({ catalog: 'hangar', name: 'Chat', versions })
  const files = [NO_HASHES, chat.versions[0]!.hashes, chat.versions[29]!.hashes]
  const identify = () => catalogs.of(chat.id).identify(files, signal)
  expect((await identify()).map((one) => one?.name)).toEqual([undefined, '0', '29'])
  const count = server.requests.length
  expect((await identify()).map((one) => one?.id)).toEqual([
    undefined,
    chat.versions[0]!.id,
    chat.versions[29]!.id,
  ])
  expect(server.requests).toHaveLength(count)
})

test('asks no more often than it may', async () => {
  const { offered, catalogs, server, clock, signal } = await extensionCatalogs()
  const { id } = await offered.offer({ catalog: 'hangar', name: 'Chat', versions: [] })
  const files = Array.from({ length: 90 }, (_, at) => {
    const hash = at.toString(16).padStart(128, '0')
    return { sha1: hash.slice(0, 40), sha256: hash.slice(64), sha512: hash }
  })
  await catalogs.of(id).identify(files, signal)
  expect(server.requests).toHaveLength(90)
  // The first 80 at once, and then one every 320 ms.
  expect(clock.waited.length).toBe(10)
  expect(Math.max(...clock.waited)).toBeLessThanOrEqual(4 * 320)
})

test('of too many files some are asked for now, and the others the next time', async () => {
  const { catalogs, server, clock, signal } = await extensionCatalogs()
  const files = Array.from({ length: 200 }, (_, at) => {
    const hash = at.toString(16).padStart(128, '0')
    return { hashes: { sha1: hash.slice(0, 40), sha256: hash.slice(64), sha512: hash } }
  })
  expect((await catalogs.updates(files, PAPER, signal)).unreached).toEqual(['hangar'])
  const first = server.requests.length
  expect(first).toBeLessThan(150)
  clock.ms += 60_000
  expect((await catalogs.updates(files, PAPER, signal)).unreached).toEqual([])
  expect(server.requests.filter(({ path }) => path.includes('/hash/'))).toHaveLength(200)
})
