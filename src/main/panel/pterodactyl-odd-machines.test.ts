import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { error } from '../../../tests/doubles/hosts/pterodactyl/routes.ts'
import { Wings } from '../../../tests/doubles/hosts/pterodactyl/wings.ts'
import { linesSent, type SignedIn, signedIn, upTo, writerOf } from './pterodactyl.fixture.ts'

const MIB = 1024 * 1024
/** The console is tried again after ever longer waits. */
const AGAIN = { timeout: 15_000 }

/** What a person reads of the server and in its console. */
function shownBy({ seen, view, at }: SignedIn) {
  return {
    inConsole: () => JSON.stringify(seen.filter(({ event }) => event === 'console')),
    status: async () => (await view('servers.status', at)).value?.status,
  }
}

/** A panel whose console is open and has five lines. */
async function watching() {
  const panel = await signedIn()
  const write = writerOf(panel)
  write(5)
  await panel.call('console.watch', { ...panel.ref, limit: 0 })
  await expect.poll(() => linesSent(panel).length).toBe(5)
  await expect.poll(() => panel.host.wings.lines.size).toBe(1)
  return { ...panel, ...shownBy(panel), write }
}

const uploaded = async ({ panel, until, ref }: SignedIn, file: string) => {
  const files = [{ file, path: path.basename(file) }]
  await panel.upload({ to: { ...ref, folder: '' }, files, folders: [] })
  const { items } = await until('transfers', ({ items: all }) => all.some(({ endedAt }) => endedAt !== null))
  return items[0]!
}

const NO_LOGS = 'You do not have permission to view server transfer logs.'

test.each([
  ['is busy', 'being transferred to a new machine'],
  ['gives no token', NO_LOGS],
])(
  'a server that is moved is followed to its new machine, each line once; its panel %s',
  async (how, said) => {
    const panel = await watching()
    const { host, server, status, inConsole, write } = panel
    const next = await Wings.open()
    Object.assign(next, { panel: host, origin: host.address })
    const old = host.wings
    onTestFinished(() => old.close())
    old.tell(server.uuid, 'transfer status', 'processing')
    await expect.poll(status).toEqual({ kind: 'unknown', raw: 'transferring' })
    if (how === 'is busy') server.isTransferring = true
    else
      host.instead = ({ url }) =>
        url?.endsWith('/websocket') ? error(403, 'HttpForbiddenException', NO_LOGS) : null
    host.wings = next
    old.tell(server.uuid, 'transfer status', 'completed')
    await expect.poll(inConsole, AGAIN).toContain(said)
    write(3)
    server.isTransferring = false
    host.instead = null
    await expect.poll(() => next.lines.size, AGAIN).toBe(1)
    await expect.poll(status).toBe('online')
    write(3)
    await expect.poll(() => linesSent(panel).filter((line) => !Number.isNaN(line)), AGAIN).toEqual(upTo(11))
    expect(old.lines.size).toBe(0)
  },
)

test('a machine that a server has left, and that keeps the connection, gets no token of the other one', async () => {
  const { host, server, write } = await watching()
  const old = host.wings
  const next = await Wings.open()
  Object.assign(next, { panel: host, origin: host.address })
  onTestFinished(() => old.close())
  host.wings = next
  old.tell(server.uuid, 'token expiring')
  await expect.poll(() => next.lines.size, AGAIN).toBe(1)
  expect(old.lines.size).toBe(0)
  write(1)
})

test('a token that ends in a flood is renewed, and each line comes once', async () => {
  const panel = await watching()
  const { host, write } = panel
  const [line] = host.wings.lines
  for (let at = 0; at < 20; at++) {
    write(100)
    if (at === 8) line!.until = 0
    await new Promise((resolve) => setImmediate(resolve))
  }
  await expect.poll(() => linesSent(panel).at(-1), AGAIN).toBe(2004)
  expect(linesSent(panel)).toEqual(upTo(2005))
  expect(host.wings.lines).toEqual(new Set([line]))
})

test('a suspended server says so in its status and its console, and goes on when that has ended', async () => {
  const { host, server, status, inConsole } = await watching()
  server.suspended = true
  for (const { socket } of host.wings.lines) socket.close(4409, 'server is suspended')
  await expect.poll(status).toEqual({ kind: 'unknown', raw: 'suspended' })
  await expect.poll(inConsole, AGAIN).toContain('This server is currently suspended')
  server.suspended = false
  await expect.poll(() => host.wings.lines.size, AGAIN).toBe(1)
  await expect.poll(status).toBe('online')
})

