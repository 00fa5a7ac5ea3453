import path from 'node:path'
import { createTransport } from 'nodemailer'
import type { NodemailerError } from 'nodemailer/lib/errors'
import type { Logger } from 'pino'
import { asOneLine } from '../../../contract/messages/one-line.ts'
import type { Clock } from '../../base/clock.ts'
import { refusal } from '../../../host/refusal.ts'
import { emlFolder } from './folder-outbox.ts'
import { asMessage, type Mail, type MailContent, type Outbox } from './mail.ts'
import type { MailFolder } from './mail-folder.ts'
import type { SmtpSettings } from './smtp-settings.ts'
import { type QueuedMail, readWaiting, waitingMails } from './waiting-mails.ts'

const WAITING_MAX = 5000
const FAILED_MAX = 1000

/** In ms, doubling up to `most`. */
export interface Pause {
  first: number
  most: number
}
/** `all`: after the server failed. `one`: after it deferred a mail. */
const PAUSES = { all: { first: 1000, most: 60_000 }, one: { first: 10_000, most: 5 * 60_000 } }

export interface SmtpOutboxOptions extends SmtpSettings {
  folder: string
  clock: Clock
  log: Logger
  pauses?: Record<'all' | 'one', Pause>
  waitingMax?: number
}

/** Monotonic ms from which to try, and how often that was put off. */
interface Due {
  at: number
  tries: number
}

/**
 * Keeps each mail on disk until accepted. A crash right after that sends it twice; none is lost. Nodemailer's pool keeps
 * one connection while there is mail.
 */
export class SmtpOutbox implements Outbox {
  readonly #options: SmtpOutboxOptions
  readonly #transport
  readonly #cut = new AbortController()
  readonly #waiting: MailFolder<Mail>
  readonly #failed: MailFolder<MailContent>
  readonly #mails = new Map<string, Due>()
  readonly #server: Due = { at: 0, tries: 0 }
  readonly #working: Promise<void>
  #ended = false
  #wake: () => void = () => {}

  private constructor(options: SmtpOutboxOptions, waiting: MailFolder<Mail>, names: string[]) {
    const { folder, from, clock, log, transport } = options
    this.#options = options
    this.#transport = createTransport({ ...transport, pool: true, maxConnections: 1 })
    this.#transport.on('error', (error) => log.warn({ err: error }, 'the connection to the mail server'))
    this.#waiting = waiting
    this.#failed = emlFolder(path.join(folder, 'failed'), from, clock)
    for (const name of names) this.#mails.set(name, { at: 0, tries: 0 })
    this.#working = this.#work()
  }

  static async open(options: SmtpOutboxOptions): Promise<SmtpOutbox> {
    const waiting = waitingMails(options.folder, options.clock)
    const names = await waiting.names().catch((error: unknown) => {
      // New mails will be refused; everything else works.
      options.log.error({ err: error }, 'it could not be found out which mails wait')
      return []
    })
    return new SmtpOutbox(options, waiting, names)
  }

  async ready(): Promise<void> {
    const { waitingMax = WAITING_MAX } = this.#options
    if (this.#mails.size >= waitingMax) throw refusal(503, 'account.mail-full')
    await this.#waiting.tryRoom()
  }

  async send(mail: Mail): Promise<void> {
    this.#mails.set(await this.#waiting.add(mail), { at: 0, tries: 0 })
    this.#wake()
  }

  feign = (mail: Mail): Promise<void> => this.#waiting.feign(mail)

  async close(graceMs: number): Promise<void> {
    this.#ended = true
    this.#wake()
    // Whether the server accepted the current mail is then unknown.
    const cut = () => {
      this.#cut.abort()
      this.#transport.close({ force: true })
    }
    const timer = setTimeout(cut, graceMs)
    await this.#working
    clearTimeout(timer)
    cut()
  }

  async #work(): Promise<void> {
    const { log, server } = this.#options
    while (!this.#ended) {
      const next = this.#next()
      if (typeof next === 'number') await this.#sleep(next)
      else
        try {
          await this.#tryOne(next)
        } catch (error) {
          // A local disk error; don't block the others.
          log.error({ err: error, mail: next, server }, 'a mail could not be handled')
          this.#putOff('one', this.#mails.get(next))
        }
    }
  }

  /** The first mail that is due, or the ms until one is. */
  #next(): string | number {
    const now = this.#options.clock.elapsed()
    let inMs = Infinity
    for (const [name, { at }] of this.#mails) {
      const left = Math.max(at, this.#server.at) - now
      if (left <= 0) return name
      inMs = Math.min(inMs, left)
    }
    return inMs
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms < Infinity ? setTimeout(resolve, ms) : undefined
      this.#wake = () => (clearTimeout(timer), resolve())
    })
  }

  #putOff(kind: 'all' | 'one', due: Due | undefined): void {
    const { clock, pauses = PAUSES } = this.#options
    if (due) due.at = clock.elapsed() + Math.min(pauses[kind].first * 2 ** due.tries++, pauses[kind].most)
  }

  async #tryOne(name: string): Promise<void> {
    const { clock, from, log, server } = this.#options
    const mail = await readWaiting(this.#waiting, name, log)
    if (!mail) return this.#forget(name)
    const now = clock.now()
    if (now > mail.until) return this.#giveUp(name, mail, 'The mail server did not take it in time.')
    const { signal } = this.#cut
    const fault = await this.#transport.sendMail({ ...asMessage(mail, from, now), signal }).then(
      () => null,
      (error: NodemailerError) => error,
    )
    if (fault && signal.aborted) return
    // Untrusted text.
    const reason = asOneLine(fault?.message ?? '').slice(0, 300)
    if (fault && isOfServer(fault)) {
      if (this.#server.tries === 0) log.error({ server, reason }, 'mail cannot be sent')
      return this.#putOff('all', this.#server)
    }
    if (this.#server.tries > 0) log.info({ server }, 'mail is sent again')
    this.#server.tries = 0
    if (!fault) return this.#forget(name)
    // 503: bad command sequence, not the mail's fault.
    const { responseCode = 500 } = fault
    if (responseCode >= 500 && responseCode !== 503) return this.#giveUp(name, mail, reason)
    this.#putOff('one', this.#mails.get(name))
    log.info({ mail: name, reason }, 'the mail server takes a mail later')
  }

  async #giveUp(name: string, mail: QueuedMail, reason: string): Promise<void> {
    const file = await this.#failed.add(mail)
    this.#options.log.error({ mail: name, kept: `failed/${file}`, reason }, 'a mail could not be sent')
    await this.#forget(name)
    await this.#failed.keepNewest(FAILED_MAX)
  }

  async #forget(name: string): Promise<void> {
    await this.#waiting.remove(name)
    this.#mails.delete(name)
  }
}

/** Else the mail is to blame. 421 is shutting down; a rejected sender is no fault of this mail. */
const isOfServer = ({ code, responseCode, command }: NodemailerError): boolean =>
  (code !== 'EENVELOPE' && code !== 'EMESSAGE') || responseCode === 421 || command === 'MAIL FROM'
