import type { ErrorBody } from '../../../contract/declarations/errors.ts'
import type { Operation } from '../../../contract/declarations/operation.ts'
import { isWithin } from '../../../contract/rules/json-bounds.ts'
import { say } from '../../../contract/messages/say.ts'
import { isPage, readRaw, type Reading, readValue, told } from '../answers/read-answer.ts'
import { itemsMost, type ListAnswer, ListReader } from '../answers/read-list.ts'
import { errorDrifts, readError } from '../reader/error.ts'
import { pagesInHeaders } from '../reader/paging.ts'
import type { Shape } from '../reader/shape.ts'
import { AnswerTooLarge, type Body, textOf, type TextLimits, unpack } from './unpack.ts'

const MIB = 1024 * 1024
const DEPTH_MOST = 100

/** What is read on main's thread: so little that nothing else waits for it. */
export const SMALL: TextLimits = { bytes: MIB / 4, values: 2500, depth: DEPTH_MOST }
/** One value. */
const VALUE: TextLimits = { bytes: 8 * MIB, values: 120_000, depth: DEPTH_MOST }
/** A list that cannot be read item by item: fifty thousand files in an envelope of the service's own. */
const LIST: TextLimits = { bytes: 16 * MIB, values: 700_000, depth: DEPTH_MOST }
/** The longest item of a list that is read item by item, in characters; and every item may be odd. */
const BY_ITEM = { odd: Infinity, text: MIB }
/** A list has so many bytes for each item that is read of it. */
const ITEM_BYTES = 1024
/** Bytes that are given to a reader of items at once. */
const STEP = 64 * 1024

/** How a body is to be understood. All of it is plain data. */
export interface BodyMeaning {
  /**
   * `answer`: as the operation declares. `raw`: JSON that has no schema, of a success or of what was expected to fail.
   * `refusal`: of a failure. `unstreamed`: it should have been a stream.
   */
  as: 'answer' | 'raw' | 'refusal' | 'unstreamed'
  /** The status says that it was done. */
  isSuccess: boolean
  /** What was sent changes something. */
  writes: boolean
  /** A failure that the service itself explains, as against something in front of it. */
  isOwn: boolean
  contentType: string | null
  headers: Readonly<Record<string, string>>
  shape: Shape | null
}

/** What a body says. */
export interface BodyRead extends Partial<Reading> {
  error: ErrorBody['error'] | null
  /** It is more than can be read. */
  isTooLarge?: true
}

/** A body that is a list which can be read item by item; else null. */
export const listIn = ({ answer }: Operation, { as, shape, contentType }: BodyMeaning): ListAnswer | null =>
  as === 'answer' &&
  answer.kind === 'list' &&
  shape?.items === undefined &&
  shape?.answer === undefined &&
  !isPage(contentType, '')
    ? answer
    : null

/** The list that was read item by item while it came; null where it has to be read as a whole. */
export function endOf(list: ListReader, { headers }: BodyMeaning): BodyRead | null {
  const page = list.end(pagesInHeaders(headers))
  return page && { ...told({ value: page, fit: { kind: 'fits' } }, list.findings), error: null }
}

/** Whether bytes can be read as one text. */
export const isTextWithin = (limits: TextLimits, bytes: Uint8Array): boolean =>
  bytes.length <= limits.bytes && isWithin(limits, bytes)

/** Throws `AnswerTooLarge` where a list has more bytes than its items can need. */
export function checkListSize(op: Operation, bytes: Uint8Array): void {
  if (op.answer.kind === 'list' && bytes.length > itemsMost(op) * ITEM_BYTES) throw new AnswerTooLarge()
}

/** Reads a body of any size. Throws `AnswerTooLong` or `AnswerTooLarge`. */
export function readBody(op: Operation, body: Body, meaning: BodyMeaning): BodyRead {
  const bytes = unpack(body)
  checkListSize(op, bytes)
  const answer = listIn(op, meaning)
  if (answer) {
    const reader = new ListReader(answer, { ...BY_ITEM, items: itemsMost(op) })
    for (let at = 0; at < bytes.length; at += STEP) reader.take(bytes.subarray(at, at + STEP))
    const read = endOf(reader, meaning)
    if (read) return read
  }
  if (!isTextWithin(op.answer.kind === 'list' ? LIST : VALUE, bytes)) throw new AnswerTooLarge()
  return readBodyText(op, textOf(bytes), meaning)
}

/** Reads a body as a whole. */
export function readBodyText(op: Operation, text: string, meaning: BodyMeaning): BodyRead {
  const { as, isSuccess, writes, contentType } = meaning
  switch (as) {
    case 'refusal':
      return { error: readError(text), drifts: meaning.isOwn ? errorDrifts(text) : [] }
    case 'unstreamed': {
      const why = say(isPage(contentType, text) ? 'answer.page' : 'answer.no-stream')
      return { error: null, fit: { kind: 'misfit', path: 'body', why } }
    }
    case 'raw': {
      // What the caller expects to fail may say so in any words.
      const reading = readRaw(op, contentType, text, { success: isSuccess, writes })
      const isError = !isSuccess || reading.fit.kind === 'unconfirmed'
      return { ...reading, error: isError ? readError(text) : null }
    }
    case 'answer': {
      const { shape } = meaning
      const reading = readValue(op, text, { contentType, shape, headers: headersFor(op, meaning) })
      // What takes a success back says why, as an error does.
      const isTakenBack = ['unconfirmed', 'denied', 'refused'].includes(reading.fit.kind)
      return { ...reading, error: isTakenBack ? readError(text) : null }
    }
  }
}

/** What of the headers belongs to the answer: pages of a list, or what is asked for where a body does not hold it. */
function headersFor(
  { answer }: Operation,
  { headers }: BodyMeaning,
): Readonly<Record<string, unknown>> | undefined {
  if (answer.kind === 'list') return pagesInHeaders(headers)
  return isNeeded({ answer }) ? headers : undefined
}

/** A write is nothing without what its answer holds. */
export const isNeeded = ({ answer }: Pick<Operation, 'answer'>): boolean =>
  answer.kind === 'json' && answer.needed === true
