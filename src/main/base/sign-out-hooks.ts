/** Forgets what a room holds of a connection that signs out. Throws where it cannot: the sign-out can be tried again. */
export type SignOutHook = (connectionId: string) => void | Promise<void>

/** What has to be forgotten of a connection when it signs out: each room that holds something of it says how. */
export class SignOutHooks {
  readonly #leaves: SignOutHook[] = []
  readonly #forgets: SignOutHook[] = []

  /** `leave` ends what is under way, in a few seconds at most, while the connection's token still holds. */
  onLeave(leave: SignOutHook): void {
    this.#leaves.push(leave)
  }

  add(forget: SignOutHook): void {
    this.#forgets.push(forget)
  }

  /** Before the token goes: ends what a connection has under way. */
  async leave(connectionId: string): Promise<void> {
    for (const leave of this.#leaves) await leave(connectionId)
  }

  /**
   * Asks one room after the other, the last that came first: it was built on those before it, and would otherwise write to
   * them once more. The first that throws ends it.
   */
  async forget(connectionId: string): Promise<void> {
    for (const forget of this.#forgets.toReversed()) await forget(connectionId)
  }
}
