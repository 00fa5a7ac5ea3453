import type { Player, PlayerAction, ServerRef } from '../../../../contract/bridge/values.ts'
import { commandOf } from '../../../../contract/rules/players/player-commands.ts'
import { PLAYER_ACT_NEEDS } from '../../../../contract/rules/scopes.ts'
import type { Problem } from '../../../core/bridge.ts'
import { asProblem, call, send } from '../../../core/bridge.ts'
import { missingScope } from '../../../core/servers/power.ts'
import { inWords } from '../../../core/problems.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { said, t, type Words } from '../../../messages/t.svelte.ts'
import { notify, type NoticeAction, notifyProblem } from '../../../ui/feedback/notices.svelte.ts'
import { WhitelistSwitch } from './whitelist-switch.svelte.ts'

/** A name, or the UUID if the name is unknown. */
export interface Target {
  name: string
  online?: boolean | null | undefined
  banned?: Player['banned']
}

export interface ActionPrompt {
  action: PlayerAction
  targets: readonly Target[]
}

export interface Outcome {
  name: string
  kind: 'done' | 'unchanged' | 'failed' | 'unconfirmed' | 'unknown'
  why: Words | null
}

const ASKING: readonly PlayerAction[] = ['kick', 'ban', 'message']
const inverses: Partial<Record<PlayerAction, PlayerAction>> = {
  op: 'deop',
  deop: 'op',
  ban: 'pardon',
  'whitelist-add': 'whitelist-remove',
  'whitelist-remove': 'whitelist-add',
}
/** Players per request. */
const AT_ONCE = 100

export class PlayerActs {
  readonly #server: ServerState
  #busy = $state(false)
  asking = $state.raw<ActionPrompt | null>(null)
  outcomes = $state.raw<{ action: PlayerAction; all: readonly Outcome[]; done: number } | null>(null)

  readonly whitelist: WhitelistSwitch

  constructor(server: ServerState) {
    this.#server = server
    this.whitelist = new WhitelistSwitch(server, this)
  }

  get busy(): boolean {
    return this.#busy
  }

  get ref(): ServerRef {
    return { connectionId: this.#server.connectionId, serverId: this.#server.serverId }
  }

  /** Proxies have no player lists or commands. */
  get atProxy(): boolean {
    return this.#server.server?.software?.proxy === true
  }

  /** Whether changes apply to the running server, not only from the next start. */
  get worksNow(): boolean {
    return this.#server.isRunning
  }

  may(action: PlayerAction): boolean {
    return missingScope(this.#server.server?.role, PLAYER_ACT_NEEDS[action]) === null
  }

  reason(action: PlayerAction, targets: readonly Target[]): string | null {
    const { reach, kind } = this.#server
    if (reach !== 'ready') return t('power.no-service')
    if (targets.length > AT_ONCE) return t('players.too-many', { count: AT_ONCE })
    if (kind === 'starting' || kind === 'stopping') return t(`power.${kind}`)
    if (action !== 'kick' && action !== 'message') return null
    return !this.worksNow && kind !== 'unknown' ? t('players.not-running') : null
  }

  begin(action: PlayerAction, targets: readonly Target[]): void {
    if (ASKING.includes(action)) this.asking = { action, targets }
    else void this.perform(action, targets)
  }

  /** `until`: ISO 8601. Reports the outcome. Never throws. */
  async perform(
    action: PlayerAction,
    targets: readonly Target[],
    { reason, until }: { reason?: string; until?: string } = {},
  ): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    try {
      const names = targets.map(({ name }) => name)
      const all = await this.#send(action, names, reason, until)
      await this.#tell(action, all, targets)
    } catch (thrown) {
      notifyProblem(thrown, () => t(`players.did-not-${action}`))
    } finally {
      this.#busy = false
    }
  }

  async #send(
    action: PlayerAction,
    names: string[],
    reason: string | undefined,
    until: string | undefined,
  ): Promise<Outcome[]> {
    const { connectionId, serverId } = this.ref
    const body = { action, names, ...(reason ? { reason } : {}), ...(until ? { until } : {}) }
    try {
      const answer = await send('players.act', { connectionId, params: { serverId }, body })
      const told = new Map((answer?.results ?? []).map((one) => [one.name.toLowerCase(), one]))
      return names.map((name) => {
        const one = told.get(name.toLowerCase())
        const kind =
          one === undefined ? 'unconfirmed' : typeof one.outcome === 'string' ? one.outcome : 'unknown'
        const error = one?.error
        return { name, kind, why: error?.message ? () => said(error) : null }
      })
    } catch (thrown) {
      const problem = asProblem(thrown)
      if (problem.code !== 'unavailable') throw problem
      return await this.#command(problem, action, names, reason ?? '', until)
    }
  }

  /** Fallback to the console if the service lacks the action; the UI says so. */
  async #command(
    problem: Problem,
    action: PlayerAction,
    names: string[],
    reason: string,
    until: string | undefined,
  ): Promise<Outcome[]> {
    if (!this.#server.isOnline || missingScope(this.#server.server?.role, ['console.send'])) throw problem
    const outcomes: Outcome[] = []
    for (const name of names) {
      const command = commandOf(action, name, reason)
      if (command === null) {
        outcomes.push({ name, kind: 'failed', why: () => t('players.no-name') })
        continue
      }
      try {
        await call('console.command', { ...this.ref, command })
        const why = until ? () => t('players.no-end') : null
        outcomes.push({ name, kind: 'unconfirmed', why })
      } catch (thrown) {
        const failed = asProblem(thrown)
        outcomes.push({ name, kind: 'failed', why: () => inWords(failed).what })
      }
    }
    return outcomes
  }

  async #tell(action: PlayerAction, all: readonly Outcome[], targets: readonly Target[]): Promise<void> {
    const plain = ({ kind, why }: Outcome) => why === null && (kind === 'done' || kind === 'unchanged')
    const done = all.filter(plain).length
    if (done < all.length) {
      this.outcomes = { action, all: all.filter((one) => !plain(one)), done }
      return
    }
    const [first] = all
    const name = first?.name ?? ''
    const changed = all.filter(({ kind }) => kind === 'done').map((one) => ({ name: one.name }))
    if (changed.length === 0)
      return notify({
        tone: 'done',
        text: () => t('players.unchanged', { count: all.length, name }),
      })
    const more = this.worksNow ? undefined : () => t('players.at-next-start')
    if (action === 'whitelist-add' && (await this.whitelist.isOff()))
      return notify({
        ...{ tone: 'done', text: () => t('players.added-off'), more },
        action: { label: () => t('players.turn-on'), run: () => this.whitelist.turn(true) },
      })
    const inverse = inverses[action]
    notify({
      ...{ tone: 'done', more },
      text: () => t(`players.did-${action}`, { count: all.length, name }),
      action: inverse
        ? { label: () => t('players.undo'), run: () => this.perform(inverse, changed) }
        : this.#bannedAgain(action, targets),
    })
  }

  /** Offered for one ban alone that is known: several may have had other reasons and ends. */
  #bannedAgain(action: PlayerAction, targets: readonly Target[]): NoticeAction | undefined {
    const [target, ...others] = targets
    if (action !== 'pardon' || !target?.banned || others.length > 0) return undefined
    const { reason, until } = target.banned
    return {
      label: () => t('players.undo'),
      run: () =>
        this.perform('ban', [{ name: target.name }], {
          ...(reason ? { reason } : {}),
          ...(until ? { until } : {}),
        }),
    }
  }
}
