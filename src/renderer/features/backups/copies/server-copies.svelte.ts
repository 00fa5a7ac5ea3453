import { createSubscriber } from 'svelte/reactivity'
import type { CopyState, ServerCopy } from '../../../../contract/bridge/copy-calls.ts'
import { askedMoveIn } from '../../../core/asked.svelte.ts'
import { asProblem, call, on, onReach, type Problem } from '../../../core/bridge.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { go } from '../../../core/routes/router.svelte.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { notifyProblem } from '../../../ui/feedback/notices.svelte.ts'

/** Copies of a server on this computer; live while something renders them. Failed acts become notices. */
export class ServerCopies {
  readonly server: ServerState
  #now = $state.raw<CopyState | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #busy = $state<'folder' | 'begin' | `start ${string}` | null>(null)
  readonly #subscribe: () => void

  constructor(server: ServerState) {
    this.server = server
    this.#subscribe = createSubscriber(() => {
      const stop = on('copies', ({ connectionId, serverId, now }) => {
        if (connectionId === server.connectionId && serverId === server.serverId) this.#now = now
      })
      const stopReach = onReach((reached) => {
        if (reached) void this.read()
      })
      return () => {
        stop()
        stopReach()
      }
    })
  }

  get now(): CopyState | null {
    this.#subscribe()
    return this.#now
  }

  get problem(): Problem | null {
    this.#subscribe()
    return this.#problem
  }

  get busy() {
    return this.#busy
  }

  async read(): Promise<void> {
    try {
      this.#now = await call('copies.read', this.#at)
      this.#problem = null
    } catch (thrown) {
      this.#problem = asProblem(thrown)
    }
  }

  change(change: { on?: boolean; hostBackups?: boolean; hour?: number; keep?: number }): Promise<void> {
    return this.#during(null, () => call('copies.change', { ...this.#at, ...change }))
  }

  chooseFolder(): Promise<void> {
    return this.#during('folder', () => call('copies.choose-folder', this.#at))
  }

  usualFolder(): Promise<void> {
    return this.#during('folder', () => call('copies.usual-folder', this.#at))
  }

  begin(): Promise<void> {
    return this.#during('begin', () => call('copies.begin', this.#at))
  }

  cancel(): Promise<void> {
    return this.#during(null, () => call('copies.cancel', this.#at))
  }

  reveal({ id }: ServerCopy): Promise<void> {
    return this.#during(null, () => call('copies.reveal', { ...this.#at, id }))
  }

  remove({ id }: ServerCopy): Promise<void> {
    return this.#during(null, () => call('copies.remove', { ...this.#at, id }))
  }

  /** Goes on as moving in any other server. */
  startHere({ id }: ServerCopy): Promise<void> {
    return this.#during(`start ${id}`, async () => {
      const local = await call('connections.this-computer')
      panel.take(local)
      const copy = { ...this.#at, id, name: this.server.server?.name ?? '' }
      askedMoveIn.ask({ connectionId: local.id }, copy)
      go({ view: 'create', connectionId: local.id })
    })
  }

  get #at() {
    const { connectionId, serverId } = this.server
    return { connectionId, serverId }
  }

  async #during(busy: typeof this.busy, work: () => Promise<CopyState | void>): Promise<void> {
    this.#busy = busy
    try {
      const now = await work()
      if (now) this.#now = now
    } catch (thrown) {
      notifyProblem(thrown)
    } finally {
      this.#busy = null
    }
  }
}
