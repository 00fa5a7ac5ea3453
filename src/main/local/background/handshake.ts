import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { z } from 'zod'
import { LineChannel } from './line-channel.ts'
import type { BackgroundEndpoint } from './endpoint-file.ts'

/** So long either side waits for the other to prove itself, in ms. */
const PATIENCE_MS = 5_000

/** 32 bytes as text. Of these characters each is one byte: what is compared in constant time has to be as long in bytes too. */
const Bytes = z.string().regex(/^[\w-]{43}$/)
const Hello = z.object({ type: z.literal('hello'), nonce: Bytes })
const Proved = z.object({ type: z.literal('proof'), nonce: Bytes, proof: Bytes })

/** What both know, and what was made for this one connection. */
interface Known {
  secret: string
  /** Of the service: an answer from another port proves nothing here. */
  port: number
  asked: string
  answered: string
}

const nonce = (): string => randomBytes(32).toString('base64url')

/** Who knows the secret can say this; who hears it cannot say what the other side has to, nor say it on another connection. */
const proofOf = (who: 'service' | 'panel', { secret, port, asked, answered }: Known): string =>
  createHmac('sha256', secret).update(`wheelhouse ${who} ${port} ${asked} ${answered}`).digest('base64url')

const same = (given: string, expected: string): boolean =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))

/**
 * Reaches the service that is to be at a place, on this computer alone. It has to prove first that it knows the secret,
 * which is never sent itself. Null where nobody answers, in time and with the proof. Never rejects.
 */
export async function reachService({ port, secret }: BackgroundEndpoint): Promise<LineChannel | null> {
  const socket = connect({ host: '127.0.0.1', port })
  const channel = new LineChannel(socket)
  const { promise, resolve } = Promise.withResolvers<LineChannel | null>()
  const limit = setTimeout(() => channel.hangUp(), PATIENCE_MS)
  const asked = nonce()
  channel.onEnd(() => resolve(null))
  channel.onMessage((raw) => {
    const said = Proved.safeParse(raw)
    if (!said.success) return channel.hangUp()
    const known = { secret, port, asked, answered: said.data.nonce }
    if (!same(said.data.proof, proofOf('service', known))) return channel.hangUp()
    channel.send({ type: 'proof', nonce: asked, proof: proofOf('panel', known) })
    resolve(channel)
  })
  channel.send({ type: 'hello', nonce: asked })
  const reached = await promise
  clearTimeout(limit)
  return reached
}

/** Lets a panel in that proves that it knows the secret; everybody else is hung up on. */
export function receivePanel(
  socket: Socket,
  { port, secret }: Pick<BackgroundEndpoint, 'port' | 'secret'>,
  proven: (channel: LineChannel) => void,
): void {
  const channel = new LineChannel(socket)
  const limit = setTimeout(() => channel.hangUp(), PATIENCE_MS)
  channel.onEnd(() => clearTimeout(limit))
  channel.onMessage((raw) => {
    const hello = Hello.safeParse(raw)
    if (!hello.success) return channel.hangUp()
    const known = { secret, port, asked: hello.data.nonce, answered: nonce() }
    channel.send({ type: 'proof', nonce: known.answered, proof: proofOf('service', known) })
    channel.onMessage((raw) => {
      const said = Proved.safeParse(raw)
      if (!said.success || !same(said.data.proof, proofOf('panel', known))) return channel.hangUp()
      clearTimeout(limit)
      proven(channel)
    })
  })
}
