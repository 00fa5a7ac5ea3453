import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { CuttableLine } from '../../../tests/fixtures/cuttable-line.ts'
import { NO_SFTP } from '../../../tests/fixtures/sftp-server.ts'
import { sftpToken } from '../../contract/rules/sftp.ts'
import { signedIn, writerOf } from './sftp.fixture.ts'
import { linesSent, numbersIn, upTo } from './pterodactyl.fixture.ts'

test.skipIf(NO_SFTP)('files are listed, read, saved, moved, uploaded and deleted', async () => {
  const { call, view, until, panel, files, folder, ref, at } = await signedIn()
  writeFileSync(path.join(files, 'server.properties'), 'motd=Hello\n', { mode: 0o600 })
  mkdirSync(path.join(files, 'world'))
  const { value } = await view('files.list', { ...at, query: { path: '' } }, true)
  expect(value?.items.toSorted((a, b) => a.name.localeCompare(b.name))).toMatchObject([
    { name: 'logs', kind: 'folder' },
    { name: 'server.properties', kind: 'file', size: 11, mode: 0o600 },
    { name: 'world', kind: 'folder' },
  ])
  const file = { ...ref, path: 'server.properties' }
  const { content, etag } = (await call('files.read-text', file)) as { content: unknown; etag: string }
  expect(content).toEqual({ kind: 'text', text: 'motd=Hello\n' })
  const base = { kind: 'etag' as const, etag }
  await call('files.write-text', { ...file, text: 'motd=Bye\n', base })
  expect(readFileSync(path.join(files, 'server.properties'), 'utf8')).toBe('motd=Bye\n')
  expect(statSync(path.join(files, 'server.properties')).mode & 0o777).toBe(0o600)
  await expect(call('files.write-text', { ...file, text: 'motd=Late\n', base })).rejects.toMatchObject({
    problem: { code: 'changed' },
  })
  await call('files.move', {
    ...ref,
    items: [{ from: 'server.properties', to: 'world/a.txt' }],
    conflict: 'refuse',
  })
  writeFileSync(path.join(folder, 'large.bin'), Buffer.alloc(6 * 1024 * 1024, 7))
  await panel.upload({
    to: { ...ref, folder: 'world' },
    files: [{ file: path.join(folder, 'large.bin'), path: 'large.bin' }],
    folders: [],
  })
  const { items } = await until('transfers', ({ items: all }) => all.some(({ endedAt }) => endedAt !== null))
  expect(items).toMatchObject([{ state: 'done', filesDone: 1, problem: null }])
  const page = await call('files.read-page', {
    ...ref,
    path: 'world/large.bin',
    offset: 5_000_000,
    length: 100,
  })
  expect(page).toMatchObject({ offset: 5_000_000, size: 6 * 1024 * 1024 })
  expect(Buffer.from(page.bytes, 'base64')).toEqual(Buffer.alloc(100, 7))
  expect(readFileSync(path.join(files, 'world/large.bin')).equals(Buffer.alloc(6 * 1024 * 1024, 7))).toBe(
    true,
  )
  const paths = ['world', 'logs']
  symlinkSync(folder, path.join(files, 'world/out'))
  await expect(call('files.remove', { ...ref, paths, permanent: false })).rejects.toMatchObject({
    problem: { code: 'changed' },
  })
  expect((await call('files.remove', { ...ref, paths, permanent: true })).results).toMatchObject([
    { outcome: 'done' },
    { outcome: 'done' },
  ])
  expect(readdirSync(files)).toEqual([])
  expect(readdirSync(folder)).toContain('large.bin')
})

test.skipIf(NO_SFTP)('a console follows the log over its ends and beginnings, each line once', async () => {
  const panel = await signedIn()
  const { call, ref, log, files } = panel
  const write = writerOf(panel)
  write(50)
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => linesSent(panel).length, { timeout: 5000 }).toBe(50)
  write(2500)
  await expect.poll(() => linesSent(panel).length, { timeout: 5000 }).toBe(2550)
  // As the game does when it starts anew: what wasn't read yet is in the compressed log alone.
  write(30)
  writeFileSync(path.join(files, 'logs/2026-01-01-1.log.gz'), gzipSync(readFileSync(log)))
  rmSync(log)
  write(10)
  await expect.poll(() => linesSent(panel).length, { timeout: 10_000 }).toBe(2590)
  truncateSync(log)
  write(5)
  await expect.poll(() => linesSent(panel).at(-1), { timeout: 10_000 }).toBe(2594)
  // Of the emptied file nothing was lost, but nobody can know that.
  expect(linesSent(panel)).toEqual([...upTo(2590), 'gap', ...upTo(2595).slice(2590)])
})

