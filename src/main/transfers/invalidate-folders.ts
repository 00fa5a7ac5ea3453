import type { ServerRef } from '../../contract/bridge/values.ts'
import type { TransferRow } from './store/rows.ts'

/** While files land, the views of their server are read again this often, in ms. */
const LANDED_EVERY = 2000

/** Files land in crowds: who shows those of a server is told every other second, and of the last one at once. */
export class FolderInvalidation {
  readonly #waiting = new Map<string, NodeJS.Timeout>()
  readonly #tell: (server: ServerRef) => void

  constructor(tell: (server: ServerRef) => void) {
    this.#tell = tell
  }

  /** Files of a transfer came to be where they belong. `now`: the last of them. */
  landed({ kind, connectionId, serverId }: TransferRow, now: boolean): void {
    if (kind === 'download') return
    const key = `${connectionId}\n${serverId}`
    const tell = () => {
      clearTimeout(this.#waiting.get(key))
      this.#waiting.delete(key)
      this.#tell({ connectionId, serverId })
    }
    if (now) tell()
    else if (!this.#waiting.has(key)) this.#waiting.set(key, setTimeout(tell, LANDED_EVERY))
  }

  close(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer)
    this.#waiting.clear()
  }
}
