import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import { KeptMails } from './kept-mails.ts'
import type { Mail } from './mail.ts'

const QueuedMail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
  until: z.number(),
})
export type QueuedMail = z.infer<typeof QueuedMail>

/** Mail queue on disk; the service sends it now or at its next start. */
export class WaitingMails {
  readonly #kept: KeptMails
  readonly #clock: Clock

  constructor(folder: string, clock: Clock) {
    this.#kept = new KeptMails(path.join(folder, 'waiting'), '.json', clock)
    this.#clock = clock
  }

  add = (mail: Mail): Promise<string> => this.#kept.add(this.#content(mail))
  feign = (mail: Mail): Promise<void> => this.#kept.feign(this.#content(mail))
  tryRoom = (): Promise<void> => this.#kept.tryRoom()
  names = (): Promise<string[]> => this.#kept.names()
  remove = (name: string): Promise<void> => this.#kept.remove(name)

  /** Null if it isn't a valid mail. Rejects if it can't be read now. */
  async read(name: string, log: Logger): Promise<QueuedMail | null> {
    const content = await readFile(this.#kept.at(name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (content === null) return null
    try {
      return QueuedMail.parse(JSON.parse(content))
    } catch (error) {
      log.error({ err: error, mail: name }, 'a waiting mail is damaged and was not sent')
      return null
    }
  }

  #content({ goodForMs, to, subject, text, html }: Mail): string {
    const mail: QueuedMail = { to, subject, text, html, until: this.#clock.now() + goodForMs }
    return JSON.stringify(mail)
  }
}