test.skipIf(NO_SFTP)(
  'the console of an earlier run is continued, also from logs that ended since',
  async () => {
    const panel = await signedIn()
    const { log, files } = panel
    const write = writerOf(panel)
    write(50)
    await panel.call('console.watch', { ...panel.ref, limit: 0 })
    await expect.poll(() => linesSent(panel).length, { timeout: 5000 }).toBe(50)
    const again = await panel.restart()
    for (const [number, count] of [
      [1, 20],
      [2, 30],
    ] as const) {
      write(count)
      renameSync(log, path.join(files, `logs/2026-01-01-${number}.log`))
    }
    write(10)
    const { pieces } = await again.call('console.watch', { ...panel.ref, limit: 10_000 })
    const shown = () => [...numbersIn(pieces), ...linesSent(again)]
    await expect.poll(() => shown().at(-1), { timeout: 10_000 }).toBe(109)
    expect(shown()).toEqual(upTo(110))
  },
)

test.skipIf(NO_SFTP)(
  'a flood arrives whole though the line is cut again and again',
  async () => {
    let line: CuttableLine | null = null
    const panel = await signedIn({
      through: async (port) => (line = await CuttableLine.to('127.0.0.1', port)).port,
    })
    const write = writerOf(panel)
    write(5)
    await panel.call('console.watch', { ...panel.ref, limit: 0 })
    await expect.poll(() => linesSent(panel).length, { timeout: 5000 }).toBe(5)
    for (let cut = 0; cut < 5; cut++) {
      write(2000)
      await expect.poll(() => linesSent(panel).length, { timeout: 15_000 }).toBeGreaterThan(cut * 2500 + 500)
      write(randomInt(100, 400))
      await line!.cut()
      write(100)
      await line!.mend()
    }
    write(1)
    const last = readFileSync(panel.log, 'utf8').split('\n').length - 1
    await expect.poll(() => linesSent(panel).length, { timeout: 20_000 }).toBe(last)
    expect(linesSent(panel)).toEqual(upTo(last))
  },
  60_000,
)

test.skipIf(NO_SFTP)(
  'uploads arrive whole though the line is cut at random',
  async () => {
    let line: CuttableLine | null = null
    const { panel, until, files, folder, ref, seen } = await signedIn({
      through: async (port) => (line = await CuttableLine.to('127.0.0.1', port)).port,
    })
    onTestFinished(() => line?.cut())
    const size = 3 * 1024 * 1024
    let cuts = 0
    for (let round = 0; round < 7; round++) {
      const bytes = randomBytes(size + randomInt(100_000))
      const name = `large-${round}.bin`
      writeFileSync(path.join(folder, name), bytes)
      const from = seen.length
      await panel.upload({
        to: { ...ref, folder: 'new/world' },
        files: [{ file: path.join(folder, name), path: name }],
        folders: [],
      })
      for (let cut = 0; cut < 3; cut++) {
        await line!.cutAfter(randomInt(1, size / 4))
        cuts++
        await line!.mend()
      }
      const isDone = ({ state }: { state: string }) => state === 'done'
      await until('transfers', ({ items }) => items.filter(isDone).length > round, from)
      expect(readFileSync(path.join(files, 'new/world', name)).equals(bytes)).toBe(true)
    }
    expect(cuts).toBe(21)
    expect(readdirSync(path.join(files, 'new/world')).filter((name) => name.endsWith('.part'))).toEqual([])
  },
  120_000,
)

test.skipIf(NO_SFTP)('a canceled upload leaves nothing behind, also if the line was cut', async () => {
  let line: CuttableLine | null = null
  const { panel, call, until, files, folder, ref } = await signedIn({
    through: async (port) => (line = await CuttableLine.to('127.0.0.1', port)).port,
  })
  onTestFinished(() => line?.cut())
  writeFileSync(path.join(folder, 'large.bin'), randomBytes(8 * 1024 * 1024))
  const file = { file: path.join(folder, 'large.bin'), path: 'large.bin' }
  await panel.upload({ to: { ...ref, folder: '' }, files: [file], folders: [] })
  await line!.cutAfter(2 * 1024 * 1024)
  const parts = () =>
    readdirSync(files).filter((name) => name.includes('large.bin') || name.endsWith('.part'))
  expect(parts()).toHaveLength(1)
  const { items } = await until('transfers', () => true)
  await call('transfers.cancel', { transferId: items[0]!.id })
  await line!.mend()
  await expect.poll(parts, { timeout: 10_000 }).toEqual([])
})

