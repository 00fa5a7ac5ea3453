import { SvelteMap } from 'svelte/reactivity'
import type { Node, NodeServer } from '../../../../contract/areas/nodes.ts'
import { asProblem, type Problem, send } from '../../../core/bridge.ts'

export type Move =
  | { kind: 'moving' }
  /** `node`: null if it isn't told. */
  | { kind: 'moved'; node: string | null }
  | { kind: 'failed' }

/** Lets a node take no more servers, and restarts its servers one after another. */
export class DrainPlan {
  readonly connectionId: string
  readonly node: Node
  /** By server. */
  readonly moves = new SvelteMap<string, Move>()
  busy = $state(false)
  problem = $state.raw<Problem | null>(null)
  #isLeft = false

  constructor(connectionId: string, node: Node) {
    this.connectionId = connectionId
    this.node = node
  }

  get servers(): readonly NodeServer[] {
    return this.node.servers ?? []
  }

  get movable(): readonly NodeServer[] {
    return this.servers.filter(({ isPinned }) => !isPinned)
  }

  /** Of servers that are restarted. */
  get players(): number {
    return this.movable.reduce((sum, { players }) => sum + (players?.online ?? 0), 0)
  }

  /** Returns whether all of it worked. */
  async carryOut(): Promise<boolean> {
    this.busy = true
    this.problem = null
    const at = { connectionId: this.connectionId, params: { nodeId: this.node.id } }
    try {
      if (!this.node.isDraining) await send('nodes.drain', { ...at, body: { isDraining: true } })
      for (const { id } of this.movable)
        if (!this.#isLeft && this.moves.get(id)?.kind !== 'moved') await this.#move(id, at)
      return this.servers.every(({ id }) => this.moves.get(id)?.kind === 'moved')
    } catch (thrown) {
      this.problem = asProblem(thrown)
      return false
    } finally {
      this.busy = false
    }
  }

  /** The server that is being restarted is the last one. */
  leave(): void {
    this.#isLeft = true
  }

  async #move(serverId: string, at: { connectionId: string; params: { nodeId: string } }): Promise<void> {
    this.moves.set(serverId, { kind: 'moving' })
    try {
      const answer = await send('nodes.move', { ...at, body: { serverId } })
      const isOnline = answer?.status === 'online'
      this.moves.set(serverId, isOnline ? { kind: 'moved', node: answer.node ?? null } : { kind: 'failed' })
    } catch (thrown) {
      this.moves.delete(serverId)
      throw thrown
    }
  }
}
