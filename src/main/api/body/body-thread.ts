import type { Worker } from 'node:worker_threads'
import type { Operation } from '../../../contract/declarations/operation.ts'
import { Lanes } from '../../../contract/rules/lanes.ts'
import { startThread } from '../../base/worker-thread.ts'
import { type PackedBody, unpackRead } from './crossing.ts'
import type { BodyMeaning, BodyResult } from './read-body.ts'
import { AnswerComplexityError, AnswerSizeError, type Body } from './unpack.ts'

export interface BodyRequest {
  op: string
  body: Body
  meaning: BodyMeaning
}
/** `begun` is reported separately because starting the thread takes time. */
export type BodyReply =
  { kind: 'begun' } | { kind: 'read'; packed: PackedBody } | { kind: 'too-long' } | { kind: 'too-large' }

const READING_MOST_MS = 15_000
const IDLE_MS = 30_000
const MEMORY_MOST_MB = 256

/** Reads large bodies off main's thread, one at a time. Exceeding a time or memory limit ends only this thread. */
export class BodyThread {
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | null = null
  readonly #turns = new Lanes({ atOnce: 1 })

  /** Transfers the bytes. Throws `AnswerSizeError`, `AnswerComplexityError` or the signal's reason. */
  async read(op: Operation, body: Body, meaning: BodyMeaning, signal: AbortSignal): Promise<BodyResult> {
    const packed = await this.#turns.run('', () => {
      signal.throwIfAborted()
      return this.#ask({ op: op.id, body, meaning }, signal)
    })
    return unpackRead(packed)
  }

  #ask(asked: BodyRequest, signal: AbortSignal): Promise<PackedBody> {
    const worker = this.#take()
    return new Promise<PackedBody>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const settle = () => {
        clearTimeout(timer)
        worker.off('message', given).off('error', died).off('exit', giveUp)
        signal.removeEventListener('abort', leave)
      }
      const fail = (fault: Error) => {
        settle()
        this.#end(worker)
        reject(fault)
      }
      const leave = () => fail(signal.reason as Error)
      const giveUp = () => fail(new AnswerComplexityError())
      const died = (error: NodeJS.ErrnoException) =>
        fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new AnswerComplexityError() : error)
      const given = (answer: BodyReply) => {
        if (answer.kind === 'begun') return void (timer = setTimeout(giveUp, READING_MOST_MS))
        settle()
        this.#rest(worker)
        if (answer.kind === 'read') resolve(answer.packed)
        else reject(answer.kind === 'too-long' ? new AnswerSizeError() : new AnswerComplexityError())
      }
      worker.on('message', given).on('error', died).on('exit', giveUp)
      signal.addEventListener('abort', leave)
      worker.postMessage(asked, [asked.body.bytes.buffer as ArrayBuffer])
    })
  }

  #take(): Worker {
    if (this.#idle) clearTimeout(this.#idle)
    this.#idle = null
    if (!this.#worker) {
      const source = new URL('./worker.ts', import.meta.url)
      this.#worker = startThread('answers', source, { maxOldGenerationSizeMb: MEMORY_MOST_MB })
    }
    this.#worker.ref()
    return this.#worker
  }

  /** Unreferences the idle thread so it can't keep the process alive. */
  #rest(worker: Worker): void {
    worker.unref()
    this.#idle = setTimeout(() => this.#end(worker), IDLE_MS).unref()
  }

  #end(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null
    worker.on('error', () => undefined)
    void worker.terminate()
  }
}
