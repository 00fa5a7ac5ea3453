import { existsSync } from 'node:fs'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { asMessage, type Outbox, type MailContent } from './mail.ts'
import { MailFolder } from './mail-folder.ts'
import { readWaiting, waitingMails } from './waiting-mails.ts'

/** Strangers can trigger mail, so the oldest are removed. Their codes expired long ago. */
const KEPT_MAX = 10_000
/** Placeholder: the program that forwards the mail has its own address. */
const FROM = 'Wheelhouse <noreply@localhost>'
const LOOK_EVERY = 500

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })

/** Of `.eml` files (RFC 5322). */
export const emlFolder = (folder: string, from: string, clock: Clock) =>
  new MailFolder(
    folder,
    '.eml',
    clock,
    async (mail: MailContent) =>
      (await composer.sendMail(asMessage(mail, from, clock.now()))).message as Buffer,
  )

/** Writes `.eml` files for another program to forward. */
export function folderOutbox(folder: string, clock: Clock, keptMax = KEPT_MAX): Outbox {
  const kept = emlFolder(folder, FROM, clock)
  let written = 0
  return {
    ready: () => kept.tryRoom(),
    feign: (mail) => kept.feign(mail),
    async send(mail) {
      await kept.add(mail)
      if (written++ % LOOK_EVERY === 0) await kept.keepNewest(keptMax)
    },
  }
}

/** Moves mail queued for a mail server into this folder. Expired mail goes to `failed`. */
export async function takeWaiting(folder: string, clock: Clock, log: Logger): Promise<void> {
  if (!existsSync(path.join(folder, 'waiting'))) return
  const waiting = waitingMails(folder, clock)
  const [kept, failed] = [emlFolder(folder, FROM, clock), emlFolder(path.join(folder, 'failed'), FROM, clock)]
  for (const name of await waiting.names()) {
    try {
      const mail = await readWaiting(waiting, name, log)
      if (mail) await (clock.now() > mail.until ? failed : kept).add(mail)
      await waiting.remove(name)
    } catch (error) {
      log.error({ err: error, mail: name }, 'a mail that waits could not be put into the outbox')
    }
  }
}
