import { createWriteStream } from 'node:fs'
import { open, utimes } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type PanelProblem, problem } from '../api/problem.ts'
import type { Coming } from './coming.ts'
import { nameOf } from './move.ts'
import type { ItemRow } from './store/rows.ts'

/** Largest file of several in one request, in bytes: each of them is held until it is written. */
const HELD_MOST = 8 * 1024 * 1024
/** Files being written while the next are read. */
const AT_ONCE = 8

/** Where the bytes of an item go. */
export interface Place {
  item: ItemRow
  path: string
}

/** Writes a body that is one file; `coming` follows what is written. Throws `changed` where it is shorter or longer. */
export async function receiveOne(
  body: Readable,
  { item, path }: Place,
  coming: Coming,
  signal: AbortSignal,
): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600, highWaterMark: 1024 * 1024 })
  let size = 0
  const counted = async function* () {
    for await (const chunk of chunksOf(body)) {
      size += chunk.length
      if (size > item.size) throw differs(item)
      coming.grew(file.bytesWritten)
      yield chunk
    }
  }
  await pipeline(counted, file, { signal })
  if (size < item.size) throw differs(item)
  await utimes(path, ...timesOf(item))
  coming.grew(size)
}

/** Writes a body that is several small files, one after the other. Throws `changed` where it is shorter or longer. */
export async function receiveMany(
  body: Readable,
  places: readonly Place[],
  signal: AbortSignal,
): Promise<void> {
  const chunks = chunksOf(body)
  let rest: Buffer = Buffer.alloc(0)
  const writing = new Set<Promise<void>>()
  const faults: unknown[] = []
  try {
    for (const { item, path } of places) {
      if (item.size > HELD_MOST) throw problem('invalid', 'Files of this size come one in a request.')
      const parts: Buffer[] = []
      for (let left = item.size; left > 0;) {
        signal.throwIfAborted()
        if (rest.length === 0) {
          const next = await chunks.next()
          if (next.done) throw differs(item)
          rest = next.value
        }
        parts.push(rest.subarray(0, left))
        const taken = Math.min(left, rest.length)
        rest = rest.subarray(taken)
        left -= taken
      }
      const one = write(path, Buffer.concat(parts), item)
        .catch((error: unknown) => void faults.push(error))
        .finally(() => writing.delete(one))
      writing.add(one)
      if (writing.size >= AT_ONCE) await Promise.race(writing)
      if (faults.length > 0) throw faults[0]
    }
    if (rest.length > 0 || !(await chunks.next()).done) throw differs(places.at(-1)?.item)
  } finally {
    await Promise.all(writing)
  }
  if (faults.length > 0) throw faults[0]
}

async function write(path: string, bytes: Buffer, item: ItemRow): Promise<void> {
  await using file = await open(path, 'w', 0o600)
  await file.writeFile(bytes)
  await file.utimes(...timesOf(item))
}

/** The queue goes by the time of the file it reads. */
function timesOf({ modifiedAt }: ItemRow): [Date, Date] {
  const time = new Date(modifiedAt ?? Date.now())
  return [time, time]
}

/** The request stays open when it is left, so that it can be answered. */
const chunksOf = (body: Readable) =>
  body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>

const differs = (item: ItemRow | undefined): PanelProblem =>
  problem(
    'changed',
    `“${nameOf(item?.path ?? '')}” is no longer what it was when it was dropped. Drop it again.`,
    { retryable: false, serviceCode: 'computer.page' },
  )
