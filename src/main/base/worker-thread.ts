import { existsSync } from 'node:fs'
import {
  MessageChannel,
  type MessagePort,
  type ResourceLimits,
  type Transferable,
  Worker,
  parentPort,
} from 'node:worker_threads'

/** Runs the built program, or the source in tests and development. The caller handles its errors. */
export function startThread(program: string, source: URL, limits: ResourceLimits = {}): Worker {
  const built = new URL(`./${program}.js`, import.meta.url)
  return new Worker(existsSync(built) ? built : source, {
    name: program,
    // Passing data is short-lived; a small young generation keeps it from growing by tens of MB.
    resourceLimits: { maxYoungGenerationSizeMb: 4, ...limits },
  })
}

/** Methods of an object in a worker thread, all async. `close` must be last. */
export type RemoteMethods<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never
}

interface WorkerRequest {
  what: unknown
  port: MessagePort
}
interface Request {
  id: number
  method: string
  args: unknown[]
}
type Answer = { id: number; value: unknown } | { id: number; error: Fault } | { opened: Fault | null }

/** An error in transit. */
interface Fault {
  message: string
  code?: string
  errcode?: number
}

/** A result whose buffers are transferred, not copied. */
export class TransferredResult {
  readonly value: unknown
  readonly buffers: readonly Transferable[]

  constructor(value: unknown, buffers: readonly Transferable[]) {
    this.value = value
    this.buffers = buffers
  }
}

export interface WorkerListeners {
  /** Maps each method error to the one to reject with. */
  heard?: (error: Error) => Error
  /** The thread died and was restarted. */
  again?: () => void
}

export class WorkerThread {
  readonly #program: string
  readonly #source: URL
  readonly #onDeath: (error: Error) => void
  #running: { worker: Worker; held: number } | null = null

  /** @param source for tests and development */
  constructor(program: string, source: URL, onDeath: (error: Error) => void) {
    this.#program = program
    this.#source = source
    this.#onDeath = onDeath
  }

  /**
   * Opens an object in the thread; rejects with its error, without affecting others. If the thread dies, pending calls
   * reject, and the next call restarts it and reopens the object.
   */
  async open<T extends { close(): void }>(
    what: unknown,
    opens: WorkerListeners = {},
  ): Promise<RemoteMethods<T>> {
    return this.#remote(what, opens, await this.#hold(what, opens))
  }

  /** Like `open`, but on the first call; until then `close` does nothing. */
  openLate<T extends { close(): void }>(what: unknown, opens: WorkerListeners = {}): RemoteMethods<T> {
    return this.#remote(what, opens, null)
  }

