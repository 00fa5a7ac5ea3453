import type { z } from 'zod'
import type { FileEntry } from '../../contract/areas/values/file-values.ts'
import type { HostBytes } from '../base/adapter.ts'
import { HostRefusal } from '../base/adapter.ts'
import type { FileResult } from '../base/file-results.ts'

/** The files of one server as its host gives them. Paths are in the contract's form. Throws `HostRefusal`. */
export interface RemoteFolder {
  list(path: string): Promise<z.input<typeof FileEntry>[]>
  read(path: string): Promise<HostBytes>
  /** Exactly these bytes, `to` exclusive. Null: the host gives files only whole. */
  readPart(path: string, from: number, to: number): Promise<Buffer | null>
  /** Its folder is there. Refuses if something is at the path. */
  upload(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  makeFolder(path: string): Promise<unknown>
  /** Refuses if something is at `to`. */
  move(from: string, to: string): Promise<FileResult>
  remove(path: string): Promise<FileResult>
}

/** The result of one item, or its refusal. */
export function requireDone({ outcome, error }: FileResult): void {
  if (outcome === 'done' || !error) return
  const { message, sentence, values } = error
  throw new HostRefusal(409, sentence && values ? ({ message, sentence, values } as never) : (message ?? ''))
}

/** Empty if there is no such folder. */
export async function entriesOf(folder: RemoteFolder, path: string): ReturnType<RemoteFolder['list']> {
  try {
    return await folder.list(path)
  } catch (error) {
    if (error instanceof HostRefusal && error.status === 404) return []
    throw error
  }
}

/** What tells one run of a server from the next. */
export const LOG_HEAD = { path: 'logs/latest.log', bytes: 500 }

/** The first bytes of a file as text; empty if there is none. */
export async function headOf(folder: RemoteFolder, path: string, most: number): Promise<string> {
  try {
    const { stream } = await folder.read(path)
    const pieces: Buffer[] = []
    let held = 0
    // Leaving the loop ends the stream.
    for await (const piece of stream as AsyncIterable<Buffer>) {
      pieces.push(piece)
      if ((held += piece.length) >= most) break
    }
    return Buffer.concat(pieces).toString('utf8', 0, most)
  } catch (error) {
    if (error instanceof HostRefusal && [400, 404, 409].includes(error.status)) return ''
    throw error
  }
}
