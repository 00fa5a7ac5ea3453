import type { PowerAction, ServerRef } from '../../../../contract/bridge/values.ts'
import { costsCredits } from '../../../../contract/rules/hosts.ts'
import { t, type Words } from '../../../messages/t.svelte.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { choosePower } from '../../../core/servers/power-requests.ts'
import type { PowerChoice } from '../../../core/servers/power-question.svelte.ts'
import { notify } from '../../../ui/feedback/notices.svelte.ts'
import { KEPT, severalLoaded } from './several-loaded.svelte.ts'
import { PowerRun, reasonAgainst, type RunRecord } from './power-run.svelte.ts'

/** What is done only after somebody read what it means. */
interface PowerConfirmation {
  action: 'kill' | 'start'
  servers: readonly ServerRef[]
}

/** Whether it would be started, and its host takes credits for that. */
export function costsToStart(server: ServerRef): boolean {
  const connection = panel.connection(server.connectionId)
  return connection !== null && costsCredits(connection.baseUrl) && reasonAgainst('start', server) === null
}

class BulkPower {
  #run = $state.raw<PowerRun | null>(null)
  #asking = $state.raw<PowerConfirmation | null>(null)
  #open = $state(false)

  get run(): PowerRun | null {
    return this.#run
  }

  get asking(): PowerConfirmation | null {
    return this.#asking
  }

  get isOpen(): boolean {
    return this.#open
  }

  get reason(): string | null {
    return this.#run?.isGoing ? t('several.busy') : null
  }

  /** Confirms first if needed. If a run is active, shows that instead. */
  async begin(action: PowerAction, servers: readonly ServerRef[]): Promise<void> {
    if (this.#run?.isGoing) return this.show()
    if (action === 'kill' || (action === 'start' && servers.some(costsToStart))) {
      this.#open = true
      this.#asking = { action, servers }
      return
    }
    const known = servers.flatMap(({ connectionId, serverId }) => panel.server(connectionId, serverId) ?? [])
    const choice = await choosePower(action, known)
    if (choice === null) return
    this.#open = true
    this.#start(action, choice, servers)
  }

  /** Does what was asked about. */
  confirm(): void {
    const asked = this.#asking
    this.#asking = null
    if (asked) this.#start(asked.action, 'now', asked.servers)
  }

  show(): void {
    this.#open = true
  }

  /** A running run continues, and a notice says so. */
  close(): void {
    const run = this.#run
    this.#open = false
    this.#asking = null
    if (!run?.isGoing) return
    notify({
      tone: 'done',
      text: () => t('several.goes-on'),
      action: { label: () => t('several.show'), run: () => this.show() },
      holds: () => run.isGoing && !this.#open,
    })
  }

  #start(action: PowerAction, choice: PowerChoice, servers: readonly ServerRef[]): void {
    const run = new PowerRun(
      action,
      choice,
      servers,
      () => this.#ended(run),
      () => keep(run.record),
    )
    this.#run = run
    run.begin()
  }

  /** Reports a run cut off by a reload; it is not resumed. */
  tellLeft(): void {
    const left = kept()
    keep(null)
    if (!left || this.#run) return
    const run = PowerRun.left(
      left,
      () => this.#ended(run),
      () => keep(run.record),
    )
    this.#run = run
    this.#tell(run, () => t('several.interrupted'))
  }

  #ended(run: PowerRun): void {
    keep(null)
    this.#tell(run)
  }

  #tell(run: PowerRun, first: Words | null = null): void {
    if (this.#open) return
    const done = run.count('accepted')
    const others = run.count('failed', 'not-sent', 'unsure')
    const leftOut = run.count('left-out')
    notify({
      tone: others > 0 ? 'warning' : 'done',
      text: () => t(`several.did-${run.action}`, { count: done }),
      more: () =>
        [
          first?.(),
          run.count('warned') > 0 && t('several.warned-count', { count: run.count('warned') }),
          leftOut > 0 && t('several.left-out-count', { count: leftOut }),
          others > 0 && t('several.others', { count: others }),
        ]
          .filter(Boolean)
          .join(' '),
      action: { label: () => t('several.show'), run: () => this.show() },
      holds: () => this.#run === run && !this.#open,
    })
  }
}

/** Storage may be unavailable; then a reload reports nothing. */
function keep(record: RunRecord | null): void {
  try {
    if (record) sessionStorage.setItem(KEPT, JSON.stringify(record))
    else sessionStorage.removeItem(KEPT)
  } catch {
    // Each server's status shows the result.
  }
}

function kept(): RunRecord | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as RunRecord | null
  } catch {
    return null
  }
}

export const several = new BulkPower()
several.tellLeft()
severalLoaded()
