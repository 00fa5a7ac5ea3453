import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/service/base/clock.ts'
import { temporaryFolder } from '../../src/service/service.fixture.ts'
import { SmtpOutbox, type SmtpOutboxOptions } from '../../src/service/hosting/mail/smtp-outbox.ts'
import { smtpSettings } from '../../src/service/hosting/mail/smtp-settings.ts'

/** What a mail server says: nothing where it takes a mail on. */
export type Says = { code: number; words: string } | undefined

export interface MailServer {
  port: number
  /** Resolves with the next mail that it has taken. */
  next(): Promise<{ to: string; content: string }>
  /** How many conversations were begun. */
  conversations(): number
  close(): Promise<void>
}

interface Answers {
  /** What it says to a recipient, or to what it was sent. */
  toRecipient?: (address: string) => Says
  toMail?: (content: string) => Says
  toSender?: (address: string) => Says
}

const refusal = (says: Says) => says && Object.assign(new Error(says.words), { responseCode: says.code })

/** A real mail server on a free port of loopback. */
export async function mailServer(
  { toRecipient, toMail, toSender }: Answers = {},
  options: SMTPServerOptions & { port?: number } = {},
): Promise<MailServer> {
  const taken: { to: string; content: string }[] = []
  const waiting: ((mail: { to: string; content: string }) => void)[] = []
  let conversations = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    ...options,
    onConnect(_session, callback) {
      conversations += 1
      callback()
    },
    onMailFrom: ({ address }, _session, callback) => callback(refusal(toSender?.(address))),
    onRcptTo: ({ address }, _session, callback) => callback(refusal(toRecipient?.(address))),
    onData(stream, session, callback) {
      void text(stream).then((content) => {
        const says = toMail?.(content)
        if (says) return callback(refusal(says))
        const mail = { to: session.envelope.rcptTo[0]?.address ?? '', content }
        const next = waiting.shift()
        if (next) next(mail)
        else taken.push(mail)
        callback()
      })
    },
  })
  // What a client does to a connection is its affair.
  server.on('error', () => {})
  const listening = server.listen(options.port ?? 0, '127.0.0.1')
  await once(listening, 'listening')
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  onTestFinished(close)
  return {
    port: (listening.address() as AddressInfo).port,
    next: () =>
      new Promise((resolve) => {
        const mail = taken.shift()
        if (mail) resolve(mail)
        else waiting.push(resolve)
      }),
    conversations: () => conversations,
    close,
  }
}

/** Pauses that a test can wait for. */
const pauses = { all: { first: 10, most: 40 }, one: { first: 10, most: 40 } }

/** What the log says of mail, as it is said. */
export interface Said {
  msg: string
  reason?: string
}

/** An outbox for a mail server of this computer, which is closed after the test. */
export async function outboxFor(
  port: number,
  given: Partial<SmtpOutboxOptions> & { url?: string; password?: string; caFile?: string } = {},
) {
  const { url = `smtp://127.0.0.1:${port}`, password, caFile, ...more } = given
  const said: Said[] = []
  const listeners = new Set<() => void>()
  const log = pino(
    { base: null },
    {
      write(line: string) {
        said.push(JSON.parse(line) as Said)
        for (const tell of listeners) tell()
      },
    },
  )
  const settings = smtpSettings({ url, from: 'Wheelhouse <panel@example.org>', password, caFile })
  const folder = more.folder ?? (await temporaryFolder())
  const outbox = await SmtpOutbox.open({ ...settings, folder, clock: systemClock, log, pauses, ...more })
  onTestFinished(() => outbox.close(100))
  return {
    outbox,
    folder,
    said,
    /** Resolves when the log says this. */
    says: (msg: string) =>
      new Promise<Said>((resolve) => {
        const look = () => {
          const found = said.find((one) => one.msg === msg)
          if (!found) return
          listeners.delete(look)
          resolve(found)
        }
        listeners.add(look)
        look()
      }),
  }
}
