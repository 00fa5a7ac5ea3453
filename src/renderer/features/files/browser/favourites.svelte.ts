import type { ServerRef } from '../../../../contract/bridge/values.ts'
import { call } from '../../../core/bridge.ts'
import { notifyProblem } from '../../../ui/feedback/notices.svelte.ts'

/** Most places that are kept at hand for a server. */
const MOST = 50

/** Folders of a server that a person wants at hand. They are kept on this computer. */
export class Favourites {
  #paths = $state.raw<readonly string[]>([])
  #server: ServerRef

  constructor(server: ServerRef) {
    this.#server = server
    call('files.favourites', server).then(
      (paths) => (this.#paths = paths),
      // A list without them is of use; that they are missing says it.
      () => undefined,
    )
  }

  get paths(): readonly string[] {
    return this.#paths
  }

  has(path: string): boolean {
    return this.#paths.includes(path)
  }

  /** Puts a folder among them, or takes it out. */
  async toggle(path: string): Promise<void> {
    const before = this.#paths
    const others = before.filter((one) => one !== path)
    const next = this.has(path) ? others : [...others, path].slice(-MOST)
    this.#paths = next
    try {
      this.#paths = await call('files.set-favourites', { ...this.#server, paths: next })
    } catch (thrown) {
      this.#paths = before
      notifyProblem(thrown)
    }
  }
}
