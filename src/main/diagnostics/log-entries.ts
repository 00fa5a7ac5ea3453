import { builtinModules, isBuiltin } from 'node:module'
import { getSystemErrorMap } from 'node:util'
import { problemCodes } from '../../contract/bridge/problem.ts'
import type { Cleaner } from './cleaner.ts'
import { open } from 'node:fs/promises'

export interface FormattedEntry {
  level: number
  text: string
}

export interface EntryFormat {
  cleaner: Pick<Cleaner, 'clean' | 'connection'>
  programFiles: ReadonlySet<string>
}

const LEVELS: Record<number, string> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }
const FRAMES = 6
const CAUSES = 3
const LONGEST_MESSAGE = 160

const words: Record<string, readonly string[]> = {
  during: ['check', 'download', 'install'],
  trouble: ['damaged', 'removed', 'lost'],
  file: ['cache.db', 'transfers.db'],
}
const numbers = new Set(['length', 'leftOut', 'status'])
const types = new Set(
  [
    ...['', 'Type', 'Range', 'Reference', 'Syntax', 'Aggregate', 'Abort', 'Timeout', 'System'],
    ...['NotFound', 'InvalidState', 'Network'],
  ].map((kind) => `${kind}Error`),
)
for (const type of ['PanelProblem', 'StartProblem', 'DatabaseFileError']) types.add(type)
const systemCodes = new Set([...getSystemErrorMap().values()].map(([name]) => name))
const libraryCode = /^(ERR|UND_ERR|SQLITE|CERT|HPE|UNABLE|DEPTH_ZERO|SELF_SIGNED)_[A-Z_]{2,50}$/
const logIdForm = /^[a-hjkmnp-z2-9]{8}$/
/** Engine messages that quote nothing. */
const engineWords = [
  /^Cannot (read|set) properties of (undefined|null)/,
  /^Maximum call stack size exceeded$/,
  /^Invalid (array length|string length|time value|typed array length|date)/,
  /^Assignment to constant variable/,
  /^Unexpected end of JSON input/,
  /^Array buffer allocation failed/,
]

/**
 * Picks known harmless fields of a log line; null if it is not an entry. Entry messages are fixed sentences of this
 * program (a test checks that); error messages can quote anything and are dropped.
 */
export function toldEntry(line: string, telling: EntryFormat): FormattedEntry | null {
  const entry = parsed(line)
  if (!entry) return null
  const { level, time, msg, error, err, logId, connectionId, ...fields } = entry
  const name = typeof level === 'number' ? LEVELS[level] : undefined
  if (name === undefined || typeof time !== 'number' || !(time > 0 && time < 4e12)) return null
  const said = typeof msg === 'string' ? telling.cleaner.clean(msg.slice(0, LONGEST_MESSAGE)) : ''
  const parts = [`${new Date(time).toISOString()} ${name} ${said}`]
  if (typeof logId === 'string' && logIdForm.test(logId)) parts.push(`logId=${logId}`)
  if (typeof connectionId === 'string') parts.push(`connection=${telling.cleaner.connection(connectionId)}`)
  for (const [field, value] of Object.entries(fields)) {
    const known = typeof value === 'string' && Object.hasOwn(words, field) && words[field]?.includes(value)
    if (known || (numbers.has(field) && Number.isSafeInteger(value))) parts.push(`${field}=${String(value)}`)
  }
  return { level: level as number, text: [parts.join(' '), ...toldError(error ?? err, telling)].join('\n  ') }
}

function toldError(error: unknown, telling: EntryFormat, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > CAUSES) return []
  const { type, message, stack, code, problem, cause } = error as Record<string, unknown>
  const said = typeof message === 'string' && engineWords.find((known) => known.test(message))?.exec(message)
  const parts = [typeof type === 'string' && types.has(type) ? type : 'another error']
  if (said) parts.push(`“${said[0]}”`)
  if (typeof code === 'string' && (systemCodes.has(code) || libraryCode.test(code))) parts.push(code)
  const kind = problemCode(problem)
  if (kind) parts.push(`problem ${kind}`)
  const frames = typeof stack === 'string' ? toldFrames(stack, telling.programFiles) : []
  const at = frames.length > 0 ? [`  at ${frames.join(' < ')}`] : []
  const below = toldError(cause, telling, depth + 1)
  return [parts.join(' '), ...at, ...below.map((one, index) => (index === 0 ? `caused by ${one}` : one))]
}

export function problemCode(problem: unknown): string | null {
  const code = typeof problem === 'object' && problem !== null && 'code' in problem ? problem.code : null
  return problemCodes.find((one) => one === code) ?? null
}

/** Stack as file and line; names of functions and folders are dropped. */
function toldFrames(stack: string, programFiles: ReadonlySet<string>): string[] {
  const frames: string[] = []
  for (const line of stack.split('\n')) {
    const [, place = '', at = ''] = /^ {4}at .*?([^\s(]+?):(\d{1,7}:\d{1,7})\)?$/.exec(line) ?? []
    const file = place.split(/[/\\]/).at(-1) ?? ''
    const builtIn = place.startsWith('node:') && isBuiltin(place) && builtinModules.includes(place.slice(5))
    if (programFiles.has(file)) frames.push(`${file}:${at}`)
    else if (builtIn) frames.push(place)
    if (frames.length === FRAMES) break
  }
  return frames
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

const TAIL_BYTES = 256 * 1024

export async function lastLines(paths: readonly string[], most: number): Promise<string[]> {
  const lines: string[] = []
  for (const path of paths) lines.push(...(await tailOf(path).catch(() => [])))
  return lines.slice(-most)
}

async function tailOf(path: string): Promise<string[]> {
  await using file = await open(path, 'r')
  const about = await file.stat()
  // Reading a pipe would never end.
  if (!about.isFile()) return []
  const from = Math.max(about.size - TAIL_BYTES, 0)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from)
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
  // The first line may be cut off, and the last be incomplete.
  return lines.slice(from > 0 ? 1 : 0, -1)
}
