import type { Readable } from 'node:stream'
import type { Operation } from '../../../contract/declarations/operation.ts'
import { type Said, say } from '../../../contract/messages/say.ts'
import { itemsMost, ListReader, WHILE_IT_COMES } from '../answers/read-list.ts'
import type { Response } from '../requests/transport.ts'
import type { BodyThread } from './body-thread.ts'
import {
  type BodyMeaning,
  type BodyRead,
  checkListSize,
  endOf,
  isNeeded,
  isTextWithin,
  listIn,
  readBodyText,
  SMALL,
} from './read-body.ts'
import {
  ANSWER_MOST_BYTES,
  AnswerTooLarge,
  AnswerTooLong,
  type Body,
  isPlain,
  textOf,
  unpackSmall,
} from './unpack.ts'

/** Why a service refused is worth so many bytes: what is longer is no sentence for a person. */
const REFUSAL_MOST_BYTES = 1024 * 1024

/**
 * Reads the body of an answer to its end: what is small here, a list while it comes, and all else in a thread. Throws the
 * signal's reason, or what the transport threw.
 */
export async function readArrived(
  op: Operation,
  response: Response,
  meaning: BodyMeaning,
  thread: BodyThread,
  signal: AbortSignal,
): Promise<BodyRead> {
  const encoding = response.header('content-encoding')?.trim().toLowerCase() ?? ''
  const answer = isPlain(encoding) ? listIn(op, meaning) : null
  const list = answer && new ListReader(answer, { ...WHILE_IT_COMES, items: itemsMost(op) })
  const isRefusal = meaning.as === 'refusal'
  try {
    const bytes = await collect(response.body, list, isRefusal ? REFUSAL_MOST_BYTES : ANSWER_MOST_BYTES)
    checkListSize(op, bytes)
    const read = list && endOf(list, meaning)
    if (read) return read
    const body: Body = { bytes, encoding }
    const small = await unpackSmall(body, SMALL.bytes)
    if (small && isTextWithin(SMALL, small)) return readBodyText(op, textOf(small), meaning)
    return await thread.read(op, body, meaning, signal)
  } catch (fault) {
    if (isCut(fault)) return unread(op, meaning, say('answer.cut'), 'broken')
    if (fault instanceof AnswerTooLong)
      return { ...unread(op, meaning, say('answer.too-long', { most: ANSWER_MOST_BYTES })), isTooLarge: true }
    if (fault instanceof AnswerTooLarge)
      return { ...unread(op, meaning, say('answer.unreadable-size')), isTooLarge: true }
    throw fault
  }
}

/** What is known of an answer without its body: of a write that it may have been done, of a refusal what its status says. */
function unread(op: Operation, meaning: BodyMeaning, why: Said, otherwise?: 'broken'): BodyRead {
  const { as, isSuccess, writes } = meaning
  if (!isSuccess || as === 'unstreamed') return readBodyText(op, '', meaning)
  if (writes && !isNeeded(op)) return { error: null, fit: { kind: 'unconfirmed', why } }
  return { error: null, fit: otherwise ? { kind: otherwise, why } : { kind: 'misfit', path: 'body', why } }
}

async function collect(body: Readable, list: ListReader | null, most: number): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    size += piece.length
    // Leaving the loop destroys the body, and with it the connection.
    if (size > most) throw new AnswerTooLong()
    pieces.push(piece)
    list?.take(piece)
    if (list?.isFull) break
  }
  // Of its own: a piece can be a part of more than is ours to hand to a thread.
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** Codes of a connection that was closed under an answer, as against one that went silent. */
const CUT = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'EPIPE'])
const isCut = (fault: unknown): boolean => CUT.has((fault as NodeJS.ErrnoException).code ?? '')
