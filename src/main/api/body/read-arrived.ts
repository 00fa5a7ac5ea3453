import type { Readable } from 'node:stream'
import type { Operation } from '../../../contract/declarations/operation.ts'
import { type LocalizedText, localized } from '../../../contract/messages/localized-text.ts'
import { itemsMost, ListReader, WHILE_IT_COMES } from '../answers/read-list.ts'
import type { Response } from '../requests/transport.ts'
import type { BodyThread } from './body-thread.ts'
import {
  type BodyMeaning,
  type BodyResult,
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
  AnswerComplexityError,
  AnswerSizeError,
  type Body,
  isPlain,
  textOf,
  unpackSmall,
} from './unpack.ts'

/** Longest refusal read; nothing longer is a message for a person. */
const REFUSAL_MOST_BYTES = 1024 * 1024

/** Throws the signal's reason or the transport's error. */
export async function readArrived(
  op: Operation,
  response: Response,
  meaning: BodyMeaning,
  thread: BodyThread,
  signal: AbortSignal,
): Promise<BodyResult> {
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
    if (isCut(fault)) return unread(op, meaning, localized('answer.cut'), 'broken')
    if (fault instanceof AnswerSizeError)
      return {
        ...unread(op, meaning, localized('answer.too-long', { most: ANSWER_MOST_BYTES })),
        isTooLarge: true,
      }
    if (fault instanceof AnswerComplexityError)
      return { ...unread(op, meaning, localized('answer.unreadable-size')), isTooLarge: true }
    throw fault
  }
}

/** Result without a body: a write may have been executed; a refusal has only its status. */
function unread(op: Operation, meaning: BodyMeaning, why: LocalizedText, otherwise?: 'broken'): BodyResult {
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
    if (size > most) throw new AnswerSizeError()
    pieces.push(piece)
    list?.take(piece)
    if (list?.isFull) break
  }
  // Copy: a chunk may be a view of a larger buffer that we can't transfer.
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

const CUT = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'EPIPE'])
const isCut = (fault: unknown): boolean => CUT.has((fault as NodeJS.ErrnoException).code ?? '')
