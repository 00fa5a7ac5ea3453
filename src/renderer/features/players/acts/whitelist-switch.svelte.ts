import { LiveView } from '../../../core/live-view.svelte.ts'
import { send } from '../../../core/bridge.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { t } from '../../../messages/t.svelte.ts'
import { notify, notifyProblem } from '../../../ui/feedback/notices.svelte.ts'
import type { PlayerActs } from './player-acts.svelte.ts'

export class WhitelistSwitch {
  readonly #acts: PlayerActs
  readonly #asked: { connectionId: string; params: { serverId: string } }
  readonly view: LiveView<'players.whitelist'>
  #busy = $state(false)

  constructor({ connectionId, serverId }: ServerState, acts: PlayerActs) {
    this.#acts = acts
    this.#asked = { connectionId, params: { serverId } }
    this.view = new LiveView('players.whitelist', this.#asked)
  }

  get busy(): boolean {
    return this.#busy
  }

  get on(): boolean | null {
    return this.view.value?.enabled ?? null
  }

  /** Asks the service; false where it doesn't know. */
  async isOff(): Promise<boolean> {
    await this.view.again()
    return this.view.value?.enabled === false && this.view.problem === null
  }

  get isOffered(): boolean {
    return this.view.problem?.code !== 'unavailable' || this.view.value !== null
  }

  get may(): boolean {
    return this.#acts.may('whitelist-add')
  }

  get reason(): string | null {
    return this.#acts.reason('whitelist-add', [])
  }

  /** Reports the outcome in a notice. Never throws. */
  async turn(enabled: boolean): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    const word = enabled ? 'on' : 'off'
    try {
      await send('players.turn-whitelist', { ...this.#asked, body: { enabled } })
      const now = this.#acts.worksNow
      notify({
        tone: 'done',
        text: () => t(`players.did-turn-${word}`),
        ...(now ? {} : { more: () => t('players.at-next-start') }),
      })
    } catch (thrown) {
      notifyProblem(thrown, () => t(`players.did-not-turn-${word}`))
    } finally {
      this.#busy = false
    }
  }
}
