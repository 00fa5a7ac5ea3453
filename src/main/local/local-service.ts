import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Session } from '../../contract/areas/account.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import { type Said, say } from '../../contract/messages/say.ts'
import { PanelProblem, problem, problemOf } from '../base/problem.ts'
import type { ServiceLauncher, ServiceProcess } from './service-launcher.ts'

/** How long the service may take to listen, in ms. Survivors of an earlier run are stopped meanwhile. */
const START_LIMIT = 60_000
/** How long it may take to stop: its servers have 30 s to save their worlds, then they are stopped harder. */
const STOP_LIMIT = 60_000
/** So long one may take to be gone that was ended without asking, in ms: a background service and its unit take their time. */
const KILL_LIMIT = 30_000
/** One that ran for so long, in ms, does not die of what it began with: it is started once again by itself as the first was. */
const STEADY = 10 * 60_000

const Message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    baseUrl: z.url(),
    restored: z.string().max(100).nullable(),
    orphans: z.array(z.string().max(300)).max(100),
    emptied: z.array(z.string().max(300)).max(100),
    // Background services of earlier versions don't send it.
    leftovers: z.array(z.string().max(300)).max(100).default([]),
  }),
  z.object({
    type: z.literal('failed'),
    code: z.string(),
    message: z.string(),
    values: z.record(z.string(), z.string()),
  }),
])

/**
 * What the service listens on, and what it found in its folder: a copy that was put back, folders of no server, servers without
 * one, and what could not be deleted of deleted servers.
 */
export type ReadyService = Extract<z.infer<typeof Message>, { type: 'ready' }>

export interface LocalServicePorts {
  launcher: ServiceLauncher
  /** Arguments of the service's command line, such as `--data DIR`. */
  args: string[]
  /** Signs in with the one-time secret. */
  signIn: (baseUrl: string, body: { secret: string }) => Promise<Session>
  onReady: (ready: ReadyService, session: Session) => Promise<void>
  /**
   * Whether a service that ran in the background already is replaced by one of this program: it is stopped, and started
   * anew. Never asked twice in one start.
   */
  replaces?: (foundVersion: string, at: { baseUrl: string; session: Session }) => Promise<boolean>
  onState: (state: { kind: 'starting' } | { kind: 'ended'; problem: Problem }) => void
  /** A clock in ms that nobody sets. */
  elapsed?: () => number
}

type State =
  | { kind: 'ended' }
  // In the background, with servers that may run; it cannot be used, and can still be told to stop.
  | { kind: 'unreached'; process: ServiceProcess }
  | { kind: 'starting'; done: Promise<void> }
  | { kind: 'running'; process: ServiceProcess }
  | { kind: 'stopping'; done: Promise<void> }

/** The service built in: started when it is asked for, started once again when it dies, stopped with the panel. */
export class LocalService {
  #state: State = { kind: 'ended' }
  /** One start by itself after a death; the next one is a person's, unless it ran well in between. */
  #spareStarts = 1
  readonly #ports: LocalServicePorts

  constructor(ports: LocalServicePorts) {
    this.#ports = ports
  }

  get running(): boolean {
    return this.#state.kind === 'running'
  }