  #remote<T>(what: unknown, opens: WorkerListeners, first: Calls | null): RemoteMethods<T> {
    let calls = first
    let again: Promise<void> | null = null
    let isClosed = false
    const call = async (method: string, args: unknown[]): Promise<unknown> => {
      if (!calls) {
        if (isClosed) throw new Error('This worker is closed.')
        isClosed = method === 'close'
        if (isClosed) return
        // Send now: the caller may reuse its arguments by the time the thread runs.
        calls = this.#begin(what, opens)
        calls.opened.catch(() => undefined)
      }
      if (calls.hasDied && method !== 'close') {
        again ??= this.#hold(what, opens)
          .then((opened) => {
            calls = opened
            opens.again?.()
          })
          .finally(() => (again = null))
        await again
      }
      return calls.call(method, args)
    }
    return new Proxy(Object.create(null) as RemoteMethods<T>, {
      get: (own, name: string) => {
        // Promises must not mistake it for a thenable.
        if (name === 'then' || name in own) return Reflect.get(own, name)
        return (...args: unknown[]) => call(name, args)
      },
    })
  }

  async #hold(what: unknown, opens: WorkerListeners): Promise<Calls> {
    const calls = this.#begin(what, opens)
    await calls.opened
    return calls
  }

  #begin(what: unknown, { heard = (error) => error }: WorkerListeners): Calls {
    const running = (this.#running ??= this.#start())
    const { worker } = running
    running.held++
    const { port1: port, port2: theirs } = new MessageChannel()
    const died = (error: Error) => calls.die(error)
    const exit = () => calls.die(new Error('This worker has ended.'))
    const calls = new Calls(port, heard, async () => {
      port.close()
      worker.off('error', died).off('exit', exit)
      calls.fail(new Error('This worker is closed.'))
      if (--running.held > 0) return
      if (this.#running === running) this.#running = null
      await worker.terminate()
    })
    worker.on('error', died).on('exit', exit)
    worker.postMessage({ what, port: theirs } satisfies WorkerRequest, [theirs])
    return calls
  }

  #start() {
    const worker = startThread(this.#program, this.#source)
    const running = { worker, held: 0 }
    const over = () => {
      if (this.#running === running) this.#running = null
    }
    worker.on('error', (error: Error) => {
      over()
      this.#onDeath(error)
    })
    worker.once('exit', over)
    return running
  }
}

class Calls {
  readonly opened: Promise<void>
  readonly #port: MessagePort
  readonly #heard: (error: Error) => Error
  readonly #letGo: () => Promise<void>
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  readonly #opening = Promise.withResolvers<void>()
  #nextId = 1
  #failed: Error | null = null
  #died = false
  #closing: Promise<void> | null = null

  constructor(port: MessagePort, heard: (error: Error) => Error, letGo: () => Promise<void>) {
    this.#port = port
    this.#heard = heard
    this.#letGo = letGo
    this.opened = this.#opening.promise.catch(async (error: unknown) => {
      await letGo()
      throw error
    })
    port.on('message', (answer: Answer) => this.#take(answer))
  }

  fail(error: Error): void {
    this.#failed ??= error
    this.#opening.reject(this.#failed)
    for (const { reject } of this.#waiting.values()) reject(this.#failed)
    this.#waiting.clear()
  }

  die(error: Error): void {
    this.#died ||= !this.#failed
    this.fail(error)
    this.#port.close()
  }

  get hasDied(): boolean {
    return this.#died
  }

  call(method: string, args: unknown[]): Promise<unknown> {
    return method === 'close' ? (this.#closing ??= this.#close()) : this.#call(method, args)
  }

  async #close(): Promise<void> {
    try {
      await this.#call('close', [])
    } finally {
      await this.#letGo()
    }
  }

  #call(method: string, args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#failed) return reject(this.#failed)
      const id = this.#nextId++
      this.#waiting.set(id, { resolve, reject })
      this.#port.postMessage({ id, method, args } satisfies Request)
    })
  }

  #take(answer: Answer): void {
    if ('opened' in answer) {
      if (answer.opened === null) return this.#opening.resolve()
      return this.#opening.reject(errorOf(answer.opened))
    }
    const call = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if ('error' in answer) call?.reject(this.#heard(errorOf(answer.error)))
    else call?.resolve(answer.value)
  }
}

/** @param open throws or rejects if it cannot open; others are unaffected */
export function answerAsWorker<W>(open: (what: W) => object | Promise<object>): void {
  if (!parentPort) throw new Error('This runs as a worker thread only.')
  const answer = async ({ what, port }: WorkerRequest) => {
    try {
      answerBy(port, await open(what as W))
      port.postMessage({ opened: null } satisfies Answer)
    } catch (error) {
      port.postMessage({ opened: faultOf(error) } satisfies Answer)
    }
  }
  parentPort.on('message', (opening: WorkerRequest) => void answer(opening))
}

function answerBy(port: MessagePort, methods: object): void {
  const answer = (id: number, value: unknown) => {
    if (value instanceof TransferredResult) port.postMessage({ id, value: value.value }, [...value.buffers])
    else port.postMessage({ id, value } satisfies Answer)
  }
  port.on('message', ({ id, method, args }: Request) => {
    const refuse = (error: unknown) => port.postMessage({ id, error: faultOf(error) } satisfies Answer)
    try {
      const value = (methods as Record<string, (...args: unknown[]) => unknown>)[method]?.(...args)
      if (value instanceof Promise) value.then((done) => answer(id, done), refuse)
      else answer(id, value)
    } catch (error) {
      refuse(error)
    }
  })
}

const errorOf = ({ message, ...codes }: Fault): Error => Object.assign(new Error(message), codes)

function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message, code, errcode } = error as Error & { code?: unknown; errcode?: unknown }
  return {
    message,
    ...(typeof code === 'string' && { code }),
    ...(typeof errcode === 'number' && { errcode }),
  }
}
