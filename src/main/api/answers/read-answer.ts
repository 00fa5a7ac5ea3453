import { z } from 'zod'
import type { Operation, Page } from '../../../contract/declarations/operation.ts'
import { type Said, say } from '../../../contract/messages/say.ts'
import type { Arrived } from '../classify.ts'
import { itemsMost, keepItem, pagingOf, unreadableOf } from './read-list.ts'
import { type Drift, Findings } from '../reader/drift.ts'
import { kindOf } from '../reader/scalars.ts'
import { at, inContractNames, type Shape } from '../reader/shape.ts'
import { type Fields, isFields, own } from '../reader/fields.ts'
import { denies, isRefusal, takenBack, unconfirmed } from './read-written.ts'
import { parseJson } from '../reader/json.ts'
import { ListItem } from '../reader/list-item.ts'
import { findList } from '../reader/lists.ts'
import { ENVELOPES } from '../reader/wrapped.ts'
import { readerOf } from '../reader/reader.ts'
import { withSecretOf } from '../reader/secret.ts'
import { linesOfText, withLines } from '../reader/text-lines.ts'
import { MISFIT, type Reader } from '../reader/reading.ts'

/** Whether an answer is a web page, as proxies, sign-in walls and wrong addresses send. */
export function isPage(contentType: string | null, text: string): boolean {
  return /\bhtml\b/i.test(contentType ?? '') || /^\s*<(!doctype|html)/i.test(text.slice(0, 200))
}

type Fit = NonNullable<Arrived['fit']>
/** The value of a successful answer, or why it has none; and what was found out while reading it. */
export interface Reading {
  value: unknown
  fit: Fit
  /** Where it differs from the contract. */
  drifts?: readonly Drift[]
  /** Ids in it that came as numbers. */
  numbers?: Findings['numbers']
}

/** How an answer is read. */
export interface ReadAs {
  contentType: string | null
  /** Where the service has what, as its profile says. */
  shape?: Shape | null | undefined
  /** What the headers say of the pages of a list, or of a secret. */
  headers?: Fields | undefined
}

/** Reads a successful answer against what the operation declares. */
export function readValue(op: Operation, text: string, how: ReadAs): Reading {
  const findings = new Findings()
  const reading = readOnce(op, text, how, findings)
  if (!findings.rounded) return reading
  // Which integers a double rounds costs a look at every number, so it is looked for only where one was seen.
  const exactly = new Findings()
  exactly.rounded = true
  return readOnce(op, text, how, exactly)
}

/** @param findings `rounded`: integers are taken from the text */
function readOnce(
  op: Operation,
  text: string,
  { contentType, shape, headers }: ReadAs,
  findings: Findings,
): Reading {
  const { answer } = op
  if (op.kind === 'write' && !(answer.kind === 'json' && answer.needed))
    return readWritten(op, text, contentType, { findings, shape })
  if (isPage(contentType, text)) return misfit('body', say('answer.page'), findings)
  if (answer.kind !== 'json' && answer.kind !== 'list') return { value: undefined, fit: { kind: 'fits' } }
  // A service that has nothing to say about an accepted call is understood, if no field is required.
  const json = text.trim() === '' ? {} : jsonOf(text, findings)
  const value = json ?? otherwise(op, text, { contentType, headers })
  if (value === undefined) return { value: undefined, fit: { kind: 'broken', why: say('answer.no-json') } }
  if (op.kind === 'write' && isFields(value) && denies(value))
    return { value: undefined, fit: { kind: 'denied' } }
  if (answer.kind === 'list')
    return readPage(op, answer, withLines(answer.item, value), { findings, shape, headers })
  const reading = readOne(answer.schema, value, { findings, shape })
  if (reading.fit.kind === 'fits' || !headers) return reading
  // What the headers hold counts where the body has none.
  const whole = withSecretOf(answer.schema, value, headers)
  return whole === null ? reading : readOne(answer.schema, whole, { findings, shape })
}