  /** Waits while it is being started; answers what has become of it. Never rejects. */
  async settled(): Promise<State['kind']> {
    if (this.#state.kind === 'starting') await this.#state.done.catch(() => undefined)
    return this.#state.kind
  }

  /** Whether it runs in the background, apart from the panel. */
  get outlives(): boolean {
    return 'process' in this.#state && this.#state.process.outlives === true
  }

  /**
   * Starts the service where it does not run. Rejects with `local-failed` where it cannot be started; with the service code
   * `local.restorable` where `restore` would help, which puts the newest copy of its database back.
   */
  async start(restore = false): Promise<void> {
    if (this.#state.kind === 'stopping') await this.#state.done
    if (this.#state.kind === 'running') return
    if (this.#state.kind !== 'starting') {
      if (this.#state.kind === 'unreached') this.#state.process.leave?.()
      this.#spareStarts = 1
      this.#state = { kind: 'starting', done: this.#launch(restore) }
    }
    await this.#state.done
  }

  /**
   * Stops the service and with it its servers, whose worlds are saved first. Rejects where it runs on though it was ended
   * without asking.
   * @param startAgain the next start is to start the servers that run now, as after an update
   */
  async stop(startAgain = false): Promise<void> {
    await this.settled()
    if (this.#state.kind === 'stopping') return await this.#state.done
    if (!('process' in this.#state)) return
    const { process } = this.#state
    const done = new Promise<void>((resolve, reject) => {
      let limit = setTimeout(() => {
        limit = setTimeout(() => {
          this.#keep(process)
          reject(new Error('The service of this computer does not stop.'))
        }, KILL_LIMIT)
        process.kill()
      }, STOP_LIMIT)
      process.onExit(() => {
        clearTimeout(limit)
        this.#state = { kind: 'ended' }
        resolve()
      })
    })
    this.#state = { kind: 'stopping', done }
    process.send({ type: 'stop', ...(startAgain && { startAgain }) })
    await done
  }

  /** Lets go of a service in the background, with its servers; stops another one. */
  async leave(): Promise<void> {
    await this.settled()
    if (!('process' in this.#state) || !this.outlives) return await this.stop()
    const { process } = this.#state
    this.#state = { kind: 'ended' }
    process.leave?.()
  }

  async #launch(restore = false, isReplacing = false): Promise<void> {
    const {
      launcher,
      args,
      onState,
      onReady,
      signIn,
      replaces,
      elapsed = () => performance.now(),
    } = this.#ports
    onState({ kind: 'starting' })
    let process: ServiceProcess
    try {
      process = launcher.launch(restore ? [...args, '--restore-backup'] : args)
    } catch (error) {
      throw this.#failed(error)
    }
    let isGone = false
    process.onExit(() => (isGone = true))
    try {
      const secret = randomBytes(32).toString('base64url')
      const ready = await listening(process, () => process.send({ type: 'local-secret', secret }))
      const session = await signIn(ready.baseUrl, { secret })
      const { baseUrl } = ready
      if (
        process.foundVersion &&
        !isReplacing &&
        (await replaces?.(process.foundVersion, { baseUrl, session }))
      ) {
        await replaced(process)
        return await this.#launch(restore, true)
      }
      await onReady(ready, session)
    } catch (error) {
      const failed = this.#failed(error)
      // Players may be on the servers of one that was running before.
      if (process.outlives && !isGone) this.#keep(process)
      else if (process.leave) process.leave()
      else process.kill()
      throw failed
    }
    this.#state = { kind: 'running', process }
    const since = elapsed()
    process.onExit(({ code, lastWords }) => {
      if (this.#state.kind !== 'running' || this.#state.process !== process) return
      if (elapsed() - since >= STEADY) this.#spareStarts = 1
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

  /** Holds on to one in the background that cannot be used: it would run on unseen, and nobody could stop it. */
  #keep(process: ServiceProcess): void {
    this.#state = { kind: 'unreached', process }
    process.onExit(() => {
      if (this.#state.kind === 'unreached' && this.#state.process === process) this.#state = { kind: 'ended' }
    })
  }

  #failed(error: unknown): PanelProblem {
    this.#state = { kind: 'ended' }
    const failed = failure(error)
    this.#ports.onState({ kind: 'ended', problem: failed.problem })
    return failed
  }
}

/** Stops a service of another version; what was started there meanwhile is started again by the next one. */
function replaced(process: ServiceProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(
      () => reject(new Error('The service of this computer does not stop.')),
      STOP_LIMIT,
    )
    process.onExit(() => {
      clearTimeout(limit)
      resolve()
    })
    process.send({ type: 'stop', startAgain: true })
  })
}

/** Why it did not start. What the service said keeps its words. */
function failure(error: unknown): PanelProblem {
  if (!(error instanceof PanelProblem))
    return problem(
      'local-failed',
      { message: error instanceof Error ? error.message : String(error) },
      { retryable: true },
    )
  const { serviceCode } = error.problem
  const restorable = serviceCode === RESTORABLE && { serviceCode }
  return problem('local-failed', error.problem, { retryable: true, ...restorable })
}

/** The service's database cannot be read, and there is a copy of it. */
const RESTORABLE = 'local.restorable'

/** How the service ended; a signal leaves no code. */
function endWords(code: number | null, words: string): Said {
  if (words !== '') return say('local.ended-saying', { code: String(code ?? '–'), words })
  return code === null ? say('local.killed') : say('local.ended', { code: String(code) })
}

/** Waits until the service says where it listens. Rejects with what it said instead. */
function listening(process: ServiceProcess, begin: () => void): Promise<ReadyService> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(
      () => reject(problem('local-failed', say('local.too-slow', { seconds: START_LIMIT / 1000 }))),
      START_LIMIT,
    )
    const stopMessages = process.onMessage((raw) => {
      const message = Message.safeParse(raw)
      if (!message.success) return
      const { data } = message
      if (data.type === 'ready') resolve(data)
      else if (data.code === 'data-restorable') {
        const { file = '', when = '' } = data.values
        reject(
          problem('local-failed', say('local.data-damaged', { file, when }), { serviceCode: RESTORABLE }),
        )
      } else reject(new Error(data.message))
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
