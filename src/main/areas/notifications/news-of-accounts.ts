import { AccountNews, type AccountNewsPorts } from './account-news.ts'

export type NewsPortsOf = (connectionId: string) => AccountNewsPorts

export class NewsOfAccounts {
  readonly #news = new Map<string, AccountNews>()
  readonly #portsOf: NewsPortsOf

  constructor(portsOf: NewsPortsOf) {
    this.#portsOf = portsOf
  }

  open(connectionId: string): void {
    const known = this.#news.get(connectionId)
    if (known) known.restart()
    else this.#news.set(connectionId, new AccountNews(this.#portsOf(connectionId)))
  }

  close(connectionId: string): void {
    this.#news.get(connectionId)?.stop()
    this.#news.delete(connectionId)
  }

  stop(): void {
    for (const connectionId of [...this.#news.keys()]) this.close(connectionId)
  }
}
