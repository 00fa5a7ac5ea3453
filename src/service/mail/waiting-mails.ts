import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import { KeptMails } from './kept-mails.ts'
import type { Mail } from './mail.ts'

/** A mail that waits, as its file holds it. */
const Waiting = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
  /** Milliseconds since 1970; later it is of no use. */
  until: z.number(),
})
export type Waiting = z.infer<typeof Waiting>

/** The queue of a folder for mail: what is in it is passed on by the service that runs there, now or at its next start. */
export class WaitingMails {
  readonly #kept: KeptMails
  readonly #clock: Clock

  constructor(folder: string, clock: Clock) {
    this.#kept = new KeptMails(path.join(folder, 'waiting'), '.json', clock)
    this.#clock = clock
  }

  /** Keeps one more and answers its name. */
  add = (mail: Mail): Promise<string> => this.#kept.add(this.#content(mail))
  /** Does the work of `add` and keeps nothing. */
  feign = (mail: Mail): Promise<void> => this.#kept.feign(this.#content(mail))
  /** Rejects where no mail could be kept. */
  tryRoom = (): Promise<void> => this.#kept.tryRoom()
  /** The oldest first. */
  names = (): Promise<string[]> => this.#kept.names()
  remove = (name: string): Promise<void> => this.#kept.remove(name)

  /** What waits under a name; null where that is no mail any more. Rejects where it cannot be read now. */
  async read(name: string, log: Logger): Promise<Waiting | null> {
    const content = await readFile(this.#kept.at(name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      // Somebody has taken it away.
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (content === null) return null
    try {
      return Waiting.parse(JSON.parse(content))
    } catch (error) {
      log.error({ err: error, mail: name }, 'a waiting mail is damaged and was not sent')
      return null
    }
  }

  #content({ goodForMs, to, subject, text, html }: Mail): string {
    const mail: Waiting = { to, subject, text, html, until: this.#clock.now() + goodForMs }
    return JSON.stringify(mail)
  }
}
