import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { NO_DISK } from '../../../../tests/faults/small-disk.ts'
import { hashesOf } from '../../../../tests/doubles/catalogs/extension-catalogs.ts'
import type { PackToMake } from '../../../../tests/fixtures/modpack.ts'
import { smallDisk } from '../../small-disk.fixture.ts'
import { GAME, openPacks } from './packs.fixture.ts'

/** A server of a pack, and a newer version of that whose file can be kept from coming. */
async function openPacked() {
  const it = await openPacks()
  const [old, next] = [it.file('mods/a-1.jar', 'a 1'), it.file('mods/aa-2.jar', 'a 2')]
  const pack = await it.offer([
    { version: '1.0', files: [old], within: { 'overrides/config/a.toml': 'a = 1\n' } },
    { version: '2.0', files: [next], within: { 'overrides/config/a.toml': 'a = 2\n' } },
  ])
  const [one, two] = pack.versions.map(({ id }) => id) as [string, string]
  const { id } = (await it.create(one)).body as { id: string }
  await it.reaches(id, 'offline')
  return { ...it, one, two, id, next, before: await it.all(id) }
}

const stalled = (ask: Awaited<ReturnType<typeof openPacks>>['ask'], id: string) =>
  expect
    .poll(async () => (await ask(`GET /servers/status/${id}`)).body.installation, { interval: 20 })
    .toMatchObject({ step: 'pack', cancelable: true })

it('an update that is canceled halfway changes nothing and leaves nothing, and can be had again', async () => {
  const { server, ask, id, two, install, reaches, all, before, said, leftBeside, packOf } = await openPacked()
  const end = server.fail('/modrinth/data/P8x', { kind: 'stalls' })
  await install(id, { versionId: two })
  await stalled(ask, id)
  expect((await install(id, { versionId: two })).body.error.code).toBe('server.installing')
  await ask(`POST /servers/power/${id}`, { action: 'stop' })
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toBe(
    'The installation of the modpack was canceled. The server is as it was before.',
  )
  expect(await all(id)).toEqual(before)
  expect((await packOf(id)).pack).toMatchObject({ version: '1.0' })
  expect(await leftBeside(id)).toEqual([])
  end()
  await install(id, { versionId: two })
  await reaches(id, 'offline')
  expect(Object.keys(await all(id)).sort()).toEqual(['config/a.toml', 'mods/aa-2.jar'])
})

it('a new server whose pack was canceled gets it by trying again, without what was left out', async () => {
  const { server, ask, offer, file, create, reaches, all, packOf, install, leftBeside } = await openPacks()
  const map = file('mods/map.jar', 'a map', { client: 'optional', server: 'optional' })
  const pack = await offer([{ files: [file('mods/late.jar', 'late'), map] }])
  const versionId = pack.versions[0]!.id
  const end = server.fail('/modrinth/data/P8x', { kind: 'stalls' })
  const { id } = (await create(versionId, { leaveOut: ['mods/map.jar'] })).body
  await stalled(ask, id)
  await ask(`POST /servers/power/${id}`, { action: 'stop' })
  await reaches(id, 'offline')
  expect(await all(id)).toEqual({})
  expect(await leftBeside(id)).toEqual([])
  expect(await packOf(id)).toMatchObject({ pack: null, wanted: { versionId } })
  end()
  expect((await install(id, { versionId })).status).toBe(202)
  await reaches(id, 'offline')
  expect(await all(id)).toEqual({ 'mods/late.jar': 'late' })
  expect(await packOf(id)).toMatchObject({ pack: { version: '1.0', undoable: false }, wanted: null })
  expect((await ask(`GET /servers/software/${id}`)).body.copy).toBeNull()
})

