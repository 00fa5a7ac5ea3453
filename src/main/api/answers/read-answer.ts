import { z } from 'zod'
import type { Operation, Page } from '../../../contract/declarations/operation.ts'
import { type LocalizedText, localized } from '../../../contract/messages/localized-text.ts'
import type { ResponseSummary } from '../classify.ts'
import { itemsMost, keepItem, pagingOf, unreadableOf } from './read-list.ts'
import { type Drift, Findings } from '../reader/drift.ts'
import { kindOf, plain } from '../reader/scalars.ts'
import { at, inContractNames, type Shape } from '../reader/shape.ts'
import { type Fields, isFields, own } from '../reader/fields.ts'
import { parseJson } from '../reader/json.ts'
import { ENVELOPES, findList } from '../reader/lists.ts'
import { readerOf } from '../reader/reader.ts'
import { MISFIT, type Reader } from '../reader/leaf-reader.ts'

/** Whether an answer is a web page, as proxies, sign-in walls and wrong addresses send. */
export function isPage(contentType: string | null, text: string): boolean {
  return /\bhtml\b/i.test(contentType ?? '') || /^\s*<(!doctype|html)/i.test(text.slice(0, 200))
}

type Fit = NonNullable<ResponseSummary['fit']>
export interface ParsedAnswer {
  value: unknown
  fit: Fit
  drifts?: readonly Drift[]
  numbers?: Findings['numbers']
}

interface AnswerFormat {
  contentType: string | null
  shape?: Shape | null | undefined
  headers?: Fields | undefined
}

export function readValue(op: Operation, text: string, how: AnswerFormat): ParsedAnswer {
  const findings = new Findings()
  const reading = readOnce(op, text, how, findings)
  if (!findings.rounded) return reading
  // Re-read for rounded integers only if one was seen: the check costs a look at every number.
  const exactly = new Findings()
  exactly.rounded = true
  return readOnce(op, text, how, exactly)
}

/** @param findings if `rounded`, integers are taken from the text */
function readOnce(
  op: Operation,
  text: string,
  { contentType, shape, headers }: AnswerFormat,
  findings: Findings,
): ParsedAnswer {
  const { answer } = op
  if (op.kind === 'write' && !(answer.kind === 'json' && answer.needed))
    return readWritten(op, text, contentType, { findings, shape })
  if (isPage(contentType, text)) return misfit('body', localized('answer.page'), findings)
  if (answer.kind !== 'json' && answer.kind !== 'list') return { value: undefined, fit: { kind: 'fits' } }
  const value = text.trim() === '' ? {} : jsonOf(text, findings)
  if (value === undefined)
    return { value: undefined, fit: { kind: 'broken', why: localized('answer.no-json') } }
  if (op.kind === 'write' && isFields(value) && denies(value))
    return { value: undefined, fit: { kind: 'denied' } }
  return answer.kind === 'list'
    ? readPage(op, answer, value, { findings, shape, headers })
    : readOne(answer.schema, value, { findings, shape })
}

interface ReadContext {
  findings: Findings
  shape?: Shape | null | undefined
  headers?: Fields | undefined
}

/** Any 2xx completes a write unless the body says otherwise; an unreadable body gives null. */
function readWritten(
  op: Operation,
  text: string,
  contentType: string | null,
  reads: ReadContext,
): ParsedAnswer {
  if (isPage(contentType, text)) return unconfirmed(localized('answer.page'))
  const value = text.trim() === '' ? {} : jsonOf(text, reads.findings)
  const { answer } = op
  const read = answer.kind === 'json' ? readOne(answer.schema, value ?? {}, reads) : null
  if (isRefusal(read?.value)) return { value: null, fit: { kind: 'refused' } }
  const why = takenBack(op, text, value)
  if (why) return unconfirmed(why)
  if (!read) return { value: undefined, fit: { kind: 'fits' } }
  return { ...read, value: read.value ?? null, fit: { kind: 'fits' } }
}

function jsonOf(text: string, findings?: Findings): unknown {
  try {
    return findings && !findings.rounded ? (JSON.parse(text) as unknown) : parseJson(text, findings?.long)
  } catch {
    return undefined
  }
}

export const told = (reading: ParsedAnswer, { drifts, numbers }: Findings): ParsedAnswer => ({
  ...reading,
  drifts,
  numbers,
})

const misfit = (path: string, why: LocalizedText, findings: Findings): ParsedAnswer =>
  told({ value: undefined, fit: { kind: 'misfit', path, why } }, findings)

function readOne(schema: z.ZodType, body: unknown, { findings, shape }: ReadContext): ParsedAnswer {
  const reader = readerOf(schema)
  const placed = shape?.envelope === undefined ? undefined : at(body, shape.envelope)
  const bare = inContractNames(placed ?? body, shape?.answer)
  // The schema can't see that a long integer isn't a string.
  if (findings.long.size === 0 && reader.stands(bare))
    return told({ value: bare, fit: { kind: 'fits' } }, findings)
  const envelope = placed === undefined ? envelopeIn(schema, bare, shape) : null
  if (envelope !== null) {
    const inner = inContractNames(own(bare as Fields, envelope), shape?.answer)
    const read = findings.within(envelope, () => reader.read(inner, findings))
    findings.note('object', 'object', envelope)
    if (read !== MISFIT) return told({ value: read, fit: { kind: 'fits' } }, findings)
    if (reader.knows({ ...(bare as Fields), ...(inner as Fields) }) < reader.knows(inner) + 2)
      return misfitOf(reader, body, findings)
  }
  // A failed search inside the envelope must not add findings about the outer object.
  const around = envelope === null ? findings : findings.anew()
  const read = reader.read(bare, around)
  findings.rounded ||= around.rounded
  if (read !== MISFIT) return told({ value: read, fit: { kind: 'fits' } }, around)
  return misfitOf(reader, body, findings)
}

