/* Hashes growing files in a thread, which reads them itself, so no bytes are transferred. */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

/** `advance`: hash ahead up to an offset. `digest`: return the hash up to it. `forget`: drop the state. */
export type HashRequest =
  | { kind: 'advance'; file: string; upTo: number }
  | { kind: 'digest'; id: number; file: string; upTo: number }
  | { kind: 'forget'; file: string }
export type HashAnswer = { id: number; sha256: string } | { id: number; error: string }

const PIECE = 1024 * 1024

interface HashState {
  hash: Hash
  position: number
}

const known = new Map<string, HashState>()
const buffer = Buffer.allocUnsafe(PIECE)

function hashUpTo(file: string, upTo: number): HashState {
  let state = known.get(file)
  // Truncated, or unknown after a restart: start over.
  if (!state || state.position > upTo) known.set(file, (state = { hash: createHash('sha256'), position: 0 }))
  if (state.position === upTo) return state
  const fd = openSync(file, 'r')
  try {
    while (state.position < upTo) {
      const read = readSync(fd, buffer, 0, Math.min(PIECE, upTo - state.position), state.position)
      if (read === 0) throw new Error(`The file ends at ${state.position}, before ${upTo}.`)
      state.hash.update(buffer.subarray(0, read))
      state.position += read
    }
  } catch (error) {
    known.delete(file)
    throw error
  } finally {
    closeSync(fd)
  }
  return state
}

parentPort?.on('message', (request: HashRequest) => {
  if (request.kind === 'forget') return void known.delete(request.file)
  try {
    const { hash } = hashUpTo(request.file, request.upTo)
    if (request.kind === 'advance') return
    const answer: HashAnswer = { id: request.id, sha256: hash.copy().digest('hex') }
    parentPort?.postMessage(answer)
  } catch (error) {
    // Errors while hashing ahead show again in `digest`.
    if (request.kind === 'advance') return
    const answer: HashAnswer = { id: request.id, error: String(error) }
    parentPort?.postMessage(answer)
  }
})
