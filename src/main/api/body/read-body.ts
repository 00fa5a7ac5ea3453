import type { ErrorBody } from '../../../contract/declarations/errors.ts'
import type { Operation } from '../../../contract/declarations/operation.ts'
import { isWithin } from '../../../contract/rules/json-bounds.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { isPage, readRaw, type ParsedAnswer, readValue, told } from '../answers/read-answer.ts'
import { itemsMost, type ListAnswer, ListReader } from '../answers/read-list.ts'
import { errorDrifts, readError } from '../reader/error.ts'
import { linksIn } from '../reader/paging.ts'
import type { Shape } from '../reader/shape.ts'
import { AnswerComplexityError, type Body, textOf, type TextLimits, unpack } from './unpack.ts'

const MIB = 1024 * 1024
const DEPTH_MOST = 100

/** Small enough to read on main's thread without delaying anything. */
export const SMALL: TextLimits = { bytes: MIB / 4, values: 2500, depth: DEPTH_MOST }
const VALUE: TextLimits = { bytes: 8 * MIB, values: 120_000, depth: DEPTH_MOST }
/** A list that can't be read item by item: fifty thousand files in a foreign envelope. */
const LIST: TextLimits = { bytes: 16 * MIB, values: 700_000, depth: DEPTH_MOST }
/** For lists read item by item: any number of odd items, each up to this many characters. */
const BY_ITEM = { odd: Infinity, text: MIB }
/** Bytes allowed per item of a list. */
const ITEM_BYTES = 1024
const STEP = 64 * 1024

/** Plain data, so it can be sent to the thread. */
export interface BodyMeaning {
  /** `raw`: JSON without a schema. `refusal`: of a failure. `unstreamed`: should have been a stream. */
  as: 'answer' | 'raw' | 'refusal' | 'unstreamed'
  isSuccess: boolean
  writes: boolean
  /** The failure comes from the service itself, not from a proxy in front of it. */
  isOwn: boolean
  contentType: string | null
  headers: Readonly<Record<string, string>>
  shape: Shape | null
}

export interface BodyResult extends Partial<ParsedAnswer> {
  error: ErrorBody['error'] | null
  isTooLarge?: true
}

export const listIn = ({ answer }: Operation, { as, shape, contentType }: BodyMeaning): ListAnswer | null =>
  as === 'answer' &&
  answer.kind === 'list' &&
  shape?.items === undefined &&
  shape?.answer === undefined &&
  !isPage(contentType, '')
    ? answer
    : null

/** The page read while it arrived; null if it has to be read as a whole. */
export function endOf(list: ListReader, { headers }: BodyMeaning): BodyResult | null {
  const page = list.end(linksIn(headers))
  return page && { ...told({ value: page, fit: { kind: 'fits' } }, list.findings), error: null }
}

export const isTextWithin = (limits: TextLimits, bytes: Uint8Array): boolean =>
  bytes.length <= limits.bytes && isWithin(limits, bytes)

/** Throws `AnswerComplexityError` if a list has more bytes than its items can need. */
export function checkListSize(op: Operation, bytes: Uint8Array): void {
  if (op.answer.kind === 'list' && bytes.length > itemsMost(op) * ITEM_BYTES)
    throw new AnswerComplexityError()
}

/** Throws `AnswerSizeError` or `AnswerComplexityError`. */
export function readBody(op: Operation, body: Body, meaning: BodyMeaning): BodyResult {
  const bytes = unpack(body)
  checkListSize(op, bytes)
  const answer = listIn(op, meaning)
  if (answer) {
    const reader = new ListReader(answer, { ...BY_ITEM, items: itemsMost(op) })
    for (let at = 0; at < bytes.length; at += STEP) reader.take(bytes.subarray(at, at + STEP))
    const read = endOf(reader, meaning)
    if (read) return read
  }
  if (!isTextWithin(op.answer.kind === 'list' ? LIST : VALUE, bytes)) throw new AnswerComplexityError()
  return readBodyText(op, textOf(bytes), meaning)
}

export function readBodyText(op: Operation, text: string, meaning: BodyMeaning): BodyResult {
  const { as, isSuccess, writes, contentType } = meaning
  switch (as) {
    case 'refusal':
      return { error: readError(text), drifts: meaning.isOwn ? errorDrifts(text) : [] }
    case 'unstreamed': {
      const why = localized(isPage(contentType, text) ? 'answer.page' : 'answer.no-stream')
      return { error: null, fit: { kind: 'misfit', path: 'body', why } }
    }
    case 'raw': {
      const reading = readRaw(op, contentType, text, { success: isSuccess, writes })
      const isError = !isSuccess || reading.fit.kind === 'unconfirmed'
      return { ...reading, error: isError ? readError(text) : null }
    }
    case 'answer': {
      const { shape } = meaning
      const reading = readValue(op, text, { contentType, shape, headers: linksIn(meaning.headers) })
      // A revoked success carries its reason the way an error does.
      const isTakenBack = ['unconfirmed', 'denied', 'refused'].includes(reading.fit.kind)
      return { ...reading, error: isTakenBack ? readError(text) : null }
    }
  }
}

/** Whether the write is useless without its answer. */
export const isNeeded = ({ answer }: Pick<Operation, 'answer'>): boolean =>
  answer.kind === 'json' && answer.needed === true
