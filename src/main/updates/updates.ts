import { z } from 'zod'
import {
  type InstallAnswer,
  type RunningWork,
  type Update,
  updateChannels,
  type UpdateState,
  type Updates as Shown,
} from '../../contract/bridge/update-calls.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { problem } from '../base/problem.ts'
import type { Clock } from '../base/retry.ts'
import { storedJson } from '../storage/stored-json.ts'
import type { Log } from '../logging/log.ts'
import type { ExitPlan, UpdatesPort } from './update-engine.ts'
import { type Step, updateProblem } from './update-problem.ts'
import type { AreaHandlers } from '../bridge/handlers.ts'

/** The first check waits until the start is over, in ms. */
const FIRST_MS = 10_000
const EVERY_MS = 4 * 60 * 60_000
const RETRY_MS = 10 * 60_000
const TELL_MS = 250

const UpdatePreferences = z.object({
  channel: z.enum(updateChannels).catch('stable'),
  automatic: z.boolean().catch(true),
})
type UpdatePreferences = z.infer<typeof UpdatePreferences>

export interface UpdatesOptions {
  version: string
  port: UpdatesPort
  cache: {
    readSetting(name: string): Promise<string | null>
    writeSetting(name: string, value: string): Promise<void>
  }
  running: () => Promise<RunningWork>
  tell: (now: Shown) => void
  clock: Clock
  log: Log
}

export class Updates {
  #state: UpdateState
  #kept: UpdatePreferences | null = null
  #checkedAt: string | null = null
  #downloading: AbortController | null = null
  #checking: Promise<void> | null = null
  #fetched: Promise<void> = Promise.resolve()
  #plan: ExitPlan = 'nothing'
  readonly #ended = new AbortController()
  readonly #options: UpdatesOptions

  constructor(options: UpdatesOptions) {
    const { port } = options
    this.#options = options
    this.#state = port.kind === 'here' ? { kind: 'not-asked' } : port
  }

  async read(): Promise<Shown> {
    return this.#shown(await this.#settings())
  }

  start(): void {
    if (this.#options.port.kind === 'here') void this.#lookAgainAndAgain()
  }

  stop(): void {
    this.#ended.abort()
    this.#downloading?.abort()
  }

  /** Checks now and starts the download if enabled. A pending installation stays. */
  async check(): Promise<Shown> {
    this.#here()
    if (this.#isFree) await (this.#checking ??= this.#check().finally(() => (this.#checking = null)))
    const { automatic } = await this.#settings()
    if (automatic && this.#state.kind === 'available') this.#fetch(this.#state.update)
    return await this.read()
  }

  async download(): Promise<Shown> {
    this.#here()
    const { kind, update } = this.#found()
    if (kind === 'available' || kind === 'failed') this.#fetch(update)
    return await this.read()
  }

  async cancelDownload(): Promise<Shown> {
    this.#downloading?.abort()
    return await this.read()
  }

  async change(change: Partial<UpdatePreferences>): Promise<Shown> {
    const before = await this.#settings()
    const now = {
      channel: change.channel ?? before.channel,
      automatic: change.automatic ?? before.automatic,
    }
    await this.#options.cache.writeSetting('updates', JSON.stringify(now))
    this.#kept = now
    // Belongs to the other channel.
    if (now.channel !== before.channel && this.#options.port.kind === 'here') {
      // So does a running check: wait for it and discard its result.
      await this.#checking
      this.#downloading?.abort()
      if (this.#state.kind !== 'installing') this.#become({ kind: 'not-asked' })
      await this.check().catch(() => undefined)
    } else this.#tell()
    return await this.read()
  }

  /** Closes, installs and restarts; or returns what is running if `stop` is false. */
  async install(stop: boolean): Promise<InstallAnswer> {
    const port = this.#here()
    const { update } = this.#ready()
    const running = await this.#running()
    this.#ready()
    if (!stop && (running.transfers > 0 || running.servers !== 0)) return { kind: 'would-stop', running }
    this.#planned('install-and-restart')
    this.#become({ kind: 'installing', update })
    port.close()
    return { kind: 'installing' }
  }

  get #isFree(): boolean {
    return ['not-asked', 'checking', 'current', 'available', 'failed'].includes(this.#state.kind)
  }

  async #check(): Promise<void> {
    const { channel } = await this.#settings()
    const found = this.#state.kind === 'available' ? this.#state.update : null
    this.#become({ kind: 'checking' })
    try {
      const engine = await this.#here().engine()
      const update = await engine.check(channel)
      if ((await this.#settings()).channel !== channel) {
        this.#become({ kind: 'not-asked' })
        return
      }
      this.#checkedAt = new Date(this.#options.clock.now()).toISOString()
      this.#become(update ? { kind: 'available', update } : { kind: 'current' })
    } catch (error) {
      this.#failed('check', error, found)
    }
  }

  #fetch(update: Update): void {
    this.#fetched = this.#download(update)
  }

  async #download(update: Update): Promise<void> {
    const downloading = new AbortController()
    this.#downloading = downloading
    this.#become({ kind: 'downloading', update, received: 0, rate: 0 })
    let told = -Infinity
    try {
      const engine = await this.#here().engine()
      const tell = (now: { received: number; rate: number }) => {
        const at = this.#options.clock.elapsed()
        if (downloading.signal.aborted || at - told < TELL_MS) return
        told = at
        this.#become({ kind: 'downloading', update, ...now })
      }
      await engine.download(tell, downloading.signal)
      const isQuiet = (await this.#here().engine()).installs === 'quietly'
      downloading.signal.throwIfAborted()
      if (isQuiet) this.#planned('install')
      this.#become({ kind: 'ready', update, installs: isQuiet ? 'on-quit' : 'asked' })
    } catch (error) {
      if (!downloading.signal.aborted) this.#failed('download', error, update)
      // Otherwise the channel changed or the panel is ending.
      else if (this.#downloading === downloading && this.#state.kind === 'downloading')
        this.#become({ kind: 'available', update })
    }
  }

  async #lookAgainAndAgain(): Promise<void> {
    let pause = FIRST_MS
    while (await this.#slept(pause)) {
      if ((await this.#settings()).automatic) {
        await this.check().catch(() => undefined)
        await this.#fetched
      }
      pause = this.#state.kind === 'failed' ? RETRY_MS : EVERY_MS
    }
  }

  /** Errors must not look idle: null servers means unknown. */
  async #running(): Promise<RunningWork> {
    return await this.#options.running().catch(() => ({ transfers: 0, servers: null }))
  }

  async #slept(ms: number): Promise<boolean> {
    return await this.#options.clock.sleep(ms, this.#ended.signal).then(
      () => !this.#ended.signal.aborted,
      () => false,
    )
  }

  #failed(during: Step, error: unknown, update: Update | null): void {
    this.#options.log.warn('an update failed', { during, error })
    this.#become({ kind: 'failed', during, problem: updateProblem(during, error), update })
  }

