import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { KEY } from '../../../tests/doubles/hosts/pterodactyl/panel.ts'
import { type SignedIn, signedIn } from './pterodactyl.fixture.ts'

const MIB = 1024 * 1024

/** Sends a file of so many bytes, and answers how that ended and what was sent. */
async function sent({ panel, until, seen, folder, ref }: SignedIn, name: string, size: number) {
  const bytes = randomBytes(size)
  writeFileSync(path.join(folder, name), bytes)
  return { bytes, transfer: await transferOf({ panel, until, seen, folder, ref }, name) }
}

async function transferOf(
  { panel, until, seen, folder, ref }: Pick<SignedIn, 'panel' | 'until' | 'seen' | 'folder' | 'ref'>,
  name: string,
) {
  const from = seen.length
  const file = { file: path.join(folder, name), path: name }
  await panel.upload({ to: { ...ref, folder: 'world' }, files: [file], folders: [] })
  const isEnded = ({ name: one, endedAt }: { name: string; endedAt: string | null }) =>
    one === name && endedAt !== null
  const { items } = await until('transfers', ({ items: all }) => all.some(isEnded), from)
  return items.find(isEnded)!
}

test('a file larger than the panel takes goes over SFTP, with a key that is registered once', async () => {
  const panel = await signedIn()
  const { host, server, files, restart, data } = panel
  host.wings.uploadMostMb = 1
  const { bytes, transfer } = await sent(panel, 'large.bin', 3 * MIB)
  expect(transfer).toMatchObject({ state: 'done', filesDone: 1 })
  expect(readFileSync(path.join(files, 'world/large.bin')).equals(bytes)).toBe(true)
  expect(readdirSync(path.join(files, 'world'))).toEqual(['large.bin'])
  expect(host.sftp.entered).toEqual([`steve.${server.uuid.slice(0, 8)}`])
  expect(host.sshKeys).toMatchObject([{ name: 'Wheelhouse' }])
  // In another run, and over what is there.
  const again = { ...panel, ...(await restart()) }
  const other = await sent(again, 'more.bin', MIB + 1)
  expect(readFileSync(path.join(files, 'world/more.bin')).equals(other.bytes)).toBe(true)
  expect(host.sshKeys).toHaveLength(1)
  for (const entry of readdirSync(data, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      expect(readFileSync(path.join(entry.parentPath, entry.name), 'latin1')).not.toMatch(/OPENSSH PRIVATE/)
})

test('a file that is there is replaced, though the machine never renames onto one', async () => {
  const panel = await signedIn()
  const { call, files, folder, ref, until, seen } = panel
  mkdirSync(path.join(files, 'world'))
  writeFileSync(path.join(files, 'world/a.bin'), 'before', { mode: 0o640 })
  writeFileSync(path.join(folder, 'a.bin'), 'after')
  const from = seen.length
  const file = { file: path.join(folder, 'a.bin'), path: 'a.bin' }
  await panel.panel.upload({ to: { ...ref, folder: 'world' }, files: [file], folders: [] })
  const { items } = await until(
    'transfers',
    ({ items: all }) => all.some(({ asking }) => asking !== null),
    from,
  )
  const { id: transferId, asking } = items[0]!
  await call('transfers.answer', { transferId, itemId: asking!.itemId, choice: 'replace', forAll: true })
  await expect.poll(() => readFileSync(path.join(files, 'world/a.bin'), 'utf8')).toBe('after')
  await expect.poll(() => readdirSync(path.join(files, 'world'))).toEqual(['a.bin'])
})

test('after a cut, a machine that empties what is opened gets the whole file again', async () => {
  const panel = await signedIn()
  const { host, files } = panel
  const ending = sent(panel, 'large.bin', 24 * MIB)
  await expect.poll(() => host.sftp.opened.length).toBe(1)
  await expect
    .poll(() => readdirSync(path.join(files, 'world')).filter((name) => name.endsWith('.part')))
    .toHaveLength(1)
  host.sftp.cut()
  const { bytes, transfer } = await ending
  expect(transfer).toMatchObject({ state: 'done', filesDone: 1 })
  expect(readFileSync(path.join(files, 'world/large.bin')).equals(bytes)).toBe(true)
  expect(host.sftp.opened.length).toBeGreaterThan(1)
  await expect.poll(() => readdirSync(path.join(files, 'world')), { timeout: 5000 }).toEqual(['large.bin'])
})

test.each([
  ['its port is closed', ({ host }: SignedIn) => host.sftp.close()],
  ['the panel takes no SSH keys', async ({ host }: SignedIn) => void (host.refusesSshKeys = true)],
  ['it may be read only', async ({ host }: SignedIn) => void (host.sftp.isReadOnly = true)],
  [
    'it is not permitted',
    async ({ server }: SignedIn) => {
      server.owner = false
      server.permissions = ['file.create', 'file.read', 'file.read-content', 'file.update', 'file.delete']
    },
  ],
])('files go the panel’s own way where %s', async (_why, close) => {
  const panel = await signedIn()
  await close(panel)
  const { bytes, transfer } = await sent(panel, 'a.bin', MIB)
  expect(transfer).toMatchObject({ state: 'done', filesDone: 1 })
  expect(readFileSync(path.join(panel.files, 'world/a.bin')).equals(bytes)).toBe(true)
  expect(JSON.stringify(panel.host.wings.heard)).toContain('/upload')
})

test('where SFTP is closed, the limit that one refusal told is known before the next file is sent', async () => {
  const panel = await signedIn()
  const { host, files, folder, at, view, call } = panel
  host.wings.uploadMostMb = 1
  await host.sftp.close()
  const most = async (serverId: string) =>
    (await view('files.limits', { ...at, params: { serverId } }, true)).value?.maxFileBytes ?? null
  expect(await most(panel.server.uuid)).toBe(null)
  expect((await sent(panel, 'first.bin', 2 * MIB)).transfer).toMatchObject({ filesFailed: 1 })
  expect(await most(panel.server.uuid)).toBe(MIB)
  const uploads = () => JSON.stringify(host.wings.heard).split('/upload/file').length - 1
  expect(uploads()).toBe(1)
  truncateSync(path.join(folder, 'first.bin'), 101 * MIB)
  renameSync(path.join(folder, 'first.bin'), path.join(folder, 'large.bin'))
  const { id: transferId } = await transferOf(panel, 'large.bin')
  expect(uploads()).toBe(1)
  const failed = await call('transfers.items', { transferId, only: 'failed', offset: 0, limit: 10 })
  expect(failed.items[0]?.problem).toMatchObject({
    code: 'too-large',
    message: expect.stringContaining('takes files of up to 1 MB this way') as string,
  })
  // Another server there, which isn't known to be closed; and a file that is just small enough.
  expect(await most(host.add(files).uuid)).toBe(null)
  expect((await sent(panel, 'small.bin', MIB)).transfer).toMatchObject({ filesDone: 1 })
})

test('a part of a large file is read alone', async () => {
  const { call, files, ref, host } = await signedIn()
  writeFileSync(path.join(files, 'large.log'), Buffer.alloc(6 * MIB, 7))
  const asked = { ...ref, path: 'large.log', offset: 5 * MIB, length: 100 }
  const page = await call('files.read-page', asked)
  expect(page).toMatchObject({ offset: 5 * MIB, size: 6 * MIB })
  expect(Buffer.from(page.bytes, 'base64')).toEqual(Buffer.alloc(100, 7))
  expect(host.wings.heard).toEqual([])
})

test('files are searched over SFTP alone: the panel is never asked for all folders', async () => {
  const { view, at, files, host } = await signedIn()
  mkdirSync(path.join(files, 'plugins/Shop'), { recursive: true })
  writeFileSync(path.join(files, 'plugins/Shop/config.yml'), 'a: 1\nname: Needle\n')
  const find = () => view('files.search', { ...at, query: { text: 'needle' } }, true)
  expect((await find()).value?.items).toMatchObject([{ path: 'plugins/Shop/config.yml', line: 2 }])
  expect(host.seen.filter((request) => request.path.includes('/files/'))).toEqual([])
})

test('where SFTP is closed, searching is not offered', async () => {
  const { view, at, host } = await signedIn()
  await host.sftp.close()
  const { problem } = await view('files.search', { ...at, query: { text: 'needle' } }, true)
  expect(problem).toMatchObject({ code: 'unavailable' })
})

test('another key of the machine is refused with a sentence until somebody signs in again', async () => {
  const panel = await signedIn()
  const { host, restart } = panel
  await sent(panel, 'a.bin', 1000)
  await host.sftp.close()
  await host.sftp.start()
  const again = { ...panel, ...(await restart()) }
  const { transfer } = await sent(again, 'b.bin', 1000)
  expect(transfer).toMatchObject({ filesFailed: 1 })
  const only = { transferId: transfer.id, only: 'failed', offset: 0, limit: 10 } as const
  const { items } = await again.call('transfers.items', only)
  expect(items[0]?.problem).toMatchObject({ serviceCode: 'host.host-key' })
  expect(items[0]?.problem?.message).toMatch(/shows another key \(ssh-ed25519 SHA256:[A-Za-z0-9+/]{43}\)/)
  await again.call('connections.use-token', { baseUrl: host.base, token: KEY })
  expect((await sent(again, 'c.bin', 1000)).transfer).toMatchObject({ state: 'done' })
})

test.each([
  ['Pterodactyl', false],
  ['Pelican', true],
])('whoever signs out takes the key away from a panel of %s', async (_kind, isPelican) => {
  const panel = await signedIn({ isPelican })
  const { call, host, ref } = panel
  await sent(panel, 'a.bin', 1000)
  expect(host.sshKeys).toHaveLength(1)
  const { revoked } = await call('connections.sign-out', {
    connectionId: ref.connectionId,
    everywhere: false,
  })
  expect(host.sshKeys).toEqual([])
  // The key that was entered is still one.
  expect(revoked).toBe(false)
})

test('looking at a server neither registers a key nor opens a connection', async () => {
  const { view, host, at } = await signedIn()
  const { value } = await view('files.limits', at, true)
  expect(value).toMatchObject({ resumable: false, trash: null, batch: { maxFiles: 250 } })
  await view('files.list', { ...at, query: { path: '' } }, true)
  expect([host.sshKeys, host.sftp.entered]).toEqual([[], []])
})