test('a machine that takes no more sockets is named in the console, which has the log until there is one', async () => {
  const panel = await signedIn()
  const { host, server, call, ref } = panel
  const { socket } = host.wings.token(server.uuid)
  const others = Array.from({ length: 30 }, () => new WebSocket(socket, { origin: host.address }))
  await expect.poll(() => host.wings.lines.size).toBe(30)
  writerOf(panel)(5)
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => linesSent(panel).slice(0, 5)).toEqual(upTo(5))
  await expect.poll(shownBy(panel).inConsole).toContain('Too many consoles of this server are open')
  for (const other of others) other.close()
  await expect.poll(() => host.wings.lines.size).toBe(0)
  await expect.poll(() => host.wings.lines.size, AGAIN).toBe(1)
})

test('a machine is asked for its own log no oftener than it answers', async () => {
  const panel = await signedIn()
  const { host, server, call, ref } = panel
  const print = (from: number, to: number) =>
    upTo(to)
      .slice(from)
      .map((line) => `[12:00:00 INFO]: line ${line}`)
  host.wings.print(server.uuid, ...print(0, 5))
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => linesSent(panel).length, AGAIN).toBe(5)
  // Lines that only the machine's log has.
  for (let at = 0; at < 3; at++) {
    host.wings.written.get(server.uuid)!.push(...print(5 + at, 6 + at))
    host.wings.tell(server.uuid, 'console output', 'Server is outputting console data too quickly')
    await new Promise((resolve) => setImmediate(resolve))
  }
  const numbers = () => linesSent(panel).filter((line) => !Number.isNaN(line))
  await expect.poll(numbers, AGAIN).toEqual(upTo(8))
  expect(host.wings.dropped).toEqual([])
})

test('a signed address is used once, also after an upload broke off', async () => {
  const panel = await signedIn()
  const { host, folder, files } = panel
  await host.sftp.close()
  const bytes = randomBytes(3 * MIB)
  const file = path.join(folder, 'large.bin')
  writeFileSync(file, bytes)
  host.wings.cutAfter = MIB
  expect(await uploaded(panel, file)).toMatchObject({ state: 'done', filesDone: 1 })
  expect(readFileSync(path.join(files, 'large.bin')).equals(bytes)).toBe(true)
  expect(host.seen.filter(({ path: at }) => at.endsWith('/files/upload'))).toHaveLength(2)
  // One that is larger than the panel opens as text comes by such an address too.
  writeFileSync(path.join(files, 'large.log'), 'x'.repeat(5 * MIB))
  for (let time = 0; time < 2; time++)
    await panel.call('files.read-text', { ...panel.ref, path: 'large.log' }).catch(() => undefined)
  expect(host.seen.filter(({ path: at }) => at.includes('/files/download')).length).toBeGreaterThan(1)
  expect(host.wings.faults).toEqual([])
})

test('a file of 101 MB is refused with the limit of 100 MB where there is no SFTP', async () => {
  const panel = await signedIn()
  await panel.host.sftp.close()
  const file = path.join(panel.folder, 'large.bin')
  writeFileSync(file, '')
  truncateSync(file, 101 * MIB)
  const transfer = await uploaded(panel, file)
  expect(transfer).toMatchObject({ filesDone: 0, filesFailed: 1 })
  const asked = { transferId: transfer.id, only: 'failed', offset: 0, limit: 10 } as const
  expect((await panel.call('transfers.items', asked)).items[0]?.problem?.message).toBe(
    'This host takes files of up to 100 MB this way, and there was no way in over SFTP. If its machine takes no SSH keys, enter your password under Files over SFTP in your account here; otherwise make the file smaller.',
  )
})

test('a server that its panel calls by another kind of name is reached everywhere by its id', async () => {
  const panel = await signedIn()
  const { host, server, folder, files, view, at } = panel
  server.identifier = 'serv_01jg8xk2m4n6p8q0r2s4t6v8wx'
  const file = path.join(folder, 'large.bin')
  writeFileSync(file, randomBytes(2 * MIB))
  mkdirSync(path.join(files, 'world'))
  expect(await uploaded(panel, file)).toMatchObject({ state: 'done' })
  expect(host.sftp.entered).toEqual([`steve.${server.uuid.slice(0, 8)}`])
  expect((await view('files.list', { ...at, query: { path: '' } }, true)).value?.items).toMatchObject([
    { name: 'large.bin' },
    { name: 'world' },
  ])
  expect(host.seen.filter(({ path: asked }) => asked.includes('serv_'))).toEqual([])
})
