import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { Refusal } from '../refusal.ts'
import { composed } from './folder-outbox.ts'
import { KeptMails } from './kept-mails.ts'
import type { Mail, Outbox } from './mail.ts'
import { SmtpServer, type Outcome } from './smtp-server.ts'
import type { SmtpSettings } from './smtp-settings.ts'
import { Turns, type Pauses } from './turns.ts'

/** A mail that waits, as its file holds it. */
const Waiting = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
  /** Milliseconds since 1970; later it is of no use. */
  until: z.number(),
})
type Waiting = z.infer<typeof Waiting>

/** Mails that may wait at the same time. */
const WAITING_MAX = 5000
/** Mails that could not be sent: of more than so many the oldest are removed. */
const FAILED_MAX = 1000

export interface SmtpOutboxOptions extends SmtpSettings {
  folder: string
  clock: Clock
  log: Logger
  /** Other than usual, for tests. */
  pauses?: Pauses
  waitingMax?: number
}

/**
 * Keeps each mail as a file until the mail server has taken it, one after the other, so that neither a restart nor a server
 * that cannot be reached loses any. One that is refused, or not taken as long as it is of use, is put into `failed`, and the
 * log says why. A crash between the server's word and the removal of the file sends a mail twice; none is lost.
 */
export class SmtpOutbox implements Outbox {
  readonly #options: SmtpOutboxOptions
  readonly #server: SmtpServer
  readonly #waiting: KeptMails
  readonly #failed: KeptMails
  readonly #turns: Turns
  readonly #working: Promise<void>

  private constructor(options: SmtpOutboxOptions, waiting: KeptMails, names: string[]) {
    const { folder, clock, log } = options
    this.#options = options
    this.#server = new SmtpServer(options, log)
    this.#waiting = waiting
    this.#failed = new KeptMails(path.join(folder, 'failed'), '.eml', clock)
    this.#turns = new Turns(clock, options.pauses)
    for (const name of names) this.#turns.add(name)
    this.#working = this.#work()
  }

  /** Opens it and goes on with what an earlier run left. */
  static async open(options: SmtpOutboxOptions): Promise<SmtpOutbox> {
    const waiting = new KeptMails(path.join(options.folder, 'waiting'), '.json', options.clock)
    return new SmtpOutbox(options, waiting, await waiting.names())
  }

  async ready(): Promise<void> {
    const { waitingMax = WAITING_MAX } = this.#options
    if (this.#turns.size >= waitingMax)
      throw new Refusal(503, 'account.mail-full', 'Too many emails are waiting to be sent. Try again later.')
    await this.#waiting.tryRoom()
  }

  async send({ to, subject, text, html, goodForMs }: Mail): Promise<void> {
    const mail: Waiting = { to, subject, text, html, until: this.#options.clock.now() + goodForMs }
    this.#turns.add(await this.#waiting.add(JSON.stringify(mail)))
  }

  async feign({ to, subject, text, html, goodForMs }: Mail): Promise<void> {
    const mail: Waiting = { to, subject, text, html, until: this.#options.clock.now() + goodForMs }
    await this.#waiting.feign(JSON.stringify(mail))
  }

  /** What is under way has so many milliseconds; everything else waits for the next start. */
  async close(graceMs: number): Promise<void> {
    this.#turns.end()
    const timer = setTimeout(() => this.#server.cut(), graceMs)
    await this.#working
    clearTimeout(timer)
    this.#server.cut()
  }

  async #work(): Promise<void> {
    const { log, server } = this.#options
    for await (const name of this.#turns) {
      try {
        await this.#tryOne(name)
      } catch (error) {
        // Of our own disk. It holds no other up.
        log.error({ err: error, mail: name, server }, 'a mail could not be handled')
        this.#turns.later(name)
      }
    }
  }

  async #tryOne(name: string): Promise<void> {
    const { clock, log, server } = this.#options
    const mail = await this.#read(name)
    if (!mail) return this.#forget(name)
    const now = clock.now()
    if (now > mail.until) return this.#giveUp(name, mail, 'The mail server did not take it in time.')
    const outcome: Outcome = await this.#server.hand(mail, now)
    if (outcome.kind === 'cut') return
    if (outcome.kind === 'unusable') {
      if (this.#turns.pauseAll() === 1) log.error({ server, reason: outcome.reason }, 'mail cannot be sent')
      return
    }
    if (this.#turns.goOn()) log.info({ server }, 'mail is sent again')
    if (outcome.kind === 'sent') return this.#forget(name)
    if (outcome.kind === 'refused') return this.#giveUp(name, mail, outcome.reason)
    this.#turns.later(name)
    log.info({ mail: name, reason: outcome.reason }, 'the mail server takes a mail later')
  }

  /** What waits under a name; null where that is no mail any more. Rejects where it cannot be read now. */
  async #read(name: string): Promise<Waiting | null> {
    const content = await readFile(this.#waiting.at(name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      // Somebody has taken it away.
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (content === null) return null
    try {
      return Waiting.parse(JSON.parse(content))
    } catch (error) {
      this.#options.log.error({ err: error, mail: name }, 'a waiting mail is damaged and was not sent')
      return null
    }
  }

  async #giveUp(name: string, mail: Waiting, reason: string): Promise<void> {
    const { from, clock, log } = this.#options
    const file = await this.#failed.add(await composed(mail, from, clock.now()))
    log.error({ mail: name, kept: `failed/${file}`, reason }, 'a mail could not be sent')
    await this.#forget(name)
    await this.#failed.keepNewest(FAILED_MAX)
  }

  async #forget(name: string): Promise<void> {
    await this.#waiting.remove(name)
    this.#turns.forget(name)
  }
}
