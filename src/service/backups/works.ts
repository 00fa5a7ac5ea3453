import { LaneFull, Lanes } from '../../contract/rules/lanes.ts'
import { refusal } from '../../host/refusal.ts'

/** In the whole service: each occupies the disk and two threads. */
const AT_ONCE = 2
/** Per server, besides the one that runs. */
const WAITING = 5
/** Minimum ms between updates: each goes to all readers. */
const TELL_MS = 500

export type WorkKind = 'backup' | 'copy' | 'try' | 'restore' | 'delete'

export interface WorkPorts {
  signal: AbortSignal
  /** In bytes. */
  progress: (done: number, total: number | null) => void
}

interface Doing {
  kind: WorkKind
  backupId: string
  done: number
  total: number | null
  isRunning: boolean
  cancel: () => void
  /** It makes room for other work. */
  yield?: (() => void) | undefined
  ended: Promise<unknown>
}

interface TakeOptions {
  outer?: AbortSignal | undefined
  cancel?: (() => void) | undefined
  makeRoom?: () => void
}

export class CanceledWork extends Error {
  override name = 'CanceledWork'
}

/** What is being done with the backups of each server: one thing after another. */
export class Works {
  readonly #lanes = new Lanes({ perLane: 1, waitingPerLane: WAITING })
  readonly #heavy = new Lanes({ atOnce: AT_ONCE })
  readonly #doing = new Map<string, Set<Doing>>()
  readonly #told = new Map<string, number>()
  readonly #changed: (serverId: string) => void

  constructor(changed: (serverId: string) => void) {
    this.#changed = changed
  }

  /** Nothing is being done, or what makes room for anything else. */
  isFree(serverId: string): boolean {
    return [...(this.#doing.get(serverId) ?? [])].every((one) => one.yield)
  }

  progressOf(serverId: string, backupId: string): Pick<Doing, 'kind' | 'done' | 'total'> | null {
    return [...(this.#doing.get(serverId) ?? [])].find((one) => one.backupId === backupId) ?? null
  }

  /** Waits for its turn. Rejects with 409 `backups.busy` if too much waits, with CanceledWork, or what `work` does. */
  run<T>(
    serverId: string,
    of: Pick<Doing, 'kind' | 'backupId'>,
    work: (ports: WorkPorts) => Promise<T>,
    outer?: AbortSignal,
  ): Promise<T> {
    const heavy = (ports: WorkPorts) => this.#heavy.run('', () => work(ports), ports.signal)
    return this.#take(serverId, of, heavy, { outer })
  }

  /** As `run`, beside those of other servers. Once anything else is to be done, `makeRoom` is called: abort `outer`. */
  beside<T>(
    serverId: string,
    of: Pick<Doing, 'kind' | 'backupId'>,
    work: (ports: WorkPorts) => Promise<T>,
    options: { outer: AbortSignal; makeRoom: () => void },
  ): Promise<T> {
    return this.#take(serverId, of, work, options)
  }

  /** Begins before it returns, or once what makes room has ended. Throws 409 `backups.busy` if it would have to wait. */
  now<T>(
    serverId: string,
    of: Pick<Doing, 'kind' | 'backupId'>,
    work: (ports: WorkPorts) => Promise<T>,
    cancel?: () => void,
  ): Promise<T> {
    if (!this.isFree(serverId)) throw busy()
    return this.#take(serverId, of, work, { cancel })
  }

  async #take<T>(
    serverId: string,
    of: Pick<Doing, 'kind' | 'backupId'>,
    work: (ports: WorkPorts) => Promise<T>,
    { outer, cancel, makeRoom }: TakeOptions,
  ): Promise<T> {
    const control = new AbortController()
    const abort = () => control.abort(new CanceledWork())
    const signal = outer ? AbortSignal.any([outer, control.signal]) : control.signal
    const own = this.#doing.get(serverId) ?? new Set<Doing>()
    const doing: Doing = {
      ...of,
      done: 0,
      total: null,
      isRunning: false,
      cancel: cancel ?? abort,
      yield: makeRoom,
      ended: Promise.resolve(),
    }
    if (!makeRoom) for (const one of own) one.yield?.()
    const running = this.#lanes.run(
      serverId,
      () => {
        doing.isRunning = true
        return work({ signal, progress: (done, total) => this.#progressed(serverId, doing, done, total) })
      },
      signal,
    )
    doing.ended = running.catch(() => undefined)
    this.#doing.set(serverId, own.add(doing))
    try {
      return await running
    } catch (error) {
      if (signal.aborted) throw new CanceledWork()
      throw error instanceof LaneFull ? busy() : error
    } finally {
      own.delete(doing)
      if (own.size === 0) this.#doing.delete(serverId)
      this.#changed(serverId)
    }
  }

  #progressed(serverId: string, doing: Doing, done: number, total: number | null): void {
    doing.done = done
    if (total !== null) doing.total = total
    const now = performance.now()
    if (now - (this.#told.get(serverId) ?? -Infinity) < TELL_MS) return
    this.#told.set(serverId, now)
    this.#changed(serverId)
  }

  /** Cancels what runs and what waits, and waits for the end of it. */
  async cancel(serverId: string): Promise<void> {
    const own = [...(this.#doing.get(serverId) ?? [])]
    for (const { cancel } of own) cancel()
    await Promise.all(own.map(({ ended }) => ended))
    this.#told.delete(serverId)
  }

  /** Waits for what reads a server's files now. What waits finds out that they are being replaced. */
  async rest(serverId: string): Promise<void> {
    const own = [...(this.#doing.get(serverId) ?? [])]
    await Promise.all(own.filter((one) => one.isRunning && one.kind === 'backup').map(({ ended }) => ended))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#doing.keys()].map((serverId) => this.cancel(serverId)))
  }
}

export const busy = () => refusal(409, 'backups.busy')
