import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import { isoTime, type Clock } from '../clock.ts'

export interface Mail {
  to: string
  subject: string
  text: string
}

/** Where mail goes. */
export interface Outbox {
  send(mail: Mail): Promise<void>
}

/** Mails that are kept: their names begin with the time, so the oldest go first. The codes in them end after minutes. */
const MAILS_MOST = 1000

async function dropOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml') && !name.startsWith('.'))
  const tooMany = names.sort().slice(0, Math.max(0, names.length - MAILS_MOST))
  for (const name of tooMany) await rm(path.join(folder, name), { force: true })
}

/**
 * An outbox that is a folder: each mail is one `.eml` file, readable for this user alone, whose name begins with the
 * time. It appears whole or not at all, so a program that watches the folder can pass it on.
 */
export function folderOutbox(folder: string, clock: Clock): Outbox {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    async send(mail) {
      const info = await composer.sendMail({
        from: 'Wheelhouse <noreply@localhost>',
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        date: new Date(clock.now()),
        // Nobody's out-of-office answer should come back.
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `${isoTime(clock.now()).replaceAll(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}.eml`
      const hidden = path.join(folder, `.${name}`)
      await writeFile(hidden, info.message as Buffer, { mode: 0o600, flag: 'wx' })
      await rename(hidden, path.join(folder, name))
      await dropOldest(folder)
    },
  }
}
