import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** How long a connection may be held that brings nothing, ms: longer than any limit for headers. */
const HANGING = 40_000
/** Between two bytes of one that drips, ms. */
const DRIP = 300

/** What somebody does who has reached a port. */
export interface Attack {
  /** Bytes as they are on the wire. */
  sent: string | Buffer
  /**
   * `reset` at once, `reset-late` when something came back, `half-close` and wait, `hold` and wait, or `drip` more and
   * more of what is sent.
   */
  then: 'reset' | 'reset-late' | 'half-close' | 'hold' | 'drip'
}

/** What came back, until the other side ended it. `null`: it never did, or never said anything to be reset after. */
export async function attack(port: number, { sent, then }: Attack): Promise<string | null> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let said = ''
  const ended = new Promise<void>((resolve) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', (data: Buffer) => {
      said = (said + data.toString('latin1')).slice(0, 20_000)
      // It is answered, and waits for another request for as long as it says.
      if (/^Keep-Alive: timeout=\d+/im.test(said)) resolve()
    })
    socket.once('end', resolve).once('close', resolve)
  })
  const came = new Promise<void>((resolve) => socket.once('data', () => resolve()))
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  const late = new AbortController()
  const limit = wait(HANGING, 'late' as const, { signal: late.signal }).catch(() => 'over' as const)
  try {
    if (then === 'drip') void drip(socket, sent)
    else socket.write(sent)
    if (then === 'reset') return said
    if (then === 'half-close') socket.end()
    const over = (then === 'reset-late' ? Promise.race([came, ended]) : ended).then(() => 'over' as const)
    return (await Promise.race([over, limit])) === 'late' ? null : said
  } finally {
    late.abort()
    if (then.startsWith('reset')) socket.resetAndDestroy()
    else socket.destroy()
  }
}

async function drip(socket: Socket, sent: string | Buffer): Promise<void> {
  for (const byte of Buffer.from(sent)) {
    if (socket.destroyed || socket.readableEnded) return
    socket.write(Buffer.of(byte))
    await wait(DRIP)
  }
}

/** Opens so many connections at once, each of which begins a request and never ends it. Answers what lets go of them. */
export async function flood(port: number, count: number): Promise<() => void> {
  const sockets = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve) => {
          const socket = connect({ port, host: '127.0.0.1' })
          socket.on('error', () => socket.destroy())
          socket.once('close', () => resolve(socket))
          socket.once('connect', () => socket.write('GET / HTTP/1.1\r\nX-', () => resolve(socket)))
        }),
    ),
  )
  return () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
}

/** The status of an answer; 0 where there is none. */
export const statusOf = (answer: string): number => Number(/^HTTP\/1\.\d (\d{3})/.exec(answer)?.[1] ?? 0)

/** A request as it is on the wire. */
export function request(
  line: string,
  headers: Record<string, string | number | undefined>,
  body = '',
): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  )
  return `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}
