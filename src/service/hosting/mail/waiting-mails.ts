import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import type { Mail } from './mail.ts'
import { MailFolder } from './mail-folder.ts'

const QueuedMail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
  until: z.number(),
})
export type QueuedMail = z.infer<typeof QueuedMail>

/** Mail queue on disk; the service sends it now or at its next start. */
export const waitingMails = (folder: string, clock: Clock) =>
  new MailFolder(path.join(folder, 'waiting'), '.json', clock, ({ goodForMs, ...mail }: Mail) =>
    JSON.stringify({ ...mail, until: clock.now() + goodForMs } satisfies QueuedMail),
  )

/** Null if it isn't a valid mail. Rejects if it can't be read now. */
export async function readWaiting(
  waiting: MailFolder<Mail>,
  name: string,
  log: Logger,
): Promise<QueuedMail | null> {
  const content = await readFile(waiting.at(name), 'utf8').catch((error: NodeJS.ErrnoException) => {
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
