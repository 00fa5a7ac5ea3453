import { existsSync } from 'node:fs'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { KeptMails } from './kept-mails.ts'
import { asMessage, type Outbox, type MailContent } from './mail.ts'
import { WaitingMails } from './waiting-mails.ts'

/** Strangers can trigger mail, so the oldest are removed. Their codes expired long ago. */
const KEPT_MAX = 10_000
/** Placeholder: the program that forwards the mail has its own address. */
const FROM = 'Wheelhouse <noreply@localhost>'
const LOOK_EVERY = 500

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })

/** RFC 5322. */
export async function composed(mail: MailContent, from: string, now: number): Promise<Buffer> {
  return (await composer.sendMail(asMessage(mail, from, now))).message as Buffer
}

/** Writes `.eml` files for another program to forward. */
export function folderOutbox(folder: string, clock: Clock, keptMax = KEPT_MAX): Outbox {
  const kept = new KeptMails(folder, '.eml', clock)
  let written = 0
  return {
    ready: () => kept.tryRoom(),
    feign: async (mail) => kept.feign(await composed(mail, FROM, clock.now())),
    async send(mail) {
      await kept.add(await composed(mail, FROM, clock.now()))
      if (written++ % LOOK_EVERY === 0) await kept.keepNewest(keptMax)
    },
  }
}

/** Moves mail queued for a mail server into this folder. Expired mail goes to `failed`. */
export async function takeWaiting(folder: string, clock: Clock, log: Logger): Promise<void> {
  if (!existsSync(path.join(folder, 'waiting'))) return
  const waiting = new WaitingMails(folder, clock)
  const [kept, failed] = [folder, path.join(folder, 'failed')].map((at) => new KeptMails(at, '.eml', clock))
  for (const name of await waiting.names()) {
    try {
      const mail = await waiting.read(name, log)
      const now = clock.now()
      if (mail) await (now > mail.until ? failed : kept)?.add(await composed(mail, FROM, now))
      await waiting.remove(name)
    } catch (error) {
      log.error({ err: error, mail: name }, 'a mail that waits could not be put into the outbox')
    }
  }
}
