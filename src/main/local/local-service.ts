import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Session } from '../../contract/areas/account.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import { type LocalizedText, localized } from '../../contract/messages/localized-text.ts'
import { PanelProblem, problem, problemOf } from '../base/problem.ts'
import type { ServiceLauncher, ServiceProcess } from './service-launcher.ts'

/** Start timeout in ms; includes stopping survivors of an earlier run. */
const START_LIMIT = 60_000
/** Servers get 30 s to save their worlds before they are killed. */
const STOP_LIMIT = 60_000
/** After a kill, in ms; a background service and its unit take longer. */
const KILL_LIMIT = 30_000
/** After running this long, in ms, a crash is not a start-up failure and is restarted again. */
const STEADY = 10 * 60_000

const Message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    baseUrl: z.url(),
    restored: z.string().max(100).nullable(),
    orphans: z.array(z.string().max(300)).max(100),
    emptied: z.array(z.string().max(300)).max(100),
    // Missing from background services of earlier versions.
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
 * `emptied`: servers whose folder was missing; `orphans`: folders without a server; `leftovers`: of deleted servers.
 */
export type ReadyService = Extract<z.infer<typeof Message>, { type: 'ready' }>

export interface LocalServicePorts {
  launcher: ServiceLauncher
  args: string[]
  signIn: (baseUrl: string, body: { secret: string }) => Promise<Session>
  onReady: (ready: ReadyService, session: Session) => Promise<void>
  /** Whether to stop a service already running in the background and start this program's. At most once per start. */
  replaces?: (foundVersion: string, at: { baseUrl: string; session: Session }) => Promise<boolean>
  onState: (state: { kind: 'starting' } | { kind: 'ended'; problem: Problem }) => void
  elapsed?: () => number
}

type State =
  | { kind: 'ended' }
  // In the background, possibly with running servers: unusable, but it can be stopped.
  | { kind: 'unreached'; process: ServiceProcess }
  | { kind: 'starting'; done: Promise<void> }
  | { kind: 'running'; process: ServiceProcess }
  | { kind: 'stopping'; done: Promise<void> }

export class LocalService {
  #state: State = { kind: 'ended' }
  #spareStarts = 1
  readonly #ports: LocalServicePorts

  constructor(ports: LocalServicePorts) {
    this.#ports = ports
  }

  get running(): boolean {
    return this.#state.kind === 'running'
  }

  async settled(): Promise<State['kind']> {
    if (this.#state.kind === 'starting') await this.#state.done.catch(() => undefined)
    return this.#state.kind
  }

  get outlives(): boolean {
    return 'process' in this.#state && this.#state.process.outlives === true
  }

  /**
   * Rejects with `local-failed`; with service code `local.restorable` where `restore` would help, which brings back the
   * newest copy of the database.
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

  /** Rejects if the service survives the kill. `startAgain`: restart running servers at the next start. */
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

  /** Detaches from a background service; stops any other. */
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
      // Players may be on servers that were already running.
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

  /** Keeps an unusable background service reachable, so it can be stopped. */
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

/** The database is unreadable, but there is a copy. */
const RESTORABLE = 'local.restorable'

/** A signal leaves no code. */
function endWords(code: number | null, words: string): LocalizedText {
  if (words !== '') return localized('local.ended-saying', { code: String(code ?? '–'), words })
  return code === null ? localized('local.killed') : localized('local.ended', { code: String(code) })
}

function listening(process: ServiceProcess, begin: () => void): Promise<ReadyService> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(
      () => reject(problem('local-failed', localized('local.too-slow', { seconds: START_LIMIT / 1000 }))),
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
          problem('local-failed', localized('local.data-damaged', { file, when }), {
            serviceCode: RESTORABLE,
          }),
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
