import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pino from 'pino'
import { onTestFinished } from 'vitest'
import { CuttableLine } from '../../../../tests/fixtures/cuttable-line.ts'
import { ownPort } from '../../../../tests/fixtures/game-ports.ts'
import { isListening, type SftpServer, startSftp } from '../../../../tests/fixtures/sftp-server.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { openStore } from '../../store/store.ts'
import type { BackupRow } from '../../store/backups.ts'
import { systemClock } from '../../base/clock.ts'
import { folderSource, quiet } from '../store-contract.fixture.ts'
import { ResticEngine } from '../restic/restic-engine.ts'
import { Works } from '../works.ts'
import { TargetCopies } from './target-copies.ts'
import { Targets } from './targets.ts'

const programIn = (...places: string[]) => places.find((place) => existsSync(place)) ?? null
export const rclone = programIn('/usr/bin/rclone', '/usr/local/bin/rclone', '/opt/homebrew/bin/rclone')

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
  const copies = new TargetCopies({
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

/** A real sshd behind a line that can be cut; its port is the line's. */
export async function openSftp(): Promise<SftpServer & { line: CuttableLine }> {
  const sftp = await startSftp(await temporaryFolder())
  onTestFinished(() => sftp.close())
  const line = await CuttableLine.to('127.0.0.1', sftp.port)
  onTestFinished(() => line.cut())
  return { ...sftp, port: line.port, line }
}

/** `rclone serve restic` on loopback, with a user and a password. */
export async function openRest(user: string, password: string): Promise<{ url: string; folder: string }> {
  const folder = await temporaryFolder()
  const port = ownPort()
  const child = spawn(rclone!, ['serve', 'restic', folder, '--addr', `127.0.0.1:${port}`], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], HOME: folder, RCLONE_USER: user, RCLONE_PASS: password },
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  while (!(await isListening(port)) && child.exitCode === null);
  if (child.exitCode !== null) throw new Error(`rclone ended with ${child.exitCode}.`)
  return { url: `http://127.0.0.1:${port}/`, folder }
}
