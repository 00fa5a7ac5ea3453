import { Line } from '../../contract/areas/console.ts'
import type { LineBatch } from '../../contract/bridge/values.ts'
import { parseLineId } from '../../contract/rules/line-ids.ts'
import { Findings } from '../api/reader/drift.ts'
import { readerOf } from '../api/reader/reader.ts'
import { MISFIT } from '../api/reader/leaf-reader.ts'
import { kindOf } from '../api/reader/scalars.ts'
import { toldSentences } from './told-sentences.ts'

/** A line whose id has a service-specific format, or is missing. */
export interface ForeignLine {
  id: string | null
  time: number
  text: string
  source: LineBatch['sources'][number] | null
}

/** Prefix of epochs the panel assigns to lines whose ids have no order. */
export const OWN_EPOCH = 'seen.'
/** Longest id accepted as a contract id, in characters. */
const ID_MOST = 60
/** Unique but unordered, even if the last part looks like a number. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const lineReader = readerOf(Line)

/** Batches of consecutive contract ids, or plain lines. */
export type Columns = { leftOut: number } & (
  { kind: 'counted'; batches: LineBatch[] } | { kind: 'foreign'; lines: ForeignLine[] }
)

/**
 * Groups lines into batches of consecutive ids and counts those without text. Hand-written: it runs 100,000 times a
 * second, and a schema took longer than the rest of the pipeline. Lines that deviate are parsed again by schema, into
 * `findings`.
 */
export function toColumns(lines: readonly unknown[], findings = new Findings()): Columns {
  const batches: LineBatch[] = []
  let batch: LineBatch | null = null
  let leftOut = 0
  let lastTime = ''
  let lastMs = 0
  // Saves parsing every id.
  let expected = ''
  // Many steps other than 1 mean the ids count something else.
  let jumps = 0
  for (const raw of lines) {
    let line = (raw ?? {}) as Record<string, unknown>
    if (!isPlain(line)) {
      const read = readLine(raw, findings)
      if (read === MISFIT) {
        leftOut++
        continue
      }
      line = read as Record<string, unknown>
    }
    const { id, text, time, source, sentences } = line as Record<string, unknown> & { text: string }
    if (!batch || id !== expected) {
      const parsed = typeof id === 'string' ? contractId(id) : null
      if (!parsed) return { kind: 'foreign', ...foreignLines(lines, findings) }
      if (batch) jumps++
      batch = { epoch: parsed.epoch, firstSeq: parsed.seq, times: [], texts: [], sources: {} }
      batches.push(batch)
    }
    if (typeof time === 'string' && time !== lastTime) {
      lastTime = time
      lastMs = Date.parse(time) || 0
    }
    if (source === 'error' || source === 'command' || source === 'service')
      batch.sources[batch.texts.length] = (source === 'service' && toldSentences(sentences)) || source
    batch.times.push(typeof time === 'string' ? lastMs : 0)
    batch.texts.push(text)
    expected = `${batch.epoch}-${batch.firstSeq + batch.texts.length}`
  }
  // Real holes are few; ids that mostly skip only look like the contract's.
  if (jumps > 2 && jumps * 2 > lines.length - leftOut - 1)
    return { kind: 'foreign', ...foreignLines(lines, findings) }
  return { kind: 'counted', batches, leftOut }
}

const isPlain = ({ id, text, time }: Record<string, unknown>): boolean =>
  typeof id === 'string' &&
  typeof text === 'string' &&
  (typeof time === 'string' ? time.charCodeAt(10) === 84 : time === undefined || time === null)

/** Parsed contract id; rejects ids made by the panel, which no service may send. */
export function contractId(id: string): ReturnType<typeof parseLineId> {
  if (id.length > ID_MOST || id.startsWith(OWN_EPOCH) || UUID.test(id)) return null
  return parseLineId(id)
}

export function foreignLines(
  raws: readonly unknown[],
  findings = new Findings(),
): { lines: ForeignLine[]; leftOut: number } {
  const lines: ForeignLine[] = []
  for (const raw of raws) {
    const line = readLine(raw, findings)
    if (line === MISFIT) continue
    const { id, text, time, source, sentences } = line as Line
    lines.push({
      id: id ?? null,
      time: time ? Date.parse(time) || 0 : 0,
      text,
      source:
        typeof source === 'string' ? (source === 'service' && toldSentences(sentences)) || source : null,
    })
  }
  return { lines: oldestFirst(lines), leftOut: raws.length - lines.length }
}

/** Findings do not tell lines apart. */
function readLine(raw: unknown, findings: Findings): unknown {
  return findings.within('lines', () =>
    findings.within('0', () => {
      const line = lineReader.read(raw, findings)
      if (line === MISFIT && !isObject(raw)) findings.note('object', kindOf(raw))
      return line
    }),
  )
}

const isObject = (raw: unknown): boolean => kindOf(raw) === 'object'

/** Some services send the newest first; times or counting ids show it. */
function oldestFirst(lines: ForeignLine[]): ForeignLine[] {
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last || lines.length < 2) return lines
  const orders = first.time > 0 && last.time > 0 ? [first.time, last.time] : [count(first), count(last)]
  const [begin, end] = orders as [number, number]
  return begin > end ? lines.toReversed() : lines
}

const count = ({ id }: ForeignLine): number => (id !== null && /^\d{1,15}$/.test(id) ? Number(id) : 0)

export function batchOf(lines: readonly ForeignLine[], epoch: string, firstSeq: number): LineBatch {
  const sources: LineBatch['sources'] = {}
  for (const [at, { source }] of lines.entries()) if (source) sources[at] = source
  return {
    epoch,
    firstSeq,
    times: lines.map(({ time }) => time),
    texts: lines.map(({ text }) => text),
    sources,
  }
}

/** Reverses `batchOf`, without the ids. */
export function linesOf({ texts, times, sources }: LineBatch): ForeignLine[] {
  return texts.map((text, at) => ({ id: null, time: times[at] ?? 0, text, source: sources[at] ?? null }))
}

/** Drops lines up to and including `seq`; null if none remain. */
export function withoutSeen(batch: LineBatch, seq: number): LineBatch | null {
  const drop = seq + 1 - batch.firstSeq
  if (drop <= 0) return batch
  if (drop >= batch.texts.length) return null
  const sources: LineBatch['sources'] = {}
  for (const [at, source] of Object.entries(batch.sources))
    if (Number(at) >= drop) sources[Number(at) - drop] = source
  return {
    epoch: batch.epoch,
    firstSeq: batch.firstSeq + drop,
    times: batch.times.slice(drop),
    texts: batch.texts.slice(drop),
    sources,
  }
}

export const lastSeq = (batch: LineBatch) => batch.firstSeq + batch.texts.length - 1
