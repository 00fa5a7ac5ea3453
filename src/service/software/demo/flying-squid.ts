import { createRequire } from 'node:module'
import type { EventEmitter } from 'node:events'

/** The parts of flying-squid 1.12 we use. It ships no types. */
export interface SquidPlayer extends EventEmitter {
  id: number
  username: string
  uuid: string
  op: boolean
  disconnected?: boolean
  login(): Promise<void>
  chat(text: string): void
  kick(reason: string): void
  save(): Promise<void>
  _client: EventEmitter & {
    username: string
    uuid: string
    socket?: { remoteAddress?: string; remotePort?: number }
    end(reason: string): void
  }
}

export interface CommandContext {
  player?: SquidPlayer
}

interface CommandParams {
  base: string
  aliases?: string[]
  info: string
  usage: string
  op: boolean
  parse?(text: string): string | false
  action(text: string, context: CommandContext): unknown
}

export interface Squid extends EventEmitter {
  players: SquidPlayer[]
  entities: Record<number, unknown>
  commands: {
    add(params: CommandParams): void
    find(text: string): unknown
    use(text: string): Promise<string | undefined>
    uniqueHash: Record<string, { params: { info?: string; usage?: string } }>
  }
  overworld: SquidWorld
  broadcast(text: string): void
  log(text: string): void
  info(text: string): void
  warn(text: string): void
  err(text: string): void
  _server: EventEmitter & { close(): void }
}

/** By `x,z`. */
type Chunks = Map<string, { chunkX: number; chunkZ: number }>

interface SquidWorld {
  columns: Record<string, unknown>
  savingQueue: Chunks
  unloadQueue: Chunks
  finishedSaving: Promise<unknown>
  storageProvider: { save(x: number, z: number, chunk: unknown): Promise<void> }
  forceUnloadColumn(key: string, x: number, z: number): void
  saveNow(): Promise<void>
  emit(event: 'doneSaving'): boolean
}

interface Readline {
  createInterface: (...args: never[]) => unknown
}

interface Utils {
  onceWithTimeout: (
    emitter: EventEmitter,
    event: string,
    ms?: number,
    check?: () => boolean,
  ) => Promise<unknown>
}

const START_MS = 10 * 60_000

/** flying-squid exits if it hasn't started after five seconds, too little on a busy computer. */
function giveTimeToStart(utils: Utils): void {
  const { onceWithTimeout } = utils
  utils.onceWithTimeout = (emitter, event, ms, check) =>
    onceWithTimeout(emitter, event, event === 'close' ? ms : START_MS, check)
}

/** Disables its own input and prompt (`> `) while it loads; the launcher handles both. */
export function createSquid(options: Record<string, unknown>): Squid {
  const require = createRequire(import.meta.url)
  giveTimeToStart(require('flying-squid/src/lib/utils') as Utils)
  const readline = require('node:readline') as Readline
  const { createInterface } = readline
  readline.createInterface = () => ({ on() {}, setPrompt() {}, prompt() {} })
  try {
    const { createMCServer } = require('flying-squid') as { createMCServer: (options: unknown) => Squid }
    return createMCServer(options)
  } finally {
    readline.createInterface = createInterface
  }
}

/** What a player's first packet asks for. */
const SENT_ON = 3

/** Takes players whom another server sent on, which minecraft-protocol doesn't know. Older versions have none. */
export function takeTransfers({ _server }: Pick<Squid, '_server'>): void {
  _server.on('connection', (client: EventEmitter & { state: string }) =>
    client.once('set_protocol', ({ nextState }: { nextState: number }) => {
      if (nextState === SENT_ON) client.state = 'login'
    }),
  )
}

/** Fixes saving: as shipped, the queue is cleared after writing, so blocks changed meanwhile are lost. */
export function mendSaving(world: SquidWorld): void {
  world.saveNow = async () => {
    const batch = [...world.savingQueue]
    world.savingQueue.clear()
    // Chunks are serialized when saving begins, one save after the other.
    const saves = batch.map(([key, { chunkX, chunkZ }]) => {
      const column = world.columns[key]
      return column === undefined ? undefined : world.storageProvider.save(chunkX, chunkZ, column)
    })
    world.finishedSaving = Promise.all([world.finishedSaving, ...saves])
    await world.finishedSaving
    for (const [key, { chunkX, chunkZ }] of [...world.unloadQueue])
      if (!world.savingQueue.has(key)) world.forceUnloadColumn(key, chunkX, chunkZ)
    world.emit('doneSaving')
  }
}
