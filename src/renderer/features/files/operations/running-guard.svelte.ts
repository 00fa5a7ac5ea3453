import { propertiesIn } from '../../../../contract/rules/properties-text.ts'
import { isStopped } from '../../../../contract/rules/power.ts'
import { call, send } from '../../../core/bridge.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { isRunning } from '../../../core/servers/status.ts'
import { notifyProblem } from '../../../ui/feedback/notices.svelte.ts'
import { fileInUse, LEVEL, type FileInUse } from './files-in-use.ts'

export interface InUseQuestion extends FileInUse {
  answer: (agreed: boolean) => void
}

/** Asks before a running server loses files that it uses, and can stop it first. */
export class RunningGuard {
  readonly #server: ServerState
  #question = $state.raw<InUseQuestion | null>(null)
  #stopping = $state(false)

  constructor(server: ServerState) {
    this.#server = server
  }

  get question(): InUseQuestion | null {
    return this.#question
  }

  /** Stopping was asked for here; the deletion goes on once the server is off. */
  get isStopping(): boolean {
    return this.#stopping
  }

  get isOff(): boolean {
    return isStopped(this.#server.kind)
  }

  /** Whether the paths may be deleted now. */
  async mayRemove(paths: readonly string[]): Promise<boolean> {
    if (!isRunning(this.#server.status)) return true
    const used = fileInUse(paths, await this.#level())
    if (!used) return true
    return new Promise((resolve) => {
      const answer = (agreed: boolean) => {
        this.#question = null
        this.#stopping = false
        resolve(agreed)
      }
      this.#question = { ...used, answer }
    })
  }

  async stop(): Promise<void> {
    this.#stopping = true
    if (this.#server.kind === 'stopping') return
    const { connectionId, serverId } = this.#server
    try {
      await send('servers.power', { connectionId, params: { serverId }, body: { action: 'stop' } })
    } catch (thrown) {
      this.#stopping = false
      notifyProblem(thrown, () => this.#server.server?.name ?? '')
    }
  }

  async #level(): Promise<string> {
    const { connectionId, serverId } = this.#server
    try {
      const { content } = await call('files.read-text', { connectionId, serverId, path: 'server.properties' })
      const level = content.kind === 'text' ? propertiesIn(content.text).get('level-name') : undefined
      return level?.trim() || LEVEL
    } catch {
      return LEVEL
    }
  }
}
