import path from 'node:path'
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { refusal } from '../base/refusal.ts'
import { composed } from './folder-outbox.ts'
import { KeptMails } from './kept-mails.ts'
import type { Mail, Outbox } from './mail.ts'
import { SmtpServer, type Outcome } from './smtp-server.ts'
import type { SmtpSettings } from './smtp-settings.ts'
import { RetrySchedule, type Pauses } from './retry-schedule.ts'
import { type QueuedMail, WaitingMails } from './waiting-mails.ts'

const WAITING_MAX = 5000
const FAILED_MAX = 1000

export interface SmtpOutboxOptions extends SmtpSettings {
  folder: string
  clock: Clock
  log: Logger
  pauses?: Pauses
  waitingMax?: number
}

/** Keeps each mail on disk until accepted. A crash right after that sends it twice; none is lost. */
export class SmtpOutbox implements Outbox {
  readonly #options: SmtpOutboxOptions
  readonly #server: SmtpServer
  readonly #waiting: WaitingMails
  readonly #failed: KeptMails
  readonly #schedule: RetrySchedule
  readonly #working: Promise<void>

  private constructor(options: SmtpOutboxOptions, waiting: WaitingMails, names: string[]) {
    const { folder, clock, log } = options
    this.#options = options
    this.#server = new SmtpServer(options, log)
    this.#waiting = waiting
    this.#failed = new KeptMails(path.join(folder, 'failed'), '.eml', clock)
    this.#schedule = new RetrySchedule(clock, options.pauses)
    for (const name of names) this.#schedule.add(name)
    this.#working = this.#work()
  }

  static async open(options: SmtpOutboxOptions): Promise<SmtpOutbox> {
    const waiting = new WaitingMails(options.folder, options.clock)
    const names = await waiting.names().catch((error: unknown) => {
      // New mails will be refused; everything else works.
      options.log.error({ err: error }, 'it could not be found out which mails wait')
      return []
    })
    return new SmtpOutbox(options, waiting, names)
  }

  async ready(): Promise<void> {
    const { waitingMax = WAITING_MAX } = this.#options
    if (this.#schedule.size >= waitingMax) throw refusal(503, 'account.mail-full')
    await this.#waiting.tryRoom()
  }

  async send(mail: Mail): Promise<void> {
    this.#schedule.add(await this.#waiting.add(mail))
  }

  async feign(mail: Mail): Promise<void> {
    await this.#waiting.feign(mail)
  }

  async close(graceMs: number): Promise<void> {
    this.#schedule.end()
    const timer = setTimeout(() => this.#server.cut(), graceMs)
    await this.#working
    clearTimeout(timer)
    this.#server.cut()
  }

  async #work(): Promise<void> {
    const { log, server } = this.#options
    for await (const name of this.#schedule) {
      try {
        await this.#tryOne(name)
      } catch (error) {
        // A local disk error; don't block the others.
        log.error({ err: error, mail: name, server }, 'a mail could not be handled')
        this.#schedule.later(name)
      }
    }
  }

  async #tryOne(name: string): Promise<void> {
    const { clock, log, server } = this.#options
    const mail = await this.#waiting.read(name, log)
    if (!mail) return this.#forget(name)
    const now = clock.now()
    if (now > mail.until) return this.#giveUp(name, mail, 'The mail server did not take it in time.')
    const outcome: Outcome = await this.#server.hand(mail, now)
    if (outcome.kind === 'cut') return
    if (outcome.kind === 'unusable') {
      if (this.#schedule.pauseAll() === 1)
        log.error({ server, reason: outcome.reason }, 'mail cannot be sent')
      return
    }
    if (this.#schedule.goOn()) log.info({ server }, 'mail is sent again')
    if (outcome.kind === 'sent') return this.#forget(name)
    if (outcome.kind === 'refused') return this.#giveUp(name, mail, outcome.reason)
    this.#schedule.later(name)
    log.info({ mail: name, reason: outcome.reason }, 'the mail server takes a mail later')
  }

  async #giveUp(name: string, mail: QueuedMail, reason: string): Promise<void> {
    const { from, clock, log } = this.#options
    const file = await this.#failed.add(await composed(mail, from, clock.now()))
    log.error({ mail: name, kept: `failed/${file}`, reason }, 'a mail could not be sent')
    await this.#forget(name)
    await this.#failed.keepNewest(FAILED_MAX)
  }

  async #forget(name: string): Promise<void> {
    await this.#waiting.remove(name)
    this.#schedule.forget(name)
  }
}
