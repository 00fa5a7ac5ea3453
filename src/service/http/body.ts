import { type z, ZodArray, ZodObject, ZodOptional } from 'zod'
import type { Bounds } from './limits/bounds.ts'
import { isWithin } from '../../contract/rules/json-bounds.ts'
import { Patience } from '../base/patience.ts'
import { refusal } from '../../host/refusal.ts'

interface BodyBounds {
  bytes: number
  bodyValues: number
  bodyDepth: number
}

/** Upper bounds for an operation's JSON body; larger where its declaration takes a list. */
export function bodyBounds(bounds: Bounds, body: z.ZodType): BodyBounds {
  const takesList =
    body instanceof ZodObject &&
    Object.values(body.shape).some((field) => {
      const inner: unknown = field instanceof ZodOptional ? field.unwrap() : field
      return inner instanceof ZodArray
    })
  return { ...bounds, bytes: takesList ? bounds.listBytes : bounds.bodyBytes }
}

/** A JSON body must be complete after this many ms. */
const WHOLE_MS = 60_000

const tooLarge = ({ bytes }: BodyBounds) => refusal(413, 'request.too-large', { most: bytes })

export async function readBody(request: Request, bounds: BodyBounds): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (type !== null && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw refusal(415, 'request.not-json')
  }
  if (Number(request.headers.get('content-length') ?? 0) > bounds.bytes) throw tooLarge(bounds)
  const bytes = await whole(request, bounds)
  if (bytes.length === 0) return undefined
  // Another origin can send a body without a content type, but needs a preflight to call it JSON.
  if (type === null) {
    throw refusal(415, 'request.not-json.unsaid')
  }
  if (!isWithin({ values: bounds.bodyValues, depth: bounds.bodyDepth }, bytes))
    throw refusal(413, 'request.too-large.values')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
  } catch {
    throw refusal(400, 'request.malformed')
  }
}

async function whole(request: Request, bounds: BodyBounds): Promise<Uint8Array> {
  const patience = new Patience()
  const timer = setTimeout(() => {
    patience.giveUp(refusal(408, 'request.stalled').with({ Connection: 'close' }))
  }, WHOLE_MS)
  try {
    // Node reads no more than Content-Length, so there is nothing to count and no stream needed.
    if (request.headers.has('content-length') && !request.headers.has('transfer-encoding'))
      return new Uint8Array(await patience.wait(request.arrayBuffer()))
    return await readBytes(request, bounds, patience)
  } finally {
    clearTimeout(timer)
  }
}

async function readBytes(request: Request, bounds: BodyBounds, patience: Patience): Promise<Uint8Array> {
  const reader = request.body?.getReader()
  if (!reader) return new Uint8Array()
  try {
    const chunks: Uint8Array[] = []
    let size = 0
    for (;;) {
      const next = await patience.wait(reader.read())
      if (next.done) return Buffer.concat(chunks)
      size += next.value.length
      if (size > bounds.bytes) throw tooLarge(bounds)
      chunks.push(next.value)
    }
  } catch (error) {
    void reader.cancel().catch(() => {})
    throw error
  }
}
