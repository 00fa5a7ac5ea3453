/** Forgets what a room holds of a connection that signs out. Throws where it cannot: the sign-out can be tried again. */
export type Forget = (connectionId: string) => void | Promise<void>

/** What has to be forgotten of a connection when it signs out: each room that holds something of it says how. */
export class ForgetList {
  readonly #forgets: Forget[] = []

  add(forget: Forget): void {
    this.#forgets.push(forget)
  }

  /**
   * Asks one room after the other, the last that came first: it was built on those before it, and would otherwise write to
   * them once more. The first that throws ends it.
   */
  async forget(connectionId: string): Promise<void> {
    for (const forget of this.#forgets.toReversed()) await forget(connectionId)
  }
}
