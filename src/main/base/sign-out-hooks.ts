/** Forgets a connection's data. Throws if it cannot; the sign-out can then be repeated. */
export type SignOutHook = (connectionId: string) => void | Promise<void>

export class SignOutHooks {
  readonly #leaves: SignOutHook[] = []
  readonly #forgets: SignOutHook[] = []

  /** `leave` ends pending work within a few seconds, while the token is still valid. */
  onLeave(leave: SignOutHook): void {
    this.#leaves.push(leave)
  }

  add(forget: SignOutHook): void {
    this.#forgets.push(forget)
  }

  async leave(connectionId: string): Promise<void> {
    for (const leave of this.#leaves) await leave(connectionId)
  }

  /** Reverse order of registration: later modules build on earlier ones. Stops at the first that throws. */
  async forget(connectionId: string): Promise<void> {
    for (const forget of this.#forgets.toReversed()) await forget(connectionId)
  }
}
