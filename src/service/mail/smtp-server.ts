import { createTransport } from 'nodemailer'
import type { NodemailerError } from 'nodemailer/lib/errors'
import type { Logger } from 'pino'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { asMessage, type Written } from './mail.ts'
import type { SmtpSettings } from './smtp-settings.ts'

/** What became of a mail that was handed over: `later` and `refused` are the mail's own affair, `unusable` the server's. */
export type Outcome =
  | { kind: 'sent' }
  | { kind: 'cut' }
  | { kind: 'refused'; reason: string }
  | { kind: 'later'; reason: string }
  | { kind: 'unusable'; reason: string }

/** The mail server, over one connection that stands while there is mail. */
export class SmtpServer {
  readonly #transport
  readonly #from: string
  readonly #cut = new AbortController()

  constructor({ transport, from }: SmtpSettings, log: Logger) {
    this.#from = from
    this.#transport = createTransport({ ...transport, pool: true, maxConnections: 1 })
    this.#transport.on('error', (error) => log.warn({ err: error }, 'the connection to the mail server'))
  }

  /** Hands a mail over. Never rejects. `now`: milliseconds since 1970. */
  async hand(mail: Written, now: number): Promise<Outcome> {
    const { signal } = this.#cut
    try {
      await this.#transport.sendMail({ ...asMessage(mail, this.#from, now), signal })
      return { kind: 'sent' }
    } catch (error) {
      return signal.aborted ? { kind: 'cut' } : outcomeOf(error as NodemailerError)
    }
  }

  /** Ends what is under way: nobody knows whether the server has taken it. */
  cut(): void {
    this.#cut.abort()
    this.#transport.close({ force: true })
  }
}

function outcomeOf({ message, code, responseCode = 500, command }: NodemailerError): Outcome {
  // What a mail server says is a stranger's text.
  const reason = asOneLine(message).slice(0, 300)
  const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  // It is closing, or takes nothing from our sender: that has to be mended there or here, and no mail is to blame.
  if (!isOfMail || responseCode === 421 || command === 'MAIL FROM') return { kind: 'unusable', reason }
  // 503: the conversation went wrong, not the mail.
  return { kind: responseCode >= 500 && responseCode !== 503 ? 'refused' : 'later', reason }
}
