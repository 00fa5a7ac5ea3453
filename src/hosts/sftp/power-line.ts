import { randomUUID } from 'node:crypto'
import type { ClientChannel } from 'ssh2'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { hostRefusal } from '../base/adapter.ts'
import { LineCut, type Session } from './session.ts'

/** Stopping saves the world, ms. */
const LIMIT_MS = 90_000
/** Of what is said: bytes that are kept, and characters that are shown. */
const SAID_MOST = 4096
const SHOWN_MOST = 300

/** Runs a command line over the connection that is there, and waits for its end. Throws unless it ends with 0. */
export async function runPowerLine(session: Session, line: string): Promise<void> {
  // A host that allows files alone may answer whatever it is asked by its own program, as if all went well.
  const word = randomUUID()
  const probe = await run(session, `echo ${word}`)
  if (session.isOver) throw cut()
  if (!probe.said.includes(word)) throw hostRefusal(409, 'sftp.no-commands')
  const { code, said } = await run(session, line)
  if (code === 0) return
  if (code === null) throw cut()
  const text = asOneLine(said).trim().slice(0, SHOWN_MOST)
  throw hostRefusal(409, text === '' ? 'sftp.line-failed' : 'sftp.line-said', { code: String(code), text })
}

/** What became of the command isn't known. */
const cut = () => new LineCut('The connection was cut while the command ran.')

async function run(session: Session, line: string): Promise<CommandEnd> {
  const begun = await session.ask<{ end: Promise<CommandEnd> } | null>((_sftp, done) =>
    session.client.exec(line, (error, channel) =>
      // Its end may come with the answer itself.
      done(null, error ? null : { end: ended(channel) }),
    ),
  )
  if (!begun) throw hostRefusal(409, 'sftp.no-commands')
  return begun.end
}

interface CommandEnd {
  /** Or the signal that ended it; null if the host doesn't say. */
  code: number | string | null
  said: string
}

function ended(channel: ClientChannel): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const said: Buffer[] = []
    let length = 0
    let code: number | string | null = null
    const limit = setTimeout(() => {
      channel.destroy()
      reject(hostRefusal(504, 'sftp.line-slow'))
    }, LIMIT_MS)
    const take = (bytes: Buffer) => {
      if (length < SAID_MOST) said.push(bytes.subarray(0, SAID_MOST - length))
      length += bytes.length
    }
    channel.on('data', take)
    channel.stderr.on('data', take).on('error', () => undefined)
    channel.on('error', () => undefined)
    channel.on('exit', (exit: number | null, signal?: string) => (code = exit ?? signal ?? ''))
    channel.on('close', () => {
      clearTimeout(limit)
      resolve({ code, said: Buffer.concat(said).toString() })
    })
    // It gets no input.
    channel.end()
  })
}
