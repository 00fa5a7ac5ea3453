import { opendir } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import type { Logger } from 'pino'
import type { ServerFiles } from '../../files/server-files.ts'
import { Yielder } from '../../base/yield.ts'
import { Refusal } from '../../base/refusal.ts'
import { LineSplitter } from '../../runtime/processes/line-splitter.ts'
import type { Runtime } from '../../runtime/types.ts'
import type { Store } from '../../store/store.ts'
import { LogReader, type LoggedSessions } from '../../worlds/logs/log-sessions.ts'
import { dayOfName } from '../../worlds/logs/log-times.ts'
import { asUuid } from '../../worlds/player-uuid.ts'
import { markOf } from '../../worlds/world-file.ts'

const FOLDER = 'logs'
/** The log that is being written. */
const LATEST = 'latest.log'
/** Names of the folder that are looked at, and the newest logs of which are read. */
const NAMES_MOST = 20_000
const LOGS_MOST = 400
/** Bytes of one log, unpacked: of a larger one what stands first is read. */
const LOG_BYTES = 64 * 1024 * 1024
/** How long one reading may take, in ms: the next one goes on where it ended. */
const READ_MS = 3000
/** Rows written in one step. */
const ROWS = 500

export interface LogImportPorts {
  store: Pick<Store, 'players' | 'inOneStep'>
  runtime: Pick<Runtime, 'isDown'>
  log: Logger
}

/** Takes sessions out of a server's own logs: of the time before this service ran it, or while something else did. */
export class LogImport {
  readonly #ports: LogImportPorts
  readonly #reading = new Map<string, Promise<void>>()

  constructor(ports: LogImportPorts) {
    this.#ports = ports
  }

  /** Reads what was not read yet. Those who ask at the same time wait for the same reading. Damaged logs are passed over. */
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
    // What is gone is forgotten, so that there is room to remember the new ones.
    for (const name of read.keys()) if (!names.includes(name)) store.players.forgetLog(serverId, name)
    for (const name of names) {
      if (performance.now() > until) return
      // While it is written the console tells the same.
      if (name === LATEST && !runtime.isDown(serverId)) continue
      try {
        const found = await readLog(files, name, read.get(name))
        if (found) await this.#keep(serverId, name, found)
      } catch (error) {
        // It went meanwhile, leads out of the folder, or its disk fails.
        log.debug({ err: error, serverId, name }, 'a log of a server could not be read')
      }
    }
  }

  async #keep(serverId: string, name: string, { mark, sessions, known }: Found): Promise<void> {
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

type Found = LoggedSessions & { mark: string }

/** Names of the newest logs, the oldest of them first. */
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

/** Null where it is not there, or was read before. */
async function readLog(files: ServerFiles, name: string, known: string | undefined): Promise<Found | null> {
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
  // A fault of the file ends what is read of it.
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
    // Of a log that was cut off or is damaged what came before counts.
  } finally {
    bytes.destroy()
  }
  return { ...reader.end(), mark }
}
