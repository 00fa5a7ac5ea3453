import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import path from 'node:path'
import pino from 'pino'
import { onTestFinished } from 'vitest'
import { findFreePort } from '../../base/free-port.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { openStore } from '../../store/store.ts'
import type { BackupRow } from '../../store/backups.ts'
import { systemClock } from '../../base/clock.ts'
import { folderSource, quiet } from '../store-contract.fixture.ts'
import { ResticEngine } from '../restic/restic-engine.ts'
import { Works } from '../works.ts'
import { Copies } from './copies.ts'
import { Targets } from './targets.ts'

const programIn = (...places: string[]) => places.find((place) => existsSync(place)) ?? null
export const sshd = programIn('/usr/sbin/sshd', '/usr/local/sbin/sshd')
export const rclone = programIn('/usr/bin/rclone', '/usr/local/bin/rclone', '/opt/homebrew/bin/rclone')
export const isRoot = process.getuid?.() === 0

/** A service's targets, and one server whose backups restic keeps. */
export async function openTargets(name = 'Mine') {
  const dataDir = await temporaryFolder()
  const store = await openStore(path.join(dataDir, 'service.db'), { clock: systemClock })
  onTestFinished(() => store.close())
  const [serverId, ownerId] = [randomUUID(), randomUUID()]
  store.accounts.insert({
    ...{ id: ownerId, name: 'Me', email: `${ownerId}@example.org`, passwordHash: '' },
    ...{ confirmedAt: 1, createdAt: 1 },
  })
  store.servers.insert({
    ...{ id: serverId, ownerId, name, softwareId: 'paper', softwareVersion: '1.20.4', memoryMb: 1024 },
    ...{ port: 25565, createdAt: 1 },
  })
  const log = pino({ enabled: false })
  const engine = new ResticEngine({
    dataDir,
    backupsOf: (id) => path.join(dataDir, 'backups', id),
    downloads: null,
  })
  await engine.require(new AbortController().signal)
  const targets = new Targets({ store, engine, clock: systemClock, folder: path.join(dataDir, 'targets') })
  const works = new Works(() => undefined)
  const failed: string[] = []
  const copies = new Copies({
    ...{ store, targets, engine, works, log, clock: systemClock },
    runtime: { say: () => undefined },
    tell: () => undefined,
    failed: (_serverId, target) => failed.push(target),
  })
  const folder = path.join(dataDir, 'servers', serverId)
  await mkdir(path.join(folder, 'world'), { recursive: true })
  const software = { id: 'paper', version: '1.20.4', installed: null, pack: null }
  return {
    ...{ dataDir, store, engine, targets, works, copies, failed, serverId, folder },
    async backUp(text: string): Promise<string> {
      const id = randomUUID()
      await writeFile(path.join(folder, 'world', 'level.dat'), text)
      const about = { server: { id: serverId, name, memoryMb: 1024, acceptsLicense: true }, software }
      const saved = await engine.store!(serverId).save(id, { ...folderSource(folder), about }, quiet())
      store.backups.put({
        ...({ id, serverId, engine: 'restic', name: null, cause: 'manual', change: null } as const),
        ...({ state: 'done', createdAt: Date.now(), locked: false, unpaused: false } as const),
        ...{ bytes: saved.bytes, addedBytes: saved.addedBytes, files: saved.files },
        ...{ tried: null, missing: [], missingCount: 0, software, error: null },
      } satisfies BackupRow)
      return id
    },
    choose(...ids: string[]) {
      store.backups.set(serverId, { engine: 'restic', keep: null, exclude: [], targets: ids })
    },
    copied: () => copies.begin(serverId),
  }
}

const freePort = async (): Promise<number> =>
  (await findFreePort('127.0.0.1', new Set(), 20_000 + Math.floor(Math.random() * 20_000)))!

async function listening(child: ChildProcess, port: number): Promise<void> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('it ended')
  })
  ended.catch(() => undefined)
  for (;;) {
    const socket = createConnection(port, '127.0.0.1')
    const isUp = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      ended,
    ])
    socket.destroy()
    if (isUp) return
  }
}

export interface SftpServer {
  port: number
  folder: string
  /** A line of `authorized_keys`. */
  accept(publicKey: string): Promise<void>
  /** Another key, as of another computer. */
  changeHostKey(): Promise<void>
  /** Nobody gets through any more, once so many more bytes were sent. */
  closeAfter(bytes: number): Promise<void>
  open(): Promise<void>
}

/** Debian's sshd on loopback; it wants to be root to serve root. */
export async function openSftp(): Promise<SftpServer> {
  const at = await temporaryFolder()
  const folder = path.join(at, 'kept here')
  await mkdir(folder)
  await mkdir('/run/sshd', { recursive: true })
  const port = await freePort()
  const [hostKey, accepted, config] = ['host-key', 'accepted', 'config'].map((name) => path.join(at, name))
  const makeKey = () =>
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKey!], { input: 'y\n' })
  makeKey()
  await writeFile(accepted!, '', { mode: 0o600 })
  await writeFile(
    config!,
    `Port ${port}\nListenAddress 127.0.0.1\nHostKey ${hostKey}\nAuthorizedKeysFile ${accepted}\nStrictModes no\nUsePAM no
PasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin yes\nPidFile none\nSubsystem sftp internal-sftp\n`,
  )
  const start = async () => {
    const child = spawn(sshd!, ['-D', '-e', '-f', config!], { stdio: 'ignore' })
    await listening(child, port)
    return child
  }
  let child = await start()
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(stop)
  const gate = await openGate(port)
  return {
    ...{ ...gate, folder },
    accept: (publicKey) => appendFile(accepted!, `${publicKey}\n`),
    async changeHostKey() {
      await stop()
      makeKey()
      child = await start()
    },
  }
}

/** Stands before a port, and can cut everybody off at a byte. */
async function openGate(to: number): Promise<Pick<SftpServer, 'port' | 'closeAfter' | 'open'>> {
  const sockets = new Set<Socket>()
  let left = Infinity
  let closed = () => undefined as void
  const server = createServer((from) => {
    const on = createConnection(to, '127.0.0.1')
    for (const socket of [from, on]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    on.pipe(from)
    from.on('end', () => on.end())
    from.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) close()
      else on.write(chunk)
    })
  })
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    closed()
  }
  const port = await freePort()
  const open = async () => {
    left = Infinity
    await once(server.listen(port, '127.0.0.1'), 'listening')
  }
  await open()
  onTestFinished(() => void (server.listening && close()))
  return {
    ...{ port, open },
    async closeAfter(bytes) {
      const ended = new Promise<void>((resolve) => (closed = resolve))
      left = bytes
      if (bytes === 0) close()
      await ended
    },
  }
}

/** `rclone serve restic` on loopback, with a user and a password. */
export async function openRest(user: string, password: string): Promise<{ url: string; folder: string }> {
  const folder = await temporaryFolder()
  const port = await freePort()
  const child = spawn(rclone!, ['serve', 'restic', folder, '--addr', `127.0.0.1:${port}`], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], HOME: folder, RCLONE_USER: user, RCLONE_PASS: password },
  })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  await listening(child, port)
  return { url: `http://127.0.0.1:${port}/`, folder }
}
