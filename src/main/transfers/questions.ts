import type { QueuePorts } from './queue/ports.ts'
import { remoteEntry } from './items/compare-remote.ts'
import type { TransferRow } from './store/rows.ts'
import type { ConflictQuestion } from './summary.ts'

export class Questions {
  readonly #ports: Pick<QueuePorts, 'store' | 'client'>
  readonly #news: () => void
  readonly #theirs = new Map<number, ConflictQuestion['theirs']>()

  /** @param news called when more is known about a question */
  constructor(ports: Pick<QueuePorts, 'store' | 'client'>, news: () => void) {
    this.#ports = ports
    this.#news = news
  }

  async of(row: TransferRow): Promise<ConflictQuestion | null> {
    const item = await this.#ports.store.firstAsking(row.id)
    if (!item) return null
    const theirs = this.#theirs.get(item.id)
    if (theirs === undefined) {
      this.#theirs.set(item.id, null)
      // In the background: the question doesn't wait for the service.
      void Promise.resolve()
        .then(() => remoteEntry(this.#ports.client(row.connectionId), row, item.target))
        .then((entry) => {
          this.#theirs.set(item.id, entry)
          this.#news()
        })
        .catch(() => undefined)
    }
    return { item, theirs: theirs ?? null }
  }

  answered(itemId: number): void {
    this.#theirs.delete(itemId)
  }
}
