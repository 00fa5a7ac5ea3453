import type { z } from 'zod'
import type { AccountEventName, accountEvents } from '../../contract/areas/notifications.ts'
import { HEARTBEAT_MS, PushedEvents, toEvent } from '../http/pushed-events.ts'
import type { Notifications } from './notifications.ts'

/** Servers whose changed scopes wait to be told to one reader; beyond that it is told that any may have changed. */
const SCOPES_DUE = 100

type Data<N extends AccountEventName> = z.input<(typeof accountEvents)[N]>

/** Who reads a stream of an account. */
export interface AccountReader {
  accountId: string
  /** Throws where the sign-in has ended. */
  checkSignIn: () => void
}

/** All open streams of accounts. How many an account can open is bounded where requests are let in. */
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

  /** What an account would read of its notifications is not what it was. */
  notified(accountId: string): void {
    for (const stream of this.#of(accountId)) stream.notified()
  }

  /** Which servers an account has, or is invited to, is not what it was. */
  serversChanged(accountId: string): void {
    for (const stream of this.#of(accountId)) stream.serversChanged()
  }

  /** What an account is offered is not what it was, and so is what it was told of that. */
  offersChanged(accountId: string): void {
    for (const stream of this.#of(accountId)) {
      stream.serversChanged()
      stream.notified()
    }
  }

  /** What an account holds at a server is not what it was: which servers and notifications it sees may not be either. */
  scopesChanged(accountId: string, serverId: string): void {
    for (const stream of this.#of(accountId)) {
      stream.scopesChanged(serverId)
      stream.serversChanged()
      stream.notified()
    }
  }

  /** A sign-in of an account has ended: its streams do too. */
  recheck(accountId: string): void {
    for (const stream of this.#of(accountId)) stream.recheck()
  }

  /** Ends all of them, and those that are opened from now on. */
  close(): void {
    this.#closed = true
    for (const accountId of [...this.#streams.keys()]) for (const stream of this.#of(accountId)) stream.end()
  }

  #of(accountId: string): AccountStream[] {
    return [...(this.#streams.get(accountId) ?? [])]
  }
}

/**
 * What one reader is told of an account. Nothing is prepared before the socket asks for it: of a reader that stops reading
 * only what is due is known, and that is bounded, because it is told as it stands then.
 */
export class AccountStream extends PushedEvents {
  readonly #reader: AccountReader
  readonly #news: Pick<Notifications, 'news'>
  #told: number
  /** Due from the beginning: whoever comes again learns how it stands now. */
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

  /** Ends the stream, and says why, where its sign-in has ended. */
  recheck(): void {
    if (!this.#isSignedIn()) this.end(event('signed-out', {}))
  }

  protected async next(): Promise<Buffer | null> {
    for (;;) {
      if (this.ended) return null
      // Each time: a sign-in that runs out is told to nobody.
      this.recheck()
      if (this.ended) return null
      const text = this.#due()
      if (text !== '') return Buffer.from(text)
      if (!(await this.wait(HEARTBEAT_MS)) && this.#isSignedIn()) return null
    }
  }

  /** All that is due, as it stands now. */
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
