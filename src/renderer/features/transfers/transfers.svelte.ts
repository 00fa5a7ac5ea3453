import { createSubscriber } from 'svelte/reactivity'
import type { Transfer, Transfers } from '../../../contract/bridge/transfer-values.ts'
import { inWords } from '../../core/problems.ts'
import { asProblem, call, on, onReach, type Problem } from '../../core/bridge.ts'
import { t } from '../../messages/t.svelte.ts'
import { announce, notify } from '../../ui/feedback/notices.svelte.ts'
import { isEnded, progressOf, transferName } from './transfer-words.ts'

/** How all that is under way stands together. */
export interface Totals {
  /** Between 0 and 1; null where nothing is under way. */
  progress: number | null
  /** Transfers that have not ended. */
  count: number
  /** Bytes per second; null while nothing moves. */
  rate: number | null
}

/** All transfers of this panel, for as long as something on the screen reads them; and whether they are shown. */
export class TransferList {
  #now = $state.raw<Transfers | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #open = $state(false)
  /** Failures since the list was last open. */
  #unseen = $state.raw<ReadonlySet<string>>(new Set())
  #unfolded = $state.raw<ReadonlySet<string>>(new Set())
  /** Ends with the last change of the limits that was asked for. */
  #limiting: Promise<unknown> = Promise.resolve()
  #subscribe: () => void

  constructor() {
    this.#subscribe = createSubscriber(() => this.#start())
  }

  /** All of them, or null until they are known. */
  get now(): Transfers | null {
    this.#subscribe()
    return this.#now
  }

  /** Why they could not be read. */
  get problem(): Problem | null {
    this.#subscribe()
    return this.#problem
  }

  /** Those that run or wait, in their order. */
  get active(): Transfer[] {
    return (this.now?.items ?? []).filter((one) => !isEnded(one))
  }

  /** Those that have ended, newest first. */
  get ended(): Transfer[] {
    return (this.now?.items ?? []).filter(isEnded)
  }

  /** How many wait for an answer. */
  get questions(): number {
    return this.active.filter((one) => one.state === 'asking').length
  }

  /** How many have failed since the list was last open. */
  get failures(): number {
    const unseen = this.#unseen
    return this.ended.filter((one) => one.state === 'failed' && unseen.has(one.id)).length
  }

  get totals(): Totals {
    const active = this.active
    if (active.length === 0) return { progress: null, count: 0, rate: null }
    const bytes = active.reduce((sum, one) => sum + one.bytes, 0)
    const done = active.reduce((sum, one) => sum + one.bytesDone, 0)
    const rates = active.map((one) => one.rate).filter((rate) => rate !== null)
    const shares = active.reduce((sum, one) => sum + progressOf(one), 0) / active.length
    return {
      progress: bytes > 0 ? Math.min(1, done / bytes) : shares,
      count: active.length,
      rate: rates.length > 0 ? rates.reduce((sum, rate) => sum + rate, 0) : null,
    }
  }

  get open(): boolean {
    return this.#open
  }

  /** Whether the files of a transfer are shown. They stay so when it ends and goes to the history. */
  isUnfolded(id: string): boolean {
    return this.#unfolded.has(id)
  }

  fold(id: string, folded: boolean): void {
    this.#unfolded = new Set([...this.#unfolded].filter((one) => one !== id).concat(folded ? [] : [id]))
  }

  show(): void {
    this.#open = true
    this.#unseen = new Set()
  }

  hide(): void {
    this.#open = false
  }

  toggle(): void {
    if (this.#open) this.hide()
    else this.show()
  }

  /** Asks main again. Never throws: what goes wrong is in `problem`. */
  async read(): Promise<void> {
    try {
      this.#take(await call('transfers.list'))
    } catch (thrown) {
      this.#problem = asProblem(thrown)
    }
  }

  /**
   * Changes how fast files move (bytes per second, null: as fast as they can) or how many at once. One change waits for
   * the one before, so that neither takes back what the other did. Throws a `Problem`.
   */
  async limit(what: { limit?: number | null; atOnce?: number }): Promise<void> {
    const change = this.#limiting.then(async () => {
      const now = this.#now
      if (!now) return
      await call('transfers.limit', { limit: now.limit, atOnce: now.atOnce, ...what })
      await this.read()
    })
    this.#limiting = change.catch(() => undefined)
    await change
  }

  #start(): () => void {
    const stopEvents = on('transfers', (now) => this.#take(now))
    let lost = false
    const stopReach = onReach((reached) => {
      // What happened in between was not told.
      if (reached && lost) void this.read()
      lost = !reached
    })
    void this.read()
    return () => {
      stopEvents()
      stopReach()
    }
  }

  #take(now: Transfers): void {
    const before = this.#now
    this.#now = now
    this.#problem = null
    if (before === null) return
    const states = new Map(before.items.map((one) => [one.id, one.state]))
    for (const one of now.items) if (states.get(one.id) !== one.state) this.#tell(one)
  }

  #tell(one: Transfer): void {
    const { id, state, filesDone, filesFailed, filesSkipped, problem } = one
    const about = 'transfers' as const
    const action = { label: () => t('transfers.notice-show'), run: () => this.show() }
    /** It was answered, tried again or taken away: then nothing is to be said of it. */
    const now = () => this.now?.items.find((other) => other.id === id && other.state === state)
    const holds = () => now() !== undefined
    const name = () => transferName(one)
    if (state === 'done')
      announce(() =>
        [
          t('transfers.said-done', { name: name() }),
          filesSkipped > 0 ? t('transfer.files-skipped', { count: filesSkipped }) : null,
        ]
          .filter(Boolean)
          .join(' · '),
      )
    if (state === 'asking')
      notify({
        ...{ tone: 'warning', about, action, holds },
        text: () => t('transfers.notice-asking', { name: name() }),
        more: () => {
          const asking = now()?.asking
          return asking ? t('transfer.taken', { path: asking.path }) : ''
        },
      })
    if (state !== 'failed') return
    if (!this.#open) this.#unseen = new Set([...this.#unseen, id])
    notify({
      ...{ tone: 'error', about, action, holds },
      text: () =>
        filesDone > 0
          ? t('transfers.notice-some', { name: name(), count: filesFailed })
          : t('transfers.notice-failed', { name: name() }),
      more: () => {
        const words = problem ? inWords(problem) : null
        return words ? [words.why ?? `${words.what}.`, words.now].filter(Boolean).join(' ') : ''
      },
    })
  }
}

/** The transfers of this window. */
export const transfers = new TransferList()
