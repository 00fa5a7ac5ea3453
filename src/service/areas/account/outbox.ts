import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import { isoTime, type Clock } from '../../clock.ts'

export interface Mail {
  to: string
  subject: string
  text: string
}

/** Where mail goes. */
export interface Outbox {
  /** Rejects where no mail could be written now. Asked before it is promised to anybody that one is sent. */
  ready(): Promise<void>
  send(mail: Mail): Promise<void>
}

/** Strangers can have mails written: of more than so many the oldest are removed. Their codes have ended long before. */
const KEPT_MAX = 10_000
/** After how many mails that is looked at. */
const LOOK_EVERY = 500
/** What is not whole yet: what room is tried with, and mails that are being written. */
const HIDDEN = /^\.room-[\da-f]{8}$|^\.\d.*-[\da-f]{8}\.eml$/
/** More than any mail takes. Bytes. */
const PROBE = Buffer.alloc(8 * 1024)

/**
 * An outbox that is a folder: each mail is one `.eml` file, readable for this user alone, whose name begins with the
 * time. It appears whole or not at all, so a program that watches the folder can pass it on.
 */
export function folderOutbox(folder: string, clock: Clock, keptMax = KEPT_MAX): Outbox {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  let written = 0
  let leftOver: Promise<unknown> | null = null
  const make = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Once, before this run writes anything there.
    await (leftOver ??= removeLeftOver().catch(() => undefined))
  }
  const random = () => randomBytes(4).toString('hex')

  /** Names begin with the time, so the oldest come first. */
  async function removeOldest(): Promise<void> {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
    for (const name of names.slice(0, -keptMax)) await rm(path.join(folder, name), { force: true })
  }

  /** What a run that was killed was writing. */
  async function removeLeftOver(): Promise<void> {
    for (const name of await readdir(folder))
      if (HIDDEN.test(name)) await rm(path.join(folder, name), { force: true })
  }

  return {
    async ready() {
      await make()
      const probe = path.join(folder, `.room-${random()}`)
      try {
        await writeFile(probe, PROBE, { mode: 0o600, flag: 'wx' })
      } finally {
        await rm(probe, { force: true })
      }
    },
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
      await make()
      const name = `${isoTime(clock.now()).replaceAll(/[:.]/g, '-')}-${random()}.eml`
      const hidden = path.join(folder, `.${name}`)
      await writeFile(hidden, info.message as Buffer, { mode: 0o600, flag: 'wx' })
      await rename(hidden, path.join(folder, name))
      if (written++ % LOOK_EVERY === 0) await removeOldest()
    },
  }
}
