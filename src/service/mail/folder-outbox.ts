import { createTransport } from 'nodemailer'
import type { Clock } from '../clock.ts'
import { KeptMails } from './kept-mails.ts'
import { asMessage, type Outbox, type Written } from './mail.ts'

/** Strangers can have mails written: of more than so many the oldest are removed. Their codes have ended long before. */
const KEPT_MAX = 10_000
/** Whoever passes the mails on has an address. */
const FROM = 'Wheelhouse <noreply@localhost>'
/** After how many mails that is looked at. */
const LOOK_EVERY = 500

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })

/** A mail as a program that sends mail takes it (RFC 5322). */
export async function composed(mail: Written, from: string, now: number): Promise<Buffer> {
  return (await composer.sendMail(asMessage(mail, from, now))).message as Buffer
}

/** An outbox that is a folder of `.eml` files: a program that watches it can pass them on. */
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
