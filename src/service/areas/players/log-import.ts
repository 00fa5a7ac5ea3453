import { opendir } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import type { Logger } from 'pino'
import type { ServerFiles } from '../../files/server-files.ts'
import { Yielder } from '../../../host/yield.ts'
import { Refusal } from '../../../host/refusal.ts'
import { LineSplitter } from '../../runtime/programs/line-splitter.ts'
import type { Runtime } from '../../runtime/types.ts'
import type { Store } from '../../store/store.ts'
import { LogReader, type LoggedSessions } from '../../worlds/logs/log-sessions.ts'
import { dayOfName } from '../../worlds/logs/log-times.ts'
import { asUuid } from '../../../contract/rules/game/player-uuid.ts'
import { markOf } from '../../worlds/world-file.ts'

const FOLDER = 'logs'
const LATEST = 'latest.log'
const NAMES_MOST = 20_000
const LOGS_MOST = 400
/** Unpacked bytes per log; the rest is ignored. */
const LOG_BYTES = 64 * 1024 * 1024
/** Time per reading in ms; the next one continues. */
const READ_MS = 3000
const ROWS = 500

interface LogImportPorts {
  store: Pick<Store, 'players' | 'inOneStep'>
  runtime: Pick<Runtime, 'isDown'>
  log: Logger
}

/** Imports sessions from the server's logs, for times when this service did not run it. */
export class LogImport {
  readonly #ports: LogImportPorts
  readonly #reading = new Map<string, Promise<void>>()

  constructor(ports: LogImportPorts) {
    this.#ports = ports
  }

  /** Reads new logs; parallel callers share one reading. Damaged logs are skipped. */
  read(serverId: string, files: ServerFiles): Promise<void> {
    let reading = this.#reading.get(serverId)
    if (!reading) {
      reading = this.#read(serverId, files).finally(() => this.#reading.delete(serverId))
      this.#reading.set(serverId, reading)
    }
    return reading
  }

  async #read(serverId: string, files: ServerFiles): Promise<void> {
    const { store, runtime, log } = this.#ports
    const until = performance.now() + READ_MS
    const read = store.players.logs(serverId)
    const names = await logsIn(files)
    for (const name of read.keys()) if (!names.includes(name)) store.players.forgetLog(serverId, name)
    for (const name of names) {
      if (performance.now() > until) return
      // The console reports the same while the server runs.
      if (name === LATEST && !runtime.isDown(serverId)) continue
      try {
        const found = await readLog(files, name, read.get(name))
        if (found) await this.#keep(serverId, name, found)
      } catch (error) {
        log.debug({ err: error, serverId, name }, 'a log of a server could not be read')
      }
    }
  }

  async #keep(serverId: string, name: string, { mark, sessions, known }: LogScan): Promise<void> {
    const { store } = this.#ports
    const { players } = store
    const writes = [
      ...known.map((one) => () => {
        const uuid = asUuid(one.uuid)
        if (uuid !== null) players.seen(serverId, one.name, uuid, one.at)
      }),
      ...sessions.map((one) => () => {
        players.fromLog(serverId, one.name, one.joinedAt, one.leftAt)
        players.seen(serverId, one.name, null, one.joinedAt)
        players.seen(serverId, one.name, null, one.leftAt)
      }),
    ]
    const yielder = new Yielder()
    for (let at = 0; at < writes.length; at += ROWS) {
      await yielder.next()
      store.inOneStep(() => writes.slice(at, at + ROWS).forEach((write) => write()))
    }
    store.inOneStep(() => {
      players.trimSessions(serverId)
      players.trimSeen(serverId)
      players.logRead(serverId, name, mark)
    })
  }
}

type LogScan = LoggedSessions & { mark: string }

async function logsIn(files: ServerFiles): Promise<string[]> {
  const names: string[] = []
  try {
    using folder = files.open(FOLDER)
    let looked = 0
    for await (const { name } of await opendir(folder.itself)) {
      if (++looked > NAMES_MOST) break
      if (dayOfName(name)) names.push(name)
    }
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
  const numberOf = (name: string) => Number(/-(\d+)\.log/.exec(name)?.[1])
  names.sort((a, b) => a.slice(0, 10).localeCompare(b.slice(0, 10)) || numberOf(a) - numberOf(b))
  return [...names.slice(-LOGS_MOST), LATEST]
}

/** Null if missing or read before. */
async function readLog(files: ServerFiles, name: string, known: string | undefined): Promise<LogScan | null> {
  const file = await files.openRead(`${FOLDER}/${name}`).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
  if (!file) return null
  await using handle = file.handle
  const mark = markOf(file)
  if (mark === known) return null
  const reader = new LogReader(name, Number(file.stat.mtimeMs))
  const splitter = new LineSplitter()
  const yielder = new Yielder()
  const bytes = handle.createReadStream({ autoClose: false, start: 0 })
  const stream = name.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes
  bytes.on('error', (error) => stream.destroy(error))
  let taken = 0
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      await yielder.next()
      for (const line of splitter.push(piece)) reader.take(line)
      taken += piece.length
      if (taken > LOG_BYTES) break
    }
  } catch {
    // Keep what was read of a truncated or damaged log.
  } finally {
    bytes.destroy()
  }
  return { ...reader.end(), mark }
}
