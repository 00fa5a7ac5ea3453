import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { z } from 'zod'
import type { Operation, Page } from '../../contract/areas/operation.ts'
import { type Said, say } from '../../contract/messages/say.ts'
import type { Arrived } from './classify.ts'
import { ITEMS_MOST, keepItem, type ListReader, pagingOf, unreadableOf } from './read-list.ts'
import { type Drift, Findings } from './reader/drift.ts'
import { kindOf } from './reader/scalars.ts'
import { at, inContractNames, type Shape } from './shape.ts'
import { type Fields, isFields, own } from './reader/fields.ts'
import { denies, isRefusal, takenBack, unconfirmed } from './read-written.ts'
import { parseJson, withoutMark } from './reader/json.ts'
import { ListItem } from './reader/list-item.ts'
import { findList } from './reader/lists.ts'
import { ENVELOPES } from './reader/wrapped.ts'
import { readerOf } from './reader/reader.ts'
import { withSecretOf } from './reader/secret.ts'
import { linesOfText, withLines } from './reader/text-lines.ts'
import { MISFIT, type Reader } from './reader/reading.ts'
import type { Response } from './transport.ts'

/** Items of a list that are read before it is asked whether something else waits. */
const STEP = 100
/** For how long reading may hold everything else up, in ms. */
const TURN_MS = 12

/** Largest JSON answer, in bytes, before and after decompression. */
export const ANSWER_MOST_BYTES = 32 * 1024 * 1024

/** What the service sent is longer than any answer may be. */
export class AnswerTooLong extends Error {}

const unpackers = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/** Encodings the client can undo. */
export const ACCEPT_ENCODING = 'gzip, br'

/** Reads a body whole; a list is read while it comes. Throws `AnswerTooLong`, or what the transport threw. */
export async function readText(response: Response, list: ListReader | null = null): Promise<string> {
  return withoutMark(await unpackedText(response, list))
}

async function unpackedText(response: Response, list: ListReader | null): Promise<string> {
  const encoding = response.header('content-encoding')?.trim().toLowerCase() ?? ''
  const bytes = await collect(response.body, encoding === '' || encoding === 'identity' ? list : null)
  const unpack = unpackers[encoding as keyof typeof unpackers]
  if (!unpack || bytes.length === 0) return bytes.toString('utf8')
  try {
    return (await unpack(bytes, { maxOutputLength: ANSWER_MOST_BYTES })).toString('utf8')
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new AnswerTooLong()
    // Not what its header says: the reading of it as JSON will say so.
    return bytes.toString('latin1')
  }
}

async function collect(body: Readable, list: ListReader | null): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > ANSWER_MOST_BYTES) throw new AnswerTooLong()
    chunks.push(chunk)
    list?.take(chunk)
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

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
  /** What read a list while it came, if anything. */
  list?: ListReader | null
  /** Where the service has what, as its profile says. */
  shape?: Shape | null
  /** What the headers say of the pages of a list, or of a secret. */
  headers?: Fields | undefined
}

/** A reading that may be interrupted wherever it yields. */
type Steps = Generator<undefined, Reading>

/** Reads a successful answer against what the operation declares, in one go. */
export function readValue(op: Operation, text: string, how: ReadAs): Reading {
  const steps = stepsOf(op, text, how)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/**
 * The same, and lets everything else go on in between: of a long list that drifts every item takes its time. Throws why it
 * was broken off, where that happens meanwhile.
 */
export async function readInTurns(
  op: Operation,
  text: string,
  how: ReadAs,
  signal?: AbortSignal,
): Promise<Reading> {
  const steps = stepsOf(op, text, how)
  for (let began = performance.now(); ;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - began < TURN_MS) continue
    await nextTurn()
    signal?.throwIfAborted()
    began = performance.now()
  }
}

function* stepsOf(op: Operation, text: string, how: ReadAs): Steps {
  const findings = new Findings()
  const reading = yield* readOnce(op, text, how, findings)
  if (!findings.rounded) return reading
  // Which integers a double rounds costs a look at every number, so it is looked for only where one was seen.
  const exactly = new Findings()
  exactly.rounded = true
  return yield* readOnce(op, text, { ...how, list: null }, exactly)
}

/** @param findings `rounded`: integers are taken from the text */
function* readOnce(
  op: Operation,
  text: string,
  { contentType, list, shape, headers }: ReadAs,
  findings: Findings,
): Steps {
  const { answer } = op
  if (op.kind === 'write' && !(answer.kind === 'json' && answer.needed))
    return readWritten(op, text, contentType, { findings, shape })
  if (isPage(contentType, text)) return misfit('body', say('answer.page'), findings)
  if (answer.kind !== 'json' && answer.kind !== 'list') return { value: undefined, fit: { kind: 'fits' } }
  const page = list?.end(headers)
  if (list && page) return told({ value: page, fit: { kind: 'fits' } }, list.findings)
  // A service that has nothing to say about an accepted call is understood, if no field is required.
  const json = text.trim() === '' ? {} : jsonOf(text, findings)
  const value = json ?? otherwise(op, text, { contentType, headers })
  if (value === undefined) return { value: undefined, fit: { kind: 'broken', why: say('answer.no-json') } }
  if (op.kind === 'write' && isFields(value) && denies(value))
    return { value: undefined, fit: { kind: 'denied' } }
  if (answer.kind === 'list')
    return yield* readPage(op, answer, withLines(answer.item, value), { findings, shape, headers })
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

const told = (reading: Reading, { drifts, numbers }: Findings): Reading => ({ ...reading, drifts, numbers })

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

function* readPage(
  op: Operation,
  { item, by, parts = [] }: Extract<Operation['answer'], { kind: 'list' }>,
  body: unknown,
  reads: Reads,
): Steps {
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
  for (const [index, one] of found.raw.slice(0, ITEMS_MOST).entries()) {
    keepItem(reader, inContractNames(one, shape?.answer), index, { page, findings })
    if (index % STEP === STEP - 1) yield
  }
  Object.assign(page, pagingOf(found, { count: found.raw.length, leftOut: page.leftOut.length }))
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