it('a new server waits for its pack over a restart, and does not start without it', async () => {
  const { server, offer, file, create, reaches, ask, restart, packOf, all, said, at } = await openPacks()
  const pack = await offer([{ files: [file('mods/late.jar', 'late')] }])
  const again = server.fail('/modrinth/data/P8x', { kind: 'status', status: 404 })
  const { id } = (await create(pack.versions[0]!.id)).body
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toMatch(/^The modpack was not installed, .*couldn't be downloaded/)
  expect(await packOf(id)).toMatchObject({ pack: null, wanted: { name: 'Cozy Pack', version: '1.0' } })
  expect(await all(id)).toEqual({})
  const sentence = expect.stringContaining("isn't installed on this server yet")
  const refused = await ask(`POST /servers/power/${id}`, { action: 'start' })
  expect(refused).toMatchObject({
    ...{ status: 409, body: { error: { code: 'modpacks.not-installed', message: sentence } } },
  })
  // It has not crashed, and the software alone is not installed in its place.
  expect((await ask(`GET /servers/status/${id}`)).body.status).toBe('offline')
  expect((await said(id)).at(-1)).toEqual(sentence)
  expect(await readdir(at(id))).toEqual([])
  again()
  await restart()
  await expect
    .poll(async () => (await packOf(id)).pack, { timeout: 10_000 })
    .toMatchObject({ version: '1.0' })
  expect(await all(id)).toEqual({ 'mods/late.jar': 'late' })
  expect((await packOf(id)).wanted).toBeNull()
})

/** A server whose pack could not be had when it was created. Then it can be had. */
async function openFailed() {
  const it = await openPacks()
  const late = it.file('mods/late.jar', 'late')
  const pack = await it.offer([{ files: [late], within: { 'overrides/config/a.toml': 'a = 1\n' } }])
  const again = it.server.fail('/modrinth/data/P8x', { kind: 'status', status: 404 })
  const { id } = (await it.create(pack.versions[0]!.id)).body as { id: string }
  await it.reaches(id, 'offline')
  again()
  return { ...it, id, versionId: pack.versions[0]!.id }
}

it('what somebody has put onto a server that waits for its pack comes back in one step', async () => {
  const { id, versionId, put, all, install, reaches, undo, said, packOf } = await openFailed()
  await put(id, 'config/a.toml', 'a = mine\n')
  await put(id, 'mods/late.jar', 'my own build')
  const before = await all(id)
  await install(id, { versionId })
  await reaches(id, 'offline')
  expect((await said(id)).slice(-2)).toEqual([
    'Installing the modpack Cozy Pack 1.0. A copy of the server is made first.',
    'The modpack Cozy Pack 1.0 is installed.',
  ])
  expect(await all(id)).toEqual({ 'config/a.toml': 'a = 1\n', 'mods/late.jar': 'late' })
  expect(await packOf(id)).toMatchObject({
    pack: { undoable: true, replaced: expect.any(Array) },
    wanted: null,
  })
  expect((await undo(id)).status).toBe(202)
  expect(await all(id)).toEqual(before)
})

it('a server whose owner has chosen other software since does not wait for its pack any more', async () => {
  const { id, ask, put, all, reaches, packOf, restart } = await openFailed()
  await put(id, 'config/a.toml', 'a = mine\n')
  expect((await ask(`PUT /servers/software/${id}`, { id: 'demo', version: '1.16.5' })).status).toBe(202)
  await reaches(id, 'offline')
  expect(await packOf(id)).toEqual({ pack: null, wanted: null })
  await restart()
  await ask(`POST /servers/power/${id}`, { action: 'start' })
  await reaches(id, 'online')
  expect((await all(id))['config/a.toml']).toBe('a = mine\n')
})

it.each([
  ['SHA-512', (right: { sha1: string; sha512: string }) => ({ ...right, sha512: 'f'.repeat(128) })],
  ['SHA-1', (right: { sha1: string; sha512: string }) => ({ ...right, sha1: 'f'.repeat(40) })],
])('a file with another %s than the pack says is not taken, and nothing is changed', async (_name, wrong) => {
  const { offer, file, id, install, reaches, all, before, said, leftBeside } = await openPacked()
  const good = file('mods/good.jar', 'good')
  const bad = file('mods/wrong-one.jar', 'other')
  const hashes = wrong(hashesOf(bad.bytes))
  const pack = await offer([{ version: '3.0', files: [good, { ...bad, hashes }] }], 'Bad')
  await install(id, { versionId: pack.versions[0]!.id })
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toMatch(
    /^The modpack was not installed, and the server is as it was before\. .*isn't the file/,
  )
  expect(await all(id)).toEqual(before)
  expect(await leftBeside(id)).toEqual([])
})

it('two servers that want the same pack at once share what is fetched, and both get all of it', async () => {
  const { server, offer, file, create, reaches, all } = await openPacks()
  const pack = await offer([{ files: [file('mods/shared.jar', 'for both')] }])
  const made = await Promise.all([1, 2].map((n) => create(pack.versions[0]!.id, { name: `Mine ${n}` })))
  for (const { body } of made) {
    await reaches(body.id, 'offline')
    expect(await all(body.id)).toEqual({ 'mods/shared.jar': 'for both' })
  }
  expect(server.requests.filter(({ path: at }) => at.endsWith('/shared.jar'))).toHaveLength(1)
})

const file = (at: string, more: object = {}) => ({
  ...{ path: at, hashes: { sha1: '0'.repeat(40), sha512: '0'.repeat(128) }, fileSize: 1 },
  ...{ downloads: ['https://cdn.modrinth.com/data/A/versions/B/a.jar'], ...more },
})
const HOSTILE: [string, PackToMake, string][] = [
  ...['../../a', '/etc/a', 'C:/a', 'mods\\..\\a', 'mods/../../a', 'a'.repeat(600), 'mods/\u0000a', 'con'].map(
    (at): [string, PackToMake, string] => [
      `a path ${JSON.stringify(at.slice(0, 20))}`,
      { index: { files: [file(at)] } },
      'modpacks.unsafe',
    ],
  ),
  ...[
    'https://evil.example/a.jar',
    'http://cdn.modrinth.com/a.jar',
    'https://cdn.modrinth.com:8443/a',
    'file:///etc/passwd',
    'https://me@github.com/a',
  ].map((url): [string, PackToMake, string] => [
    `the address ${url}`,
    { index: { files: [file('mods/a.jar', { downloads: [url] })] } },
    'modpacks.unsafe',
  ]),
  [
    'too many files',
    { index: { files: Array.from({ length: 5001 }, (_, n) => file(`mods/${n}.jar`)) } },
    'modpacks.too-large',
  ],
  [
    'too many bytes',
    { index: { files: Array.from({ length: 9 }, (_, n) => file(`mods/${n}`, { fileSize: 1024 ** 3 })) } },
    'modpacks.too-large',
  ],
  ['one path twice', { index: { files: [file('mods/a.jar'), file('mods/A.jar')] } }, 'modpacks.broken'],
  ['another format', { index: { formatVersion: 2 } }, 'modpacks.broken'],
  ['another game', { index: { game: 'chess' } }, 'modpacks.broken'],
  [
    'a file without checksums',
    { index: { files: [file('mods/a.jar', { hashes: { sha1: '0' } })] } },
    'modpacks.broken',
  ],
  [
    'two loaders',
    { dependencies: { minecraft: GAME, forge: '1', 'fabric-loader': '1' } },
    'modpacks.software',
  ],
  ['a version nobody has', { dependencies: { minecraft: '9.9', 'fabric-loader': '1' } }, 'modpacks.software'],
  [
    'a loader that is a path',
    { dependencies: { minecraft: GAME, 'fabric-loader': '../1' } },
    'modpacks.broken',
  ],
  ['a bomb', { within: { 'overrides/a': Buffer.alloc(80 * 1024 * 1024) } }, 'modpacks.too-large'],
]

it('a hostile pack is refused with a sentence before anything is fetched or written', async () => {
  const { ask, offer, server } = await openPacks()
  const seen: Record<string, string> = {}
  for (const [what, pack] of HOSTILE) {
    const { versions } = await offer(
      [pack],
      `Bad ${what.replaceAll(/[^a-z]/g, '')} ${Math.floor(Object.keys(seen).length)}`,
    )
    const { status, body } = await ask(`GET /modpacks/plan?versionId=${versions[0]!.id}`)
    seen[what] = status === 422 ? body.error.code : `${status} ${body.error?.code ?? ''}`
  }
  expect(seen).toEqual(Object.fromEntries(HOSTILE.map(([what, , code]) => [what, code])))
  expect(server.requests.filter(({ path: at }) => at.endsWith('.jar'))).toEqual([])
})

it('an update that was cut off after it was decided is finished, and one before that has not happened', async () => {
  const { id, two, folder, install, reaches, all, before, undo, restart, packOf, leftBeside, ask } =
    await openPacked()
  await install(id, { versionId: two })
  await reaches(id, 'offline')
  const after = await all(id)
  const copies = path.join(folder, 'copies', id)
  const packId = JSON.parse(await readFile(path.join(copies, 'pack.json'), 'utf8')).id
  await undo(id)
  expect(await all(id)).toEqual(before)

  const record = path.join(folder, 'software', 'installed', `${id}.json`)
  const staged = 'install-00000000-0000-0000-0000-000000000000'
  /** As it stands right before, or right after, the record decides. */
  const cutOff = async (isDecided: boolean) => {
    const at = path.join(folder, 'staging', id, staged)
    for (const [name, text] of Object.entries(after)) {
      await mkdir(path.dirname(path.join(at, name)), { recursive: true })
      await writeFile(path.join(at, name), text)
    }
    const next = { ...JSON.parse(await readFile(record, 'utf8')), staged }
    await writeFile(isDecided ? record : record.replace('.json', '.next.json'), JSON.stringify(next))
    const [current] = JSON.parse(await readFile(path.join(copies, 'current.json'), 'utf8'))
    const software = { id: 'fabric', version: GAME }
    const copy = { ...current, id: 'copy-00000000-0000-0000-0000-000000000000', reason: 'change' }
    await mkdir(path.join(copies, copy.id), { recursive: true })
    const journal = { kind: 'change', copy, to: software, pack: { id: packId, remove: ['mods/a-1.jar'] } }
    await writeFile(path.join(copies, 'journal.json'), JSON.stringify(journal))
  }
  await restart(() => cutOff(false))
  expect(await all(id)).toEqual(before)
  expect((await packOf(id)).pack).toMatchObject({ version: '1.0' })
  await restart(() => cutOff(true))
  expect(await all(id)).toEqual(after)
  expect((await packOf(id)).pack).toMatchObject({ version: '2.0' })
  expect((await ask(`GET /servers/status/${id}`)).body.status).toBe('offline')
  await expect.poll(() => leftBeside(id)).toHaveLength(2)
})

it('a full disk is said with figures, and nothing of the pack is there', async ({ skip }) => {
  const disk = await smallDisk(280)
  if (!disk) return skip(NO_DISK)
  const { offer, create, reaches, said, all, packOf, leftBeside, server, folder } = await openPacks({
    dataDir: path.join(disk.folder, 'data'),
  })
  const bytes = Buffer.alloc(48 * 1024 * 1024, 'x')
  const url = server.put('/modrinth/data/BIG/versions/V/big.jar', bytes)
  const pack = await offer([{ files: [{ path: 'mods/big.jar', bytes, url }] }])
  const { id } = (await create(pack.versions[0]!.id)).body
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toMatch(/space|full/i)
  expect(await all(id)).toEqual({})
  expect(await packOf(id)).toMatchObject({ pack: null, wanted: { name: 'Cozy Pack' } })
  expect(await leftBeside(id)).toEqual([])
  expect(await readdir(path.join(folder, 'servers', id))).toEqual([])
})

it('a link in the way of a pack is not followed', async () => {
  const { id, two, install, reaches, at, folder, said, packOf } = await openPacked()
  const { symlink } = await import('node:fs/promises')
  const outside = path.join(folder, 'outside')
  await rename(at(id, 'config'), outside)
  await symlink(outside, at(id, 'config'))
  await install(id, { versionId: two })
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toMatch(/^The modpack was not installed/)
  expect(await readFile(path.join(outside, 'a.toml'), 'utf8')).toBe('a = 1\n')
  expect(existsSync(at(id, 'mods/aa-2.jar'))).toBe(false)
  expect((await packOf(id)).pack).toMatchObject({ version: '1.0' })
})

it('what somebody edits while a pack is updated stays, and where that cannot be nothing is done until it is tried again', async () => {
  const { server, ask, id, two, install, reaches, all, said, leftBeside, packOf, put, upload } =
    await openPacked()
  const held = Promise.withResolvers<void>()
  server.fail('/modrinth/data/P8x', { kind: 'held', until: held.promise }, 1)
  await install(id, { versionId: two })
  await stalled(ask, id)
  const refused = await ask(`POST /servers/power/${id}`, { action: 'start' })
  expect(refused.body.error.code).toBe('server.installing')
  await upload(id, 'mods/aa-2.jar', 'my own build')
  await put(id, 'config/a.toml', 'a = mine\n')
  held.resolve()
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toBe(
    'The modpack was not installed, and the server is as it was before. Somebody has just changed files that would be replaced or removed: “mods/aa-2.jar”. Nothing was done, and those changes are kept. Try again.',
  )
  const mine = { 'config/a.toml': 'a = mine\n', 'mods/a-1.jar': 'a 1', 'mods/aa-2.jar': 'my own build' }
  expect(await all(id)).toEqual(mine)
  expect((await packOf(id)).pack).toMatchObject({ version: '1.0', undoable: false })
  expect(await leftBeside(id)).toEqual([])

  await install(id, { versionId: two })
  await reaches(id, 'offline')
  expect((await packOf(id)).pack).toMatchObject({ version: '2.0', kept: ['config/a.toml'] })
  expect(await all(id)).toEqual({ 'config/a.toml': 'a = mine\n', 'mods/aa-2.jar': 'a 2' })
})
