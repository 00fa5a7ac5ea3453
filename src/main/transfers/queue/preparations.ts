import { batchOf } from '../send/batch.ts'
import { prepare, type Prepared } from './preflight.ts'
import type { QueuePorts } from './ports.ts'
import type { BatchSize, TransferRow } from '../store/rows.ts'

/** What is known of transfers before their first byte, and which of their files go together. */
export class Preparations {
  readonly #ports: QueuePorts
  readonly #asked: (row: TransferRow, fault: unknown) => void
  /** Null while it is being asked. */
  readonly #known = new Map<string, Prepared | null>()
  readonly #noBatch = new Set<string>()

  /** @param asked told when the services have answered; `fault` is null where they have */
  constructor(ports: QueuePorts, asked: (row: TransferRow, fault: unknown) => void) {
    this.#ports = ports
    this.#asked = asked
  }

  /** What was learned; null while that is asked, which holds up nobody else. */
  of(row: TransferRow): Prepared | null {
    const known = this.#known.get(row.id)
    if (known !== undefined) return known
    this.#known.set(row.id, null)
    void this.#ask(row).then(
      () => this.#asked(row, null),
      (fault: unknown) => {
        this.#known.delete(row.id)
        this.#asked(row, fault)
      },
    )
    return null
  }

  isAsking(transferId: string): boolean {
    return this.#known.get(transferId) === null
  }

  /** Which files of a transfer go together; null where each goes by itself. */
  batch(row: TransferRow, prepared: Prepared): BatchSize | null {
    return row.kind !== 'download' && !this.#noBatch.has(row.id) ? batchOf(row, prepared) : null
  }

  /** The service takes no batches after all. */
  noBatch(transferId: string): void {
    this.#noBatch.add(transferId)
  }

  forget(transferId: string): void {
    this.#known.delete(transferId)
    this.#noBatch.delete(transferId)
  }

  async #ask(row: TransferRow): Promise<void> {
    const { client, store } = this.#ports
    const from = row.fromConnectionId === null ? null : client(row.fromConnectionId)
    const asked = await prepare(row, client(row.connectionId), from, store)
    // It may have been forgotten meanwhile.
    if (this.#known.has(row.id)) this.#known.set(row.id, asked)
  }
}