  /** Throws a readable message if updates are impossible. */
  #here() {
    const { port } = this.#options
    if (port.kind !== 'here') throw problem('unavailable', localized(NOT_HERE[port.why]))
    return port
  }

  #found() {
    const state = this.#state
    if (!('update' in state) || !state.update) throw problem('conflict', localized('update.none-found'))
    return { kind: state.kind, update: state.update }
  }

  #ready() {
    const state = this.#state
    if (state.kind !== 'ready') throw problem('conflict', localized('update.not-ready'))
    return state
  }

  #planned(plan: ExitPlan): void {
    if (plan === this.#plan) return
    this.#plan = plan
    this.#here().plan(plan)
  }

  #become(state: UpdateState): void {
    this.#state = state
    if (state.kind !== 'ready' && state.kind !== 'installing' && this.#options.port.kind === 'here')
      this.#planned('nothing')
    this.#tell()
  }

  #tell(): void {
    if (this.#kept) this.#options.tell(this.#shown(this.#kept))
  }

  #shown(kept: UpdatePreferences): Shown {
    return {
      version: this.#options.version,
      state: this.#state,
      ...kept,
      checkedAt: this.#checkedAt,
    }
  }

  async #settings(): Promise<UpdatePreferences> {
    this.#kept ??= UpdatePreferences.parse(storedJson(await this.#options.cache.readSetting('updates')) ?? {})
    return this.#kept
  }
}

const NOT_HERE = {
  browser: 'update.browser',
  'not-installed': 'update.not-installed-here',
  'no-feed': 'update.no-feed',
} as const

export interface UpdateDependencies {
  updates: Updates
}

export const updateHandlers = ({ updates }: UpdateDependencies): AreaHandlers<'updates'> => ({
  'updates.read': () => updates.read(),
  'updates.check': () => updates.check(),
  'updates.download': () => updates.download(),
  'updates.cancel-download': () => updates.cancelDownload(),
  'updates.change': (change) => updates.change(change),
  'updates.install': ({ stop }) => updates.install(stop),
})
