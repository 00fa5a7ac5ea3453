/** Work of a server that would disturb each other, one after the other. */
export class RunLine {
  readonly #last = new Map<string, Promise<void>>()

  /** `work` never rejects. */
  take(serverId: string, work: () => Promise<void>): Promise<void> {
    const mine = (this.#last.get(serverId) ?? Promise.resolve()).then(work)
    this.#last.set(serverId, mine)
    return mine.finally(() => {
      if (this.#last.get(serverId) === mine) this.#last.delete(serverId)
    })
  }
}
