/** Some windows come and go: a console stays for so long, ms, since opening one is dear. */
const LINGER_MS = 60_000

interface HostConsole {
  /** What is going on is still to be seen, though no window is open. */
  readonly isBusy?: boolean
  close(): void
}

interface Entry<C> {
  console: C
  key: string
  users: number
  ending: NodeJS.Timeout | null
}

/** The consoles in use, one for each server. */
export class Consoles<C extends HostConsole> {
  readonly #open: (serverId: string, key: string) => C
  readonly #all = new Map<string, Entry<C>>()

  constructor(open: (serverId: string, key: string) => C) {
    this.#open = open
  }

  get size(): number {
    return this.#all.size
  }

  hold(serverId: string, key: string): { console: C; release: () => void } & Disposable {
    let entry = this.#all.get(serverId)
    if (entry && entry.key !== key) this.#end(serverId)
    if (entry?.key !== key) {
      entry = { console: this.#open(serverId, key), key, users: 0, ending: null }
      this.#all.set(serverId, entry)
    }
    entry.users++
    if (entry.ending) clearTimeout(entry.ending)
    const held = entry
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      if (--held.users === 0) this.#endLater(serverId, held)
    }
    return { console: entry.console, release, [Symbol.dispose]: release }
  }

  close(): void {
    for (const serverId of [...this.#all.keys()]) this.#end(serverId)
  }

  #endLater(serverId: string, entry: Entry<C>): void {
    if (this.#all.get(serverId) !== entry) return
    entry.ending = setTimeout(() => {
      if (entry.console.isBusy) this.#endLater(serverId, entry)
      else this.#end(serverId)
    }, LINGER_MS).unref()
  }

  #end(serverId: string): void {
    const entry = this.#all.get(serverId)
    this.#all.delete(serverId)
    if (entry?.ending) clearTimeout(entry.ending)
    entry?.console.close()
  }
}
