import type { ServerRef } from '../../../../contract/bridge/values.ts'
import { call } from '../../../core/bridge.ts'
import { notifyProblem } from '../../../ui/feedback/notices.svelte.ts'

const MOST = 50

export class Favorites {
  #paths = $state.raw<readonly string[]>([])
  #server: ServerRef

  constructor(server: ServerRef) {
    this.#server = server
    call('files.favorites', server).then(
      (paths) => (this.#paths = paths),
      // The list works without them.
      () => undefined,
    )
  }

  get paths(): readonly string[] {
    return this.#paths
  }

  has(path: string): boolean {
    return this.#paths.includes(path)
  }

  async toggle(path: string): Promise<void> {
    const before = this.#paths
    const others = before.filter((one) => one !== path)
    const next = this.has(path) ? others : [...others, path].slice(-MOST)
    this.#paths = next
    try {
      this.#paths = await call('files.set-favorites', { ...this.#server, paths: next })
    } catch (thrown) {
      this.#paths = before
      notifyProblem(thrown)
    }
  }
}
