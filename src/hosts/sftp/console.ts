import { setTimeout as wait } from 'node:timers/promises'
import { linesOf } from '../../contract/messages/one-line.ts'
import { type HostEvent, hostRefusal } from '../base/adapter.ts'
import { EventQueue } from '../base/event-queue.ts'
import { followLines } from '../console/follow-lines.ts'
import type { LineLog } from '../console/line-log.ts'
import { type GameServer, SERVER_ID } from './game-server.ts'
import type { Caller } from './link.ts'
import type { LogTail } from './log-tail.ts'
import type { Rcon } from './rcon.ts'

/** Windows come and go: a tail goes on for so long, ms. */
const LINGER_MS = 30_000
const PULSE_MS = 5000

/** The console of the server, followed while somebody looks. */
export class SftpConsole {
  readonly #begin: (key: string) => LogTail
  #tail: LogTail | null = null
  #users = 0
  #ending: NodeJS.Timeout | null = null

  constructor(begin: (key: string) => LogTail) {
    this.#begin = begin
  }

  /** The caller releases it. */
  hold(key: string): { lines: Promise<LineLog>; release: () => void } {
    this.#tail ??= this.#begin(key)
    this.#users++
    if (this.#ending) clearTimeout(this.#ending)
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      if (--this.#users === 0) this.#ending = setTimeout(() => this.close(), LINGER_MS).unref()
    }
    return { lines: this.#tail.lines(), release }
  }

  close(): void {
    if (this.#ending) clearTimeout(this.#ending)
    this.#tail?.close()
    this.#tail = null
  }
}

/** The status, and the lines if `hasLines`, after the line `after`. */
export function sftpEvents(
  { hasLines, after }: { hasLines: boolean; after: string | null },
  caller: Caller,
  { server, console }: { server: GameServer; console: SftpConsole },
): AsyncIterable<HostEvent> {
  const ends: (() => void)[] = []
  const out = new EventQueue(() => ends.forEach((end) => end()))
  if (hasLines) {
    const { lines, release } = console.hold(caller.key)
    ends.push(release, followLines(SERVER_ID, lines, after ?? undefined, out))
  }
  void watchPulse((event) => out.emit(event), caller, server)
  return out.events
}

async function watchPulse(
  emit: (event: HostEvent) => void,
  caller: Caller,
  server: GameServer,
): Promise<void> {
  let told = ''
  while (!caller.signal.aborted) {
    // A failure is told by the reads of the views.
    const status = await server.status(caller).catch(() => null)
    if (status && JSON.stringify(status) !== told) {
      told = JSON.stringify(status)
      emit({ event: 'status', data: { serverId: SERVER_ID, status } })
    }
    await wait(PULSE_MS, undefined, { signal: caller.signal, ref: false }).catch(() => undefined)
  }
}

/** The game's reply becomes lines of the console. */
export async function sendCommand(
  command: string,
  caller: Caller,
  { rcon, server, console }: CommandRooms,
): Promise<string[]> {
  const access = await server.rconAccess(caller)
  if (!access) throw hostRefusal(409, 'sftp.no-rcon')
  const reply = await rcon.send(command, access, caller)
  const replied = linesOf(reply).filter((line) => line !== '')
  const { lines, release } = console.hold(caller.key)
  void lines
    .then((log) => {
      log.add([`> ${command}`, ...replied])
    })
    .catch(() => undefined)
    .finally(release)
  return replied
}

export interface CommandRooms {
  rcon: Rcon
  server: GameServer
  console: SftpConsole
}
