import { createSubscriber } from 'svelte/reactivity'
import type { Transfer, Transfers } from '../../../contract/bridge/transfer-values.ts'
import { Lanes } from '../../../contract/rules/lanes.ts'
import { inWords } from '../../core/problems.ts'
import { asProblem, call, on, onReach, type Problem } from '../../core/bridge.ts'
import { t } from '../../messages/t.svelte.ts'
import { announce, notify } from '../../ui/feedback/notices.svelte.ts'
import { percent } from '../../messages/format.ts'

export interface Totals {
  /** From 0 to 1; null if nothing is active. */
  progress: number | null
  count: number
  /** Bytes per second; null if nothing moves. */
  rate: number | null
}

/** All transfers; live while something renders them. */
export class TransferList {
  #now = $state.raw<Transfers | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #open = $state(false)
  #unseen = $state.raw<ReadonlySet<string>>(new Set())
  #unfolded = $state.raw<ReadonlySet<string>>(new Set())
  readonly #changes = new Lanes({ atOnce: 1 })
  #subscribe: () => void

  constructor() {
    this.#subscribe = createSubscriber(() => this.#start())
  }

  get now(): Transfers | null {
    this.#subscribe()
    return this.#now
  }

  get problem(): Problem | null {
    this.#subscribe()
    return this.#problem
  }

  get active(): Transfer[] {
    return (this.now?.items ?? []).filter((one) => !isEnded(one))
  }

  get ended(): Transfer[] {
    return (this.now?.items ?? []).filter(isEnded)
  }

  get questions(): number {
    return this.active.filter((one) => one.state === 'asking').length
  }

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

  /** Never throws; see `problem`. */
  async read(): Promise<void> {
    try {
      this.#take(await call('transfers.list'))
    } catch (thrown) {
      this.#problem = asProblem(thrown)
    }
  }

  /** `limit` in bytes per second, null for none. Calls run one after another. Throws a `Problem`. */
  async limit(what: { limit?: number | null; atOnce?: number }): Promise<void> {
    await this.#changes.run('', async () => {
      const now = this.#now
      if (!now) return
      await call('transfers.limit', { limit: now.limit, atOnce: now.atOnce, ...what })
      await this.read()
    })
  }

  #start(): () => void {
    const stopEvents = on('transfers', (now) => this.#take(now))
    let lost = false
    const stopReach = onReach((reached) => {
      // Changes while offline were not reported.
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
    const { id, kind, state, filesDone, filesFailed, filesSkipped, problem } = one
    const about = 'transfers' as const
    const action = { label: () => t('transfers.notice-show'), run: () => this.show() }
    const now = () => this.now?.items.find((other) => other.id === id && other.state === state)
    const holds = () => now() !== undefined
    const name = () => transferName(one)
    if (state === 'done') {
      const finished = () => t('transfers.said-done', { name: name() })
      const skipped = () => (filesSkipped > 0 ? t('transfer.files-skipped', { count: filesSkipped }) : '')
      if (kind === 'upload') announce(() => [finished(), skipped()].filter(Boolean).join(' · '))
      else
        notify({
          ...{ tone: 'done', about, action, holds, more: skipped },
          // All of it may have been skipped.
          text: () => (filesSkipped > 0 ? finished() : t(`transfers.did-${kind}`, { name: name() })),
        })
    }
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

export const transfers = new TransferList()

export function isEnded({ state }: Transfer): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}

export function transferName({ name, others }: Transfer): string {
  return others > 0 ? t('transfer.name-and-more', { name, count: others }) : name
}

/** From 0 to 1: by bytes, or by files if all are empty. */
export function progressOf({ bytes, bytesDone, files, filesDone, filesSkipped }: Transfer): number {
  if (bytes > 0) return Math.min(1, bytesDone / bytes)
  return files > 0 ? Math.min(1, (filesDone + filesSkipped) / files) : 0
}

/** 100 % only when complete. */
export function share(part: number): string {
  return percent(Math.floor(part * 100))
}
