import { createRequire } from 'node:module'
import type { EventEmitter } from 'node:events'

/** As much of flying-squid 1.12 as the launcher touches. It ships no types. */
export interface SquidPlayer extends EventEmitter {
  id: number
  username: string
  uuid: string
  op: boolean
  /** Gone, or never let in. */
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

/** A chunk's place, by the key `x,z`. */
type Chunks = Map<string, { chunkX: number; chunkZ: number }>

/** As much of prismarine-world as saving takes. */
export interface SquidWorld {
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

/** How long it may take to start, in milliseconds. */
const START_MS = 10 * 60_000

/** flying-squid ends where it has not started after five seconds, which a busy computer needs for less. */
function giveTimeToStart(utils: Utils): void {
  const { onceWithTimeout } = utils
  utils.onceWithTimeout = (emitter, event, ms, check) =>
    onceWithTimeout(emitter, event, event === 'close' ? ms : START_MS, check)
}

/**
 * Makes a server. Its own reading of the input and its prompts (`> `) are kept away while it loads: input and output
 * belong to the launcher.
 */
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

/**
 * Saves so that nothing is forgotten. As shipped, the queue is emptied after the chunks were written: a block that is
 * changed meanwhile is taken off the queue unsaved, and was gone after a restart.
 */
export function mendSaving(world: SquidWorld): void {
  world.saveNow = async () => {
    const batch = [...world.savingQueue]
    world.savingQueue.clear()
    // A chunk is read out when its saving begins; each save waits for the one before.
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
