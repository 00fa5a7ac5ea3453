import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { HashAnswer, HashRequest } from './hash-worker.ts'

export interface Hasher {
  /** The file's first `upTo` bytes are final. */
  advance(file: string, upTo: number): void
  /** SHA-256 of the first `upTo` bytes, in hex. Rejects if unreadable. */
  digest(file: string, upTo: number): Promise<string>
  /** The file was deleted or rewritten. */
  forget(file: string): void
  close(): Promise<void>
}

function workerFile(): URL {
  const built = new URL('./hash-worker.js', import.meta.url)
  return existsSync(built) ? built : new URL('./hash-worker.ts', import.meta.url)
}

/** Starts the thread with the first file. If it dies, the next file starts over in another. */
export function createHasher(): Hasher {
  const waiting = new Map<number, { resolve: (sha256: string) => void; reject: (error: Error) => void }>()
  const known = new Set<string>()
  let worker: Worker | null = null
  let nextId = 1

  function start(): Worker {
    const started = new Worker(workerFile())
    // Hashing need not keep the service alive.
    started.unref()
    const fail = (error: Error) => {
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
    close: async () => void (await worker?.terminate()),
  }
}
