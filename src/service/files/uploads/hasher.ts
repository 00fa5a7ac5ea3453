import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { HashAnswer, HashRequest } from './hash-worker.ts'

/** Hashes growing files off the main thread. */
export interface Hasher {
  /** Hashes ahead of time: the first `upTo` bytes of the file are written and stay as they are. */
  advance(file: string, upTo: number): void
  /** SHA-256 of the first `upTo` bytes, in hex. What was hashed ahead is not read again. Rejects where it cannot be read. */
  digest(file: string, upTo: number): Promise<string>
  /** The file is gone, or was written anew. */
  forget(file: string): void
  /** Whether its thread runs. */
  readonly running: boolean
  /** Ends the thread, which takes some 9 MB, where no file is on its way. The next file starts another. */
  rest(): void
  close(): Promise<void>
}

/** Beside the bundle in a build, the source next to this file in tests and in development. */
function workerFile(): URL {
  const built = new URL('./hash-worker.js', import.meta.url)
  return existsSync(built) ? built : new URL('./hash-worker.ts', import.meta.url)
}

/** The thread is started with the first file. If it dies, the next file starts another, which reads from the beginning. */
export function createHasher(): Hasher {
  const waiting = new Map<number, { resolve: (sha256: string) => void; reject: (error: Error) => void }>()
  /** Files of which something is hashed. */
  const known = new Set<string>()
  let worker: Worker | null = null
  let nextId = 1

  function start(): Worker {
    const started = new Worker(workerFile())
    // The service may end whatever it hashes.
    started.unref()
    const fail = (error: Error) => {
      // One that was ended, or failed before, has nothing to say about what came after it.
      if (worker !== started) return
      worker = null
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    started.on('error', fail)
    started.on('exit', () => fail(new Error('Hashing has ended.')))
    started.on('message', (answer: HashAnswer) => {
      const asked = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('error' in answer) asked?.reject(new Error(answer.error))
      else asked?.resolve(answer.sha256)
    })
    return started
  }
  const post = (request: HashRequest) => {
    known.add(request.file)
    ;(worker ??= start()).postMessage(request)
  }

  return {
    advance: (file, upTo) => post({ kind: 'advance', file, upTo }),
    digest: (file, upTo) =>
      new Promise((resolve, reject) => {
        const id = nextId++
        waiting.set(id, { resolve, reject })
        post({ kind: 'digest', id, file, upTo })
      }),
    forget(file) {
      if (known.delete(file)) worker?.postMessage({ kind: 'forget', file } satisfies HashRequest)
    },
    get running() {
      return worker !== null
    },
    rest() {
      if (known.size > 0) return
      const idle = worker
      worker = null
      void idle?.terminate()
    },
    close: async () => void (await worker?.terminate()),
  }
}