test.skipIf(NO_SFTP)(
  'another key of the host is refused with a sentence, until somebody signs in again',
  async () => {
    const { host, at, baseUrl, secret, hostKey, ref, restart } = await signedIn()
    await host.changeHostKey()
    const { call, view } = await restart()
    const list = () => view('files.list', { ...at, query: { path: '' } }, true)
    expect((await list()).problem).toMatchObject({ serviceCode: 'sftp.host-key' })
    const now = await call('connections.host-key', { baseUrl })
    expect(now).toMatch(/^ssh-ed25519 SHA256:[A-Za-z0-9+/]{43}$/)
    expect(now).not.toBe(hostKey)
    const old = call('connections.use-token', { baseUrl, token: sftpToken({ secret, hostKey }) })
    await expect(old).rejects.toMatchObject({ problem: { serviceCode: 'sftp.host-key' } })
    const again = await call('connections.use-token', { baseUrl, token: sftpToken({ secret, hostKey: now }) })
    expect(again.id).toBe(ref.connectionId)
    expect((await list()).problem).toBeNull()
  },
)

test.skipIf(NO_SFTP)('a private key may have a passphrase, and none that is unreadable is sent', async () => {
  const { call, host, folder, baseUrl, hostKey } = await signedIn()
  const file = path.join(folder, 'locked-key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'sesame', '-a', '4', '-f', file])
  await host.accept(readFileSync(`${file}.pub`, 'utf8'))
  const secret = readFileSync(file, 'utf8').replaceAll('\n', ' ')
  const enter = (access: { secret: string; passphrase?: string }) =>
    call('connections.use-token', { baseUrl, token: sftpToken({ ...access, hostKey }) })
  await expect(enter({ secret })).rejects.toMatchObject({ problem: { serviceCode: 'sftp.passphrase' } })
  await expect(enter({ secret, passphrase: 'wrong' })).rejects.toMatchObject({
    problem: { message: 'This is not the passphrase of the private key. Enter it again.' },
  })
  expect(await enter({ secret, passphrase: 'sesame' })).toMatchObject({ kind: 'host' })
  const old = '-----BEGIN RSA PRIVATE KEY----- Proc-Type: 4,ENCRYPTED x -----END RSA PRIVATE KEY-----'
  for (const unreadable of [old, 'PuTTY-User-Key-File-3: ssh-ed25519'])
    await expect(enter({ secret: unreadable })).rejects.toMatchObject({
      problem: { serviceCode: 'sftp.key' },
    })
})

test.skipIf(NO_SFTP)('nothing leads out of the folder, and no secret into a file', async () => {
  const { call, view, at, files, folder, ref, data, token, restart } = await signedIn()
  writeFileSync(path.join(folder, 'outside.txt'), 'not for others')
  symlinkSync(path.join(folder, 'outside.txt'), path.join(files, 'link.txt'))
  symlinkSync(folder, path.join(files, 'out'))
  const { value } = await view('files.list', { ...at, query: { path: '' } }, true)
  expect(value?.items.find(({ name }) => name === 'out')?.kind).toBe('link')
  const problemOf = async (asked: Promise<unknown>) =>
    ((await asked.catch((error: unknown) => error)) as { problem: { serviceCode: string } }).problem
      .serviceCode
  expect(await problemOf(call('files.read-text', { ...ref, path: 'link.txt' }))).toBe('sftp.link-out')
  expect(await problemOf(call('files.read-text', { ...ref, path: 'out/outside.txt' }))).toBe('sftp.link-out')
  expect(await problemOf(call('files.read-text', { ...ref, path: '../outside.txt' }))).toBe('request.invalid')
  const moves = [{ from: 'link.txt', to: 'out/moved.txt' }]
  const { results } = await call('files.move', { ...ref, items: moves, conflict: 'refuse' })
  expect(results).toMatchObject([{ outcome: 'failed' }])
  expect(readdirSync(folder)).not.toContain('moved.txt')
  await restart()
  for (const entry of readdirSync(data, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      expect(readFileSync(path.join(entry.parentPath, entry.name)).includes(token), entry.name).toBe(false)
})

test('an address is recognized as people paste it, without any password', async () => {
  const { call, host } = await signedIn()
  const recognized = (baseUrl: string) => call('connections.recognize', { baseUrl })
  expect(await recognized(' sftp://user.abc123@Node.example.com:2022/ ')).toBe(
    'sftp://user.abc123@node.example.com:2022',
  )
  expect(await recognized(`ann@127.0.0.1:${host.port}`)).toBe(`sftp://ann@127.0.0.1:${host.port}`)
  expect(await recognized(`127.0.0.1:${host.port}`)).toBe(`sftp://127.0.0.1:${host.port}`)
  await expect(recognized('sftp://ann:secret@node.example.com')).rejects.toMatchObject({
    problem: { code: 'bad-address', fields: { baseUrl: [expect.stringContaining('password')] } },
  })
})
