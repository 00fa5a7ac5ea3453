import { AccountNews, type AccountNewsPorts } from './account-news.ts'

/** What a connection's own news need. */
export type NewsPortsOf = (connectionId: string) => AccountNewsPorts

/** The news of all connections that can be used now. */
export class NewsOfAccounts {
  readonly #news = new Map<string, AccountNews>()
  readonly #portsOf: NewsPortsOf

  constructor(portsOf: NewsPortsOf) {
    this.#portsOf = portsOf
  }

  /** Begins with a connection that can be used now; one that was begun connects anew. */
  open(connectionId: string): void {
    const known = this.#news.get(connectionId)
    if (known) known.restart()
    else this.#news.set(connectionId, new AccountNews(this.#portsOf(connectionId)))
  }

  /** Ends with a connection that is signed out, or gone. */
  close(connectionId: string): void {
    this.#news.get(connectionId)?.stop()
    this.#news.delete(connectionId)
  }

  stop(): void {
    for (const connectionId of [...this.#news.keys()]) this.close(connectionId)
  }
}
