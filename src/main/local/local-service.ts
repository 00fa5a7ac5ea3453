import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Session } from '../../contract/api/account.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import { type Said, say } from '../../contract/messages/say.ts'
import { PanelProblem, problem, problemOf } from '../api/problem.ts'
import type { ServiceLauncher, ServiceProcess } from './service-launcher.ts'

/** How long the service may take to listen, in ms. Survivors of an earlier run are stopped meanwhile. */
const START_LIMIT = 60_000
/** How long it may take to stop: its servers have 30 s to save their worlds, then they are stopped harder. */
const STOP_LIMIT = 60_000

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), baseUrl: z.url() }),
  z.object({ type: z.literal('failed'), message: z.string() }),
])

export interface LocalServicePorts {
  launcher: ServiceLauncher
  /** Arguments of the service's command line, such as `--data DIR`. */
  args: string[]
  /** Signs in with the one-time secret. */
  signIn: (baseUrl: string, body: { secret: string }) => Promise<Session>
  onReady: (baseUrl: string, session: Session) => Promise<void>
  onState: (state: { kind: 'starting' } | { kind: 'ended'; problem: Problem }) => void
}

type State =
  | { kind: 'ended' }
  | { kind: 'starting'; done: Promise<void> }
  | { kind: 'running'; process: ServiceProcess }
  | { kind: 'stopping'; done: Promise<void> }

/** The service built in: started when it is asked for, started once again when it dies, stopped with the panel. */
export class LocalService {
  #state: State = { kind: 'ended' }
  /** One start by itself after a death; the next one is a person's. */
  #spareStarts = 1
  readonly #ports: LocalServicePorts

  constructor(ports: LocalServicePorts) {
    this.#ports = ports
  }

  get running(): boolean {
    return this.#state.kind === 'running'
  }

  /** Starts the service where it does not run. Rejects with `local-failed` where it cannot be started. */
  async start(): Promise<void> {
    if (this.#state.kind === 'stopping') await this.#state.done
    if (this.#state.kind === 'running') return
    if (this.#state.kind !== 'starting') {
      this.#spareStarts = 1
      this.#state = { kind: 'starting', done: this.#launch() }
    }
    await this.#state.done
  }

  /** Stops the service and with it its servers, whose worlds are saved first unless `hurry`. */
  async stop(): Promise<void> {
    if (this.#state.kind === 'starting') await this.#state.done.catch(() => undefined)
    if (this.#state.kind === 'stopping') return await this.#state.done
    if (this.#state.kind !== 'running') return
    const { process } = this.#state
    const done = new Promise<void>((resolve) => {
      const limit = setTimeout(() => process.kill(), STOP_LIMIT)
      process.onExit(() => {
        clearTimeout(limit)
        this.#state = { kind: 'ended' }
        resolve()
      })
    })
    this.#state = { kind: 'stopping', done }
    process.send({ type: 'stop' })
    await done
  }

  async #launch(): Promise<void> {
    const { launcher, args, onState, onReady, signIn } = this.#ports
    onState({ kind: 'starting' })
    const process = launcher.launch(args)
    try {
      const secret = randomBytes(32).toString('base64url')
      const baseUrl = await listening(process, () => process.send({ type: 'local-secret', secret }))
      const session = await signIn(baseUrl, { secret })
      await onReady(baseUrl, session)
    } catch (error) {
      process.kill()
      this.#state = { kind: 'ended' }
      const why =
        error instanceof PanelProblem
          ? error.problem
          : { message: error instanceof Error ? error.message : String(error) }
      const failed = problem('local-failed', why, { retryable: true })
      onState({ kind: 'ended', problem: failed.problem })
      throw failed
    }
    this.#state = { kind: 'running', process }
    process.onExit(({ code, lastWords }) => {
      if (this.#state.kind !== 'running') return
      this.#state = { kind: 'ended' }
      onState({
        kind: 'ended',
        problem: problemOf('local-failed', endWords(code, lastWords.split('\n').at(-1) ?? '')),
      })
      if (this.#spareStarts === 0) return
      this.#spareStarts = 0
      this.#state = { kind: 'starting', done: this.#launch() }
      this.#state.done.catch(() => undefined)
    })
  }
}

/** How the service ended; a signal leaves no code. */
function endWords(code: number | null, words: string): Said {
  if (words !== '') return say('local.ended-saying', { code: String(code ?? '–'), words })
  return code === null ? say('local.killed') : say('local.ended', { code: String(code) })
}

/** Waits until the service says where it listens. Rejects with what it said instead. */
function listening(process: ServiceProcess, begin: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(
      () => reject(problem('local-failed', say('local.too-slow', { seconds: START_LIMIT / 1000 }))),
      START_LIMIT,
    )
    const stopMessages = process.onMessage((raw) => {
      const message = Message.safeParse(raw)
      if (!message.success) return
      if (message.data.type === 'ready') resolve(message.data.baseUrl)
      else reject(new Error(message.data.message))
      done()
    })
    const stopExit = process.onExit(({ code, lastWords }) => {
      done()
      reject(problem('local-failed', lastWords ? { message: lastWords } : endWords(code, '')))
    })
    function done() {
      clearTimeout(limit)
      stopMessages()
      stopExit()
    }
    begin()
  })
}
