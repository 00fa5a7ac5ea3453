import type { CopyState, ServerCopy } from '../../../contract/bridge/copy-calls.ts'
import type { RelocationPreview } from '../../../contract/bridge/relocation-calls.ts'
import type { ServerRef } from '../../../contract/bridge/values.ts'
import { asProblem, call, on, Problem } from '../../core/bridge.ts'
import { moveInto } from './move-dialog.svelte.ts'

/** Starts a server on this computer from a copy: the newest there is, or one fetched now. */
export class LocalStart {
  readonly #of: ServerRef
  #copies = $state.raw<CopyState | null>(null)
  #preview = $state.raw<RelocationPreview | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #busy = $state(false)
  isFresh = $state(true)

  constructor(of: ServerRef) {
    this.#of = of
  }

  get newest(): ServerCopy | null {
    return this.#copies?.copies[0] ?? null
  }

  /** Bytes of the copy that is being fetched; null if none is. */
  get running(): CopyState['running'] {
    return this.#busy ? (this.#copies?.running ?? null) : null
  }

  get preview(): RelocationPreview | null {
    return this.#preview
  }

  get problem(): Problem | null {
    return this.#problem
  }

  get busy(): boolean {
    return this.#busy
  }

  async look(): Promise<void> {
    this.#problem = null
    try {
      this.#copies = await call('copies.read', this.#of)
      this.isFresh = this.newest === null
      this.#preview = await call('relocations.preview', { from: this.#of, to: null })
    } catch (thrown) {
      this.#problem = asProblem(thrown)
    }
  }

  /** Returns true once the page that creates the server is shown. */
  async begin(name: string): Promise<boolean> {
    this.#busy = true
    this.#problem = null
    try {
      const copy = this.isFresh ? await this.#fetched() : this.newest
      if (copy) await moveInto(null, { ...this.#of, id: copy.id, name })
    } catch (thrown) {
      this.#problem = asProblem(thrown)
    }
    this.#busy = false
    return this.#problem === null
  }

  async #fetched(): Promise<ServerCopy | null> {
    const { connectionId, serverId } = this.#of
    const { promise, resolve } = Promise.withResolvers<CopyState>()
    let hasBegun = false
    const stop = on('copies', ({ now, ...of }) => {
      if (of.connectionId !== connectionId || of.serverId !== serverId) return
      this.#copies = now
      if (now.running) hasBegun = true
      else if (hasBegun) resolve(now)
    })
    try {
      // One that is being made is as new.
      if (this.#copies?.running) hasBegun = true
      else await call('copies.begin', this.#of)
      const { last, copies } = await promise
      if (last?.problem) throw new Problem(last.problem)
      return copies[0] ?? null
    } finally {
      stop()
    }
  }
}
