import { createTransport } from 'nodemailer'
import type { NodemailerError } from 'nodemailer/lib/errors'
import type { Logger } from 'pino'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { asMessage, type MailContent } from './mail.ts'
import type { SmtpSettings } from './smtp-settings.ts'

/** `later` and `refused` concern the mail, `unusable` the server. */
export type Outcome =
  | { kind: 'sent' }
  | { kind: 'cut' }
  | { kind: 'refused'; reason: string }
  | { kind: 'later'; reason: string }
  | { kind: 'unusable'; reason: string }

/** Keeps one connection while there is mail. */
export class SmtpServer {
  readonly #transport
  readonly #from: string
  readonly #cut = new AbortController()

  constructor({ transport, from }: SmtpSettings, log: Logger) {
    this.#from = from
    this.#transport = createTransport({ ...transport, pool: true, maxConnections: 1 })
    this.#transport.on('error', (error) => log.warn({ err: error }, 'the connection to the mail server'))
  }

  /** Never rejects. `now`: Unix ms. */
  async hand(mail: MailContent, now: number): Promise<Outcome> {
    const { signal } = this.#cut
    try {
      await this.#transport.sendMail({ ...asMessage(mail, this.#from, now), signal })
      return { kind: 'sent' }
    } catch (error) {
      return signal.aborted ? { kind: 'cut' } : outcomeOf(error as NodemailerError)
    }
  }

  /** Whether the server accepted the current mail is then unknown. */
  cut(): void {
    this.#cut.abort()
    this.#transport.close({ force: true })
  }
}

function outcomeOf({ message, code, responseCode = 500, command }: NodemailerError): Outcome {
  // Untrusted text.
  const reason = asOneLine(message).slice(0, 300)
  const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  // Shutting down, or rejecting our sender: no fault of this mail.
  if (!isOfMail || responseCode === 421 || command === 'MAIL FROM') return { kind: 'unusable', reason }
  // 503: bad command sequence, not the mail's fault.
  return { kind: responseCode >= 500 && responseCode !== 503 ? 'refused' : 'later', reason }
}
