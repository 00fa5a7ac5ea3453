import type { z } from 'zod'
import type { AccountEventName, accountEvents } from '../../../contract/areas/notifications.ts'
import { HEARTBEAT_MS, PushedEvents, toEvent } from '../../http/pushed-events.ts'
import type { Notifications } from './notifications.ts'

/** Beyond that, the reader is told that any server may have changed. */
const SCOPES_DUE = 100

type Data<N extends AccountEventName> = z.input<(typeof accountEvents)[N]>

interface AccountReader {
  accountId: string
  /** Throws once the sign-in has ended. */
  checkSignIn: () => void
}

/** Requests limit how many streams an account can open. */
export class AccountStreams {
  readonly #streams = new Map<string, Set<AccountStream>>()
  readonly #news: Pick<Notifications, 'news' | 'newest'>
  #closed = false

  constructor(news: Pick<Notifications, 'news' | 'newest'>) {
    this.#news = news
  }

  open(reader: AccountReader): AccountStream {
    const { accountId } = reader
    const stream = new AccountStream(reader, this.#news)
    const all = this.#streams.get(accountId) ?? new Set()
    this.#streams.set(accountId, all.add(stream))
    stream.onEnd(() => {
      all.delete(stream)
      if (all.size === 0 && this.#streams.get(accountId) === all) this.#streams.delete(accountId)
    })
    if (this.#closed) stream.end()
    return stream
  }

  notified(accountId: string): void {
    for (const stream of this.#of(accountId)) stream.notified()
  }

  serversChanged(accountId: string): void {
    for (const stream of this.#of(accountId)) stream.serversChanged()
  }

  /** Invitations changed, and their notifications. */
  offersChanged(accountId: string): void {
    for (const stream of this.#of(accountId)) {
      stream.serversChanged()
      stream.notified()
    }
  }

  /** This may also change which servers and notifications it sees. */
  scopesChanged(accountId: string, serverId: string): void {
    for (const stream of this.#of(accountId)) {
      stream.scopesChanged(serverId)
      stream.serversChanged()
      stream.notified()
    }
  }

  recheck(accountId: string): void {
    for (const stream of this.#of(accountId)) stream.recheck()
  }

  /** Also ends streams opened later. */
  close(): void {
    this.#closed = true
    for (const accountId of [...this.#streams.keys()]) for (const stream of this.#of(accountId)) stream.end()
  }

  #of(accountId: string): AccountStream[] {
    return [...(this.#streams.get(accountId) ?? [])]
  }
}

/** Builds data only when the socket asks for it, so slow readers cost a bounded amount and get the current state. */
class AccountStream extends PushedEvents {
  readonly #reader: AccountReader
  readonly #news: Pick<Notifications, 'news'>
  #told: number
  /** Initially due: reconnecting clients get the current state. */
  #notifiedDue = true
  #serversDue = false
  readonly #scopesDue = new Set<string>()
  #allScopesDue = false

  constructor(reader: AccountReader, news: Pick<Notifications, 'news' | 'newest'>) {
    super()
    this.#reader = reader
    this.#news = news
    this.#told = news.newest()
  }

  notified(): void {
    this.#notifiedDue = true
    this.wake()
  }

  serversChanged(): void {
    this.#serversDue = true
    this.wake()
  }

  scopesChanged(serverId: string): void {
    if (this.#scopesDue.size < SCOPES_DUE) this.#scopesDue.add(serverId)
    else this.#allScopesDue = true
    this.wake()
  }

  recheck(): void {
    if (!this.#isSignedIn()) this.end(event('signed-out', {}))
  }

  protected async next(): Promise<Buffer | null> {
    for (;;) {
      if (this.ended) return null
      // Check each time: nothing announces an expired sign-in.
      this.recheck()
      if (this.ended) return null
      const text = this.#due()
      if (text !== '') return Buffer.from(text)
      if (!(await this.wait(HEARTBEAT_MS)) && this.#isSignedIn()) return null
    }
  }

  #due(): string {
    let text = ''
    if (this.#serversDue) text += event('servers', {})
    for (const serverId of this.#scopesDue) text += event('scopes', { serverId })
    if (this.#allScopesDue) text += event('scopes', {})
    if (this.#notifiedDue) {
      const { unread, came, newest } = this.#news.news(this.#reader.accountId, this.#told)
      this.#told = newest
      if (came.length === 0) text += event('notification', { unread, notification: null })
      for (const notification of came) text += event('notification', { unread, notification })
    }
    this.#serversDue = this.#notifiedDue = this.#allScopesDue = false
    this.#scopesDue.clear()
    return text
  }

  #isSignedIn(): boolean {
    try {
      this.#reader.checkSignIn()
      return true
    } catch {
      return false
    }
  }
}

const event = <N extends AccountEventName>(name: N, data: Data<N>): string => toEvent(name, data)