/** What stands for an answer that is no JSON; undefined where nothing does. */
function otherwise(op: Operation, text: string, { contentType, headers = {} }: ReadAs): unknown {
  const { answer } = op
  if (answer.kind === 'list') return linesOfText(answer.item, contentType, text)
  // `OK`, where what was asked for is in the headers.
  const isCut = /^\s*[{[]/.test(text)
  return answer.kind === 'json' && !isCut && withSecretOf(answer.schema, {}, headers) ? {} : undefined
}

/** What reading shares on its way down. */
interface Reads {
  findings: Findings
  shape?: Shape | null | undefined
  headers?: Fields | undefined
}

/** A write is done with any 2xx unless its body takes that back; what the body adds is null where nothing can be read. */
function readWritten(op: Operation, text: string, contentType: string | null, reads: Reads): Reading {
  if (isPage(contentType, text)) return unconfirmed(say('answer.page'))
  const value = text.trim() === '' ? {} : jsonOf(text, reads.findings)
  const { answer } = op
  const read = answer.kind === 'json' ? readOne(answer.schema, value ?? {}, reads) : null
  if (isRefusal(read?.value)) return { value: null, fit: { kind: 'refused' } }
  const why = takenBack(op, text, value)
  if (why) return unconfirmed(why)
  if (!read) return { value: undefined, fit: { kind: 'fits' } }
  return { ...read, value: read.value ?? null, fit: { kind: 'fits' } }
}

/** A text as JSON; undefined where it is none. */
function jsonOf(text: string, findings?: Findings): unknown {
  try {
    return findings && !findings.rounded ? (JSON.parse(text) as unknown) : parseJson(text, findings?.long)
  } catch {
    return undefined
  }
}

/** A reading with what was found out meanwhile. */
export const told = (reading: Reading, { drifts, numbers }: Findings): Reading => ({
  ...reading,
  drifts,
  numbers,
})

const misfit = (path: string, why: Said, findings: Findings): Reading =>
  told({ value: undefined, fit: { kind: 'misfit', path, why } }, findings)

/** One value, bare or in an envelope. */
function readOne(schema: z.ZodType, body: unknown, { findings, shape }: Reads): Reading {
  const reader = readerOf(schema)
  const placed = shape?.envelope === undefined ? undefined : at(body, shape.envelope)
  const bare = inContractNames(placed ?? body, shape?.answer)
  // Of long integers it is told that they are no texts, which no schema can see.
  if (findings.long.size === 0 && reader.stands(bare))
    return told({ value: bare, fit: { kind: 'fits' } }, findings)
  const envelope = placed === undefined ? envelopeIn(schema, bare, shape) : null
  if (envelope !== null) {
    const inner = inContractNames(own(bare as Fields, envelope), shape?.answer)
    const read = findings.within(envelope, () => reader.read(inner, findings))
    findings.note('object', 'object', envelope)
    if (read !== MISFIT) return told({ value: read, fit: { kind: 'fits' } }, findings)
    // One field that stands around it can be the envelope's own, such as a `status` or an `id` of the request.
    if (reader.knows({ ...(bare as Fields), ...(inner as Fields) }) < reader.knows(inner) + 2)
      return misfitOf(reader, body, findings)
  }
  // What was looked for in vain in an envelope is not told of what stands around it.
  const around = envelope === null ? findings : findings.anew()
  const read = reader.read(bare, around)
  findings.rounded ||= around.rounded
  if (read !== MISFIT) return told({ value: read, fit: { kind: 'fits' } }, around)
  return misfitOf(reader, body, findings)
}

function misfitOf(reader: Reader, body: unknown, findings: Findings): Reading {
  const path = findings.misfit ?? 'body'
  if (findings.misfit === null) findings.note(reader.kind, kindOf(body))
  return misfit(path, say('answer.field', { field: path }), findings)
}

/**
 * The envelope that a value stands in; null where it stands bare. What is around one may well have a field of the same
 * name, such as a `status` or an `id` of the request: so it is the one that holds as much of what is looked for.
 */
function envelopeIn(schema: z.ZodType, bare: unknown, shape: Reads['shape']): string | null {
  if (!isFields(bare)) return null
  const reader = readerOf(schema)
  const known = schema instanceof z.ZodObject ? schema.shape : {}
  let [best, most] = [null as string | null, reader.knows(bare)]
  for (const name of ENVELOPES) {
    const inner = own(bare, name)
    // What the contract has a name for is no envelope.
    if (!isFields(inner) || Object.hasOwn(known, name)) continue
    const knows = reader.knows(inContractNames(inner, shape?.answer))
    // Where nothing is required, an envelope alone would be read as a value that says nothing.
    if (knows > most || (best === null && knows === most)) [best, most] = [name, knows]
  }
  return best
}

/** A value that was read against no schema, as one of this; null where it is none. */
export function readAs<S extends z.ZodType>(schema: S, json: unknown): z.output<S> | null {
  const reading = readOne(schema, json, { findings: new Findings() })
  return reading.fit.kind === 'fits' ? (reading.value as z.output<S>) : null
}

/** Reads an answer that has no schema: its JSON, or null where it is none. A web page is no success. */
export function readRaw(
  op: Operation,
  contentType: string | null,
  text: string,
  { success, writes }: { success: boolean; writes: boolean },
): Reading {
  if (success && isPage(contentType, text)) {
    const why = say('answer.page')
    return writes ? unconfirmed(why) : { value: null, fit: { kind: 'misfit', path: 'body', why } }
  }
  const value = text.trim() === '' ? null : jsonOf(text)
  const why = success && writes ? takenBack(op, text, value) : null
  return why ? unconfirmed(why) : { value: value ?? null, fit: { kind: 'fits' } }
}

function readPage(
  op: Operation,
  { item, by, parts = [] }: Extract<Operation['answer'], { kind: 'list' }>,
  body: unknown,
  reads: Reads,
): Reading {
  const { findings, shape, headers } = reads
  const found = findList(body, namesOf(op), {
    ...{ place: shape?.items, headers },
    item: new ListItem(item, by, (one) => inContractNames(one, shape?.answer)),
  })
  if (!found) {
    findings.within('items', () => findings.note('list', kindOf(body)))
    return misfit('items', say('answer.no-list'), findings)
  }
  // What is no one list no profile can name.
  if (found.isApart) findings.within('items', () => findings.note('list', 'object'))
  else if (found.as !== undefined) findings.within('items', () => findings.note('list', 'list', found.as))
  const page: Page<unknown> = { items: [], leftOut: [], nextCursor: null, complete: false }
  const reader = readerOf(item)
  const most = itemsMost(op)
  for (const [index, one] of found.raw.slice(0, most).entries())
    keepItem(reader, inContractNames(one, shape?.answer), index, { page, findings })
  Object.assign(page, pagingOf(found, { count: found.raw.length, leftOut: page.leftOut.length, most }))
  Object.assign(page, unreadableOf(body, parts))
  return told({ value: page, fit: { kind: 'fits' } }, findings)
}

/** Names a list of this operation may stand under: its area's, and the words of its path. */
const namesOf = (op: Operation): string[] => [
  op.area,
  ...op.path
    .split('/')
    .filter((part) => part !== '' && !part.startsWith(':'))
    .reverse(),
]
