import type { View } from '../../../contract/bridge/values.ts'
import type { DesktopEvent } from '../facts.ts'

/** Events kept per account; what is beyond could only become part of a count. */
const WAITING_MOST = 100

/** Holds back what happens at an account until its mutes and quiet hours were read, or can't be. */
export class UntilRules {
  readonly #tell: (happening: DesktopEvent) => void
  readonly #waiting = new Map<string, DesktopEvent[]>()

  constructor(tell: (happening: DesktopEvent) => void) {
    this.#tell = tell
  }

  wait(connectionId: string): void {
    if (!this.#waiting.has(connectionId)) this.#waiting.set(connectionId, [])
  }

  take(happening: DesktopEvent): void {
    const { connectionId } = happening.kind === 'transfer' ? happening.transfer.server : happening
    const waiting = this.#waiting.get(connectionId)
    if (!waiting) this.#tell(happening)
    else if (waiting.length < WAITING_MOST) waiting.push(happening)
  }

  /** Null: the read itself failed. An empty view without a problem is still being read. */
  answered(connectionId: string, view: Pick<View<unknown>, 'value' | 'problem'> | null): void {
    if (view && view.value === null && view.problem === null) return
    const waiting = this.#waiting.get(connectionId) ?? []
    this.#waiting.delete(connectionId)
    for (const happening of waiting) this.#tell(happening)
  }

  keepOf(connectionIds: ReadonlySet<string>): void {
    for (const id of this.#waiting.keys()) if (!connectionIds.has(id)) this.#waiting.delete(id)
  }
}
