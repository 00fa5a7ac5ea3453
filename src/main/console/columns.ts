import { Line } from '../../contract/areas/console.ts'
import type { LineBatch } from '../../contract/bridge/values.ts'
import { parseLineId } from '../../contract/rules/line-ids.ts'
import { Findings } from '../api/reader/drift.ts'
import { readerOf } from '../api/reader/reader.ts'
import { MISFIT } from '../api/reader/reading.ts'
import { kindOf } from '../api/reader/scalars.ts'

/** A line of a service whose ids are its own, or that gives none. */
export interface ForeignLine {
  id: string | null
  /** Milliseconds since 1970; 0 where none was given. */
  time: number
  text: string
  source: LineBatch['sources'][number] | null
}

/** The begin of the epochs that the panel itself gives to lines whose ids say nothing of their order. */
export const OWN_EPOCH = 'seen.'
/** Longest id that is taken for one of the contract's, in characters. */
const ID_MOST = 60
/** Ids that are unique and say nothing else, whatever their last part looks like. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const lineReader = readerOf(Line)

/** What lines of a service hold: batches of consecutive ids where those are the contract's, else the lines alone. */
export type Columns = { leftOut: number } & (
  { kind: 'counted'; batches: LineBatch[] } | { kind: 'foreign'; lines: ForeignLine[] }
)

/**
 * Turns lines of a service into batches of consecutive ids, and counts the ones that hold no text. Written by hand and
 * not with a schema: it runs 100,000 times a second, and a schema took longer than all the rest of the way to the window.
 * What does not look as the contract has it is read once more by the schema.
 *
 * @param findings is told where lines differ from the contract
 */
export function toColumns(lines: readonly unknown[], findings = new Findings()): Columns {
  const batches: LineBatch[] = []
  let batch: LineBatch | null = null
  let leftOut = 0
  let lastTime = ''
  let lastMs = 0
  // What the next id has to be where the line follows the one before; saves taking apart every id.
  let expected = ''
  // Steps from line to line that are none by one: ids that count something else have many of them.
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
    const { id, text, time, source } = line as { id: unknown; text: string; time: unknown; source: unknown }
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
      batch.sources[batch.texts.length] = source
    batch.times.push(typeof time === 'string' ? lastMs : 0)
    batch.texts.push(text)
    expected = `${batch.epoch}-${batch.firstSeq + batch.texts.length}`
  }
  // Holes are few: ids most of which do not follow each other only look like the contract's.
  if (jumps > 2 && jumps * 2 > lines.length - leftOut - 1)
    return { kind: 'foreign', ...foreignLines(lines, findings) }
  return { kind: 'counted', batches, leftOut }
}

/** Whether a line is as the contract has it, as far as it is shown. */
const isPlain = ({ id, text, time }: Record<string, unknown>): boolean =>
  typeof id === 'string' &&
  typeof text === 'string' &&
  (typeof time === 'string' ? time.charCodeAt(10) === 84 : time === undefined || time === null)

/** An id of the contract's form, taken apart. One that the panel made up can come from no service. */
export function contractId(id: string): ReturnType<typeof parseLineId> {
  if (id.length > ID_MOST || id.startsWith(OWN_EPOCH) || UUID.test(id)) return null
  return parseLineId(id)
}

/** Lines as they came, whatever their ids are. */
export function foreignLines(
  raws: readonly unknown[],
  findings = new Findings(),
): { lines: ForeignLine[]; leftOut: number } {
  const lines: ForeignLine[] = []
  for (const raw of raws) {
    const line = readLine(raw, findings)
    if (line === MISFIT) continue
    const { id, text, time, source } = line as Line
    lines.push({
      id: id ?? null,
      time: time ? Date.parse(time) || 0 : 0,
      text,
      source: typeof source === 'string' ? source : null,
    })
  }
  return { lines: oldestFirst(lines), leftOut: raws.length - lines.length }
}

/** A line in whatever form it came, or MISFIT. Which of many lines it was is not told apart. */
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

/** Some services give the newest line first: the times say so, or ids that count. */
function oldestFirst(lines: ForeignLine[]): ForeignLine[] {
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last || lines.length < 2) return lines
  const orders = first.time > 0 && last.time > 0 ? [first.time, last.time] : [count(first), count(last)]
  const [begin, end] = orders as [number, number]
  return begin > end ? lines.toReversed() : lines
}

const count = ({ id }: ForeignLine): number => (id !== null && /^\d{1,15}$/.test(id) ? Number(id) : 0)

/** Lines as a batch whose ids run on from `firstSeq`. */
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

/** A batch as the lines it was made of, as far as it still says. */
export function linesOf({ texts, times, sources }: LineBatch): ForeignLine[] {
  return texts.map((text, at) => ({ id: null, time: times[at] ?? 0, text, source: sources[at] ?? null }))
}

/** The batch without the lines up to and including `seq`; null where nothing is left. */
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

/** The seq of a batch's last line. */
export const lastSeq = (batch: LineBatch) => batch.firstSeq + batch.texts.length - 1
