import { api } from '../../contract/areas/index.ts'
import type { ContainerStats } from '../../contract/areas/servers.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import type { ApiClient } from '../api/client.ts'
import { PanelProblem } from '../base/problem.ts'
import type { Clock } from '../base/retry.ts'
import type { Log } from '../logging/log.ts'
import type { LineFlow } from './line-flow.ts'
import { type PollResult, Polling, type PollingInterval } from './polling.ts'

/** A stream silent about an online server's statistics for this long, in ms, counts as not sending them. */
const STATS_OVERDUE_MS = 15_000
/** Retry interval for unavailable statistics, in ms. */
const STATS_AGAIN_MS = 300_000

export interface QuestionsPorts {
  client: () => ApiClient
  clock: Clock
  pace: Pick<PollingInterval, 'times'>
  lines: LineFlow
  needs: () => 'everything' | 'what-is-not-told' | 'nothing'
  watched: () => string[]
  shown: () => string[]
  readStatus: (serverId: string) => Promise<Problem | null>
  isOnline: (serverId: string) => boolean
  onStats: (serverId: string, stats: ContainerStats) => void
  onNoStats: (serverId: string, problem: Problem | null) => void
  onRound: (away: boolean) => void
  log: Log
}

interface PollTargets {
  status: boolean
  stats: boolean
  lines: boolean
}

export class Questions {
  readonly #ports: QuestionsPorts
  readonly #polling: Polling
  readonly #statsRest = new Map<string, number>()

  constructor(ports: QuestionsPorts) {
    this.#ports = ports
    this.#polling = new Polling({
      clock: ports.clock,
      pace: ports.pace,
      wanted: () => [...this.#wanted().keys()],
      ask: (serverId, signal) => this.#ask(serverId, signal),
      onRound: (away) => ports.onRound(away),
      onFault: (error) => ports.log.warn('a service could not be asked', { error }),
    })
  }

  get every(): number {
    return this.#polling.every
  }

  get asks(): boolean {
    return this.#wanted().size > 0
  }

  hurry(): void {
    this.#polling.hurry()
  }

  stop(): void {
    this.#polling.stop()
  }

  toldStats(serverId: string): void {
    this.#statsRest.set(serverId, this.#ports.clock.elapsed() + STATS_OVERDUE_MS)
  }

  #wanted(): Map<string, PollTargets> {
    const { needs, watched, shown, isOnline, lines, clock } = this.#ports
    const all = needs() === 'everything'
    const wanted = new Map<string, PollTargets>()
    if (needs() === 'nothing') return wanted
    const consoles = new Set(watched())
    const looked = new Set([...consoles, ...shown()])
    for (const serverId of this.#statsRest.keys()) if (!looked.has(serverId)) this.#statsRest.delete(serverId)
    for (const serverId of looked) {
      const mine = all || !isStreamed(serverId)
      // Give a new stream time to send them.
      if (!mine && !this.#statsRest.has(serverId)) this.toldStats(serverId)
      const rests = (this.#statsRest.get(serverId) ?? 0) > clock.elapsed()
      const one: PollTargets = {
        status: mine,
        stats: isOnline(serverId) && !rests,
        lines: consoles.has(serverId) && (mine || lines.history(serverId).problem !== null),
      }
      if (one.status || one.stats || one.lines) wanted.set(serverId, one)
    }
    return wanted
  }

  async #ask(serverId: string, signal: AbortSignal): Promise<PollResult> {
    const wanted = this.#wanted().get(serverId)
    const problems: Problem[] = []
    let answers = 0
    const before = this.#ports.isOnline(serverId)
    let news = false
    const noted = async (question: Promise<Problem | null>) => {
      const problem = await question
      if (problem) problems.push(problem)
      else answers++
    }
    // Run independently: a service may offer only one of them.
    const asking: Promise<void>[] = []
    if (wanted?.status) asking.push(noted(this.#ports.readStatus(serverId)))
    if (wanted?.lines)
      asking.push(noted(problemOf(this.#ports.lines.ask(serverId, signal).then((one) => (news ||= one)))))
    await Promise.all(asking)
    news ||= this.#ports.isOnline(serverId) !== before
    if (wanted?.stats && this.#ports.isOnline(serverId)) await noted(this.#stats(serverId, signal))
    const asked = Math.max(0, ...problems.map(({ retryAfter }) => (retryAfter ?? 0) * 1000))
    const away = answers === 0 && problems.length > 0 && problems.every(({ code }) => code === 'offline')
    return { news, away, leaveAlone: asked }
  }

  async #stats(serverId: string, signal: AbortSignal): Promise<Problem | null> {
    const { client, clock, onStats, onNoStats } = this.#ports
    const asking = client().send(api.servers.stats, { params: { serverId } }, { signal })
    const problem = await problemOf(asking.then(({ value }) => onStats(serverId, value)))
    if (signal.aborted) return problem
    // A server that went offline has none (specification §3).
    const quiet = problem?.code === 'conflict'
    onNoStats(serverId, quiet ? null : problem)
    if (problem && ['forbidden', 'unavailable', 'incompatible', 'not-found'].includes(problem.code))
      this.#statsRest.set(serverId, clock.elapsed() + STATS_AGAIN_MS)
    return quiet ? null : problem
  }
}

/** Ids with separators would name other servers in the query, so these are not requested from the stream. */
export const isStreamed = (serverId: string): boolean => !/[,:]/.test(serverId)

async function problemOf(work: Promise<unknown>): Promise<Problem | null> {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof PanelProblem) return error.problem
    throw error
  }
}
