import type { ServerRef } from '../../contract/bridge/values.ts'
import type { TransferRow } from './store/rows.ts'

const LANDED_EVERY = 2000

/** Batches refreshes while files arrive; the last file triggers one immediately. */
export class FolderInvalidation {
  readonly #waiting = new Map<string, NodeJS.Timeout>()
  readonly #tell: (server: ServerRef) => void

  constructor(tell: (server: ServerRef) => void) {
    this.#tell = tell
  }

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