function misfitOf(reader: Reader, body: unknown, findings: Findings): ParsedAnswer {
  const path = findings.misfit ?? 'body'
  if (findings.misfit === null) findings.note(reader.kind, kindOf(body))
  return misfit(path, localized('answer.field', { field: path }), findings)
}

/** The envelope or null. It may share names with the value (`status`, `id`), so the most known fields win. */
function envelopeIn(schema: z.ZodType, bare: unknown, shape: ReadContext['shape']): string | null {
  if (!isFields(bare)) return null
  const reader = readerOf(schema)
  const known = schema instanceof z.ZodObject ? schema.shape : {}
  let [best, most] = [null as string | null, reader.knows(bare)]
  for (const name of ENVELOPES) {
    const inner = own(bare, name)
    // A name from the contract is not an envelope.
    if (!isFields(inner) || Object.hasOwn(known, name)) continue
    const knows = reader.knows(inContractNames(inner, shape?.answer))
    // If nothing is required, the envelope alone would parse as an empty value.
    if (knows > most || (best === null && knows === most)) [best, most] = [name, knows]
  }
  return best
}

/** Parses a value that was read without a schema; null if it doesn't fit. */
export function readAs<S extends z.ZodType>(schema: S, json: unknown): z.output<S> | null {
  const reading = readOne(schema, json, { findings: new Findings() })
  return reading.fit.kind === 'fits' ? (reading.value as z.output<S>) : null
}

/** Reads an answer without a schema: its JSON, or null. A web page is not a success. */
export function readRaw(
  op: Operation,
  contentType: string | null,
  text: string,
  { success, writes }: { success: boolean; writes: boolean },
): ParsedAnswer {
  if (success && isPage(contentType, text)) {
    const why = localized('answer.page')
    return writes ? unconfirmed(why) : { value: null, fit: { kind: 'misfit', path: 'body', why } }
  }
  const value = text.trim() === '' ? null : jsonOf(text)
  const why = success && writes ? takenBack(op, text, value) : null
  return why ? unconfirmed(why) : { value: value ?? null, fit: { kind: 'fits' } }
}

function readPage(
  op: Operation,
  { item, parts = [] }: Extract<Operation['answer'], { kind: 'list' }>,
  body: unknown,
  reads: ReadContext,
): ParsedAnswer {
  const { findings, shape, headers } = reads
  const found = findList(body, namesOf(op), { place: shape?.items, headers })
  if (!found) {
    findings.within('items', () => findings.note('list', kindOf(body)))
    return misfit('items', localized('answer.no-list'), findings)
  }
  if (found.as !== undefined) findings.within('items', () => findings.note('list', 'list', found.as))
  const page: Page<unknown> = { items: [], leftOut: [], nextCursor: null, complete: false }
  const reader = readerOf(item)
  const most = itemsMost(op)
  for (const [index, one] of found.raw.slice(0, most).entries())
    keepItem(reader, inContractNames(one, shape?.answer), index, { page, findings })
  Object.assign(page, pagingOf(found, { count: found.raw.length, leftOut: page.leftOut.length, most }))
  Object.assign(page, unreadableOf(body, parts))
  return told({ value: page, fit: { kind: 'fits' } }, findings)
}

/** Names this operation's list may have: its area and the words of its path. */
const namesOf = (op: Operation): string[] => [
  op.area,
  ...op.path
    .split('/')
    .filter((part) => part !== '' && !part.startsWith(':'))
    .reverse(),
]

const CONFIRMING = new Set(['ok', 'success'])
const NO = new Set<unknown>([false, 0, 'false', '0'])

/** What revokes the success a write's status claims, or null (contract.md, "Common rules"). */
function takenBack(op: Operation, text: string, read: unknown): LocalizedText | null {
  // Broken JSON means the answer was cut. Any other text is the service's way of saying yes.
  if (read === undefined) return /^\s*[{[]/.test(text) ? localized('answer.cut') : null
  return isFields(read) && denies(read, declaredBy(op)) ? localized('answer.not-done') : null
}

function denies(body: Fields, declared: ReadonlySet<string> = new Set()): boolean {
  for (const name in body) {
    if (!Object.hasOwn(body, name) || declared.has(name)) continue
    if (CONFIRMING.has(plain(name)) && NO.has(body[name])) return true
  }
  // A declared `error` field, such as a failed job's, isn't an error of the request.
  return !declared.has('error') && isSaid(own(body, 'error'))
}

const isRefusal = (value: unknown): boolean => isFields(value) && own(value, 'accepted') === false

function isSaid(error: unknown): boolean {
  switch (typeof error) {
    case 'string':
      return error.trim() !== ''
    case 'object':
      return error !== null && Object.keys(error).length > 0
    default:
      return Boolean(error)
  }
}

const nothing: ReadonlySet<string> = new Set()

function declaredBy({ answer }: Operation): ReadonlySet<string> {
  if (answer.kind !== 'json') return nothing
  const { shape } = answer.schema as { shape?: object }
  return new Set(Object.keys(shape ?? {}))
}

export const unconfirmed = (why: LocalizedText): ParsedAnswer => ({
  value: null,
  fit: { kind: 'unconfirmed', why },
})
