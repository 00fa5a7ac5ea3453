import { Readable } from 'node:stream'
import { type HostBytes, HostRefusal, hostRefusal } from '../base/adapter.ts'
import { type Caller, collect } from '../base/body.ts'

/** Exists, but is larger than allowed, or is no file. */
export const UNUSABLE = Symbol('unusable')

/** What a game keeps in the folder of its server. Paths in the contract's form. */
export interface GameFiles {
  /** Null if there is none. `most`: bytes. */
  read(path: string, most: number, caller: Caller): Promise<Buffer | typeof UNUSABLE | null>
  write(path: string, bytes: Buffer, caller: Caller): Promise<void>
}

/** Of a host that sends and takes whole files. */
export const wholeFiles = (
  read: (path: string, caller: Caller) => Promise<HostBytes>,
  write: (path: string, content: Readable, caller: Caller) => Promise<unknown>,
): GameFiles => ({
  async read(path, most, caller) {
    try {
      return await collect((await read(path, caller)).stream, most)
    } catch (error) {
      if (!(error instanceof HostRefusal)) throw error
      if (error.status === 404) return null
      if (error.told?.sentence === 'host.too-long') return UNUSABLE
      throw error
    }
  },
  async write(path, bytes, caller) {
    await write(path, Readable.from([bytes]), caller)
  },
})

const TRIES = 3

interface GameText {
  path: string
  most: number
  /** Why it can't be changed where it is unusable. */
  damaged: () => HostRefusal
}

/** Changes a file unless somebody else does so meanwhile. `change` gets null without a file, and returns null for no change. */
export async function changeFile(
  files: GameFiles,
  { path, most, damaged }: GameText,
  change: (bytes: Buffer | null) => Buffer | null,
  caller: Caller,
): Promise<void> {
  const read = async () => {
    const bytes = await files.read(path, most, caller)
    if (bytes === UNUSABLE) throw damaged()
    return bytes
  }
  let before = await read()
  for (let tries = 0; tries < TRIES; tries++) {
    const next = change(before)
    if (!next) return
    if (next.length > most) throw damaged()
    const now = await read()
    if (isSame(before, now)) return files.write(path, next, caller)
    before = now
  }
  throw hostRefusal(409, 'host.file-changing', { file: path })
}

const isSame = (one: Buffer | null, other: Buffer | null): boolean =>
  one === null || other === null ? one === other : one.equals(other)
