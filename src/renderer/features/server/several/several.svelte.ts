import type { PowerAction, ServerRef } from '../../../../contract/bridge/values.ts'
import { t } from '../../../messages/t.svelte.ts'
import { notify } from '../../../ui/notices.svelte.ts'
import { PowerRun } from './power-run.svelte.ts'

/** Power for several servers in this window: what is asked, what goes on, and whether the dialog shows it. */
class Several {
  #run = $state.raw<PowerRun | null>(null)
  #asking = $state.raw<readonly ServerRef[] | null>(null)
  #open = $state(false)

  get run(): PowerRun | null {
    return this.#run
  }

  /** The servers that are to be killed, while a person is asked. */
  get asking(): readonly ServerRef[] | null {
    return this.#asking
  }

  get isOpen(): boolean {
    return this.#open
  }

  /** Why nothing else can be begun now. */
  get reason(): string | null {
    return this.#run?.isGoing ? t('several.busy') : null
  }

  /** Does it, or asks first. While another one goes on, that is shown. */
  begin(action: PowerAction, servers: readonly ServerRef[]): void {
    this.#open = true
    if (this.#run?.isGoing) return
    if (action === 'kill') this.#asking = servers
    else this.#start(action, servers)
  }

  /** Kills those that were asked about. */
  kill(): void {
    const servers = this.#asking ?? []
    this.#asking = null
    this.#start('kill', servers)
  }

  show(): void {
    this.#open = true
  }

  /** Closes the dialog. What has begun goes on, and a notice says so. */
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

  #start(action: PowerAction, servers: readonly ServerRef[]): void {
    const run = new PowerRun(action, servers, () => this.#tell(run))
    this.#run = run
    run.begin()
  }

  #tell(run: PowerRun): void {
    if (this.#open) return
    const done = run.count('accepted')
    const others = run.count('failed', 'not-sent', 'unsure')
    const leftOut = run.count('left-out')
    notify({
      tone: others > 0 ? 'warning' : 'done',
      text: () => t(`several.did-${run.action}`, { count: done }),
      more: () =>
        [
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

export const several = new Several()
