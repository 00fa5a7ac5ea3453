import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { z } from 'zod'
import { LineChannel } from './line-channel.ts'
import type { BackgroundEndpoint } from './endpoint-file.ts'

const PATIENCE_MS = 5_000

/** 32 bytes, base64url. ASCII, so equal length in bytes for the constant-time comparison. */
const Bytes = z.string().regex(/^[\w-]{43}$/)
const HelloMessage = z.object({ type: z.literal('hello'), nonce: Bytes })
const ProofMessage = z.object({ type: z.literal('proof'), nonce: Bytes, proof: Bytes })

interface HandshakeTranscript {
  secret: string
  /** The service's; a proof from another port is invalid. */
  port: number
  asked: string
  answered: string
}

const nonce = (): string => randomBytes(32).toString('base64url')

/** Proofs are bound to role and connection, so they cannot be reflected or replayed. */
const proofOf = (who: 'service' | 'panel', { secret, port, asked, answered }: HandshakeTranscript): string =>
  createHmac('sha256', secret).update(`wheelhouse ${who} ${port} ${asked} ${answered}`).digest('base64url')

const same = (given: string, expected: string): boolean =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))

/** The service must first prove that it knows the secret, which is never sent. Null if not; never rejects. */
export async function reachService({ port, secret }: BackgroundEndpoint): Promise<LineChannel | null> {
  const socket = connect({ host: '127.0.0.1', port })
  const channel = new LineChannel(socket)
  const { promise, resolve } = Promise.withResolvers<LineChannel | null>()
  const limit = setTimeout(() => channel.hangUp(), PATIENCE_MS)
  const asked = nonce()
  channel.onEnd(() => resolve(null))
  channel.onMessage((raw) => {
    const said = ProofMessage.safeParse(raw)
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

export function receivePanel(
  socket: Socket,
  { port, secret }: Pick<BackgroundEndpoint, 'port' | 'secret'>,
  proven: (channel: LineChannel) => void,
): void {
  const channel = new LineChannel(socket)
  const limit = setTimeout(() => channel.hangUp(), PATIENCE_MS)
  channel.onEnd(() => clearTimeout(limit))
  channel.onMessage((raw) => {
    const hello = HelloMessage.safeParse(raw)
    if (!hello.success) return channel.hangUp()
    const known = { secret, port, asked: hello.data.nonce, answered: nonce() }
    channel.send({ type: 'proof', nonce: known.answered, proof: proofOf('service', known) })
    channel.onMessage((raw) => {
      const said = ProofMessage.safeParse(raw)
      if (!said.success || !same(said.data.proof, proofOf('panel', known))) return channel.hangUp()
      clearTimeout(limit)
      proven(channel)
    })
  })
}
