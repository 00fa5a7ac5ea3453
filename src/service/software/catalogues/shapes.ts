import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import type { JsonLimits } from '../../../contract/rules/json-bounds.ts'
import { Yielder } from '../../base/yield.ts'
import { CatalogueFault, refusalOf } from './faults.ts'
import { parseInTurns } from './json-in-turns.ts'

/**
 * How a version or a build may be called. It becomes part of addresses, of names of files and of a program's arguments, so
 * that it neither begins with a dash or a dot nor holds a separator.
 */
export const Id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 ._+-]{0,79}$/)

/** A number or a text, as catalogues write the numbers of builds. */
export const BuildNumber = z.union([z.int().min(0).transform(String), z.string().regex(/^\d{1,9}$/)])

/** A list of more entries is none of a catalogue: looking at each could keep the service busy for minutes. */
export const ENTRIES_MOST = 20_000

/** A list of which only what can be read counts: one strange entry does not hide all others. Read with turns for others. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.array(z.unknown()).transform(async (all, context) => {
    if (all.length > ENTRIES_MOST) {
      context.addIssue('The list is too long.')
      return z.NEVER
    }
    const yielder = new Yielder()
    const known: z.output<T>[] = []
    for (const one of all) {
      await yielder.next()
      const parsed = await item.safeParseAsync(one)
      if (parsed.success) known.push(parsed.data)
    }
    if (all.length > 0 && known.length === 0) context.addIssue('None of the entries can be read.')
    return known
  })

/** A time as ISO 8601 in UTC; undefined where it is none. */
export function isoOf(time: string | number | null | undefined): string | undefined {
  const ms = typeof time === 'string' ? Date.parse(time) : (time ?? NaN)
  // Dates end 8.64e15 ms after 1970.
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined
}

/** Bytes of a file; null where that cannot be. */
export const Size = z.int().positive().nullable().catch(null)

const HEX_LENGTHS = { md5: 32, sha1: 40, sha256: 64, sha512: 128 }

/** A checksum in hex, made lower-case. */
export const hex = (algorithm: keyof typeof HEX_LENGTHS) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-fA-F]{${HEX_LENGTHS[algorithm]}}$`))
    .transform((value) => ({ algorithm, value: value.toLowerCase() }))

/** What is told of one build. */
const CHANGES_MOST = 50
const CHANGE_LENGTH_MOST = 200
/** Characters of a message that are looked at. */
const MESSAGE_READ = 2000

/** First lines of the messages of commits, without what only a terminal understands. */
export function changesOf(messages: readonly unknown[]): string[] {
  return messages
    .slice(0, CHANGES_MOST)
    .map((message) => (typeof message === 'string' ? message.slice(0, MESSAGE_READ) : ''))
    .map(
      (message) =>
        stripVTControlCharacters(message)
          .trimStart()
          .split(/[\r\n]/, 1)[0]!,
    )
    .map((line) =>
      line
        .replaceAll(/\p{Cc}/gu, '')
        .trim()
        .slice(0, CHANGE_LENGTH_MOST),
    )
    .filter((line) => line !== '')
}

/** Commits as they come: only those that are told are looked at. */
export const Commits = z.array(z.unknown()).catch([])

/** What a property of each commit says, of the first ones. */
export const messagesOf = (commits: readonly unknown[], property: 'message' | 'description'): unknown[] =>
  commits
    .slice(0, CHANGES_MOST)
    .map((commit) => (commit as Partial<Record<typeof property, unknown>> | null)?.[property])

/** How many commits there are beside those that are told. */
export const moreChanges = (commits: readonly unknown[]): { moreChanges?: number } =>
  commits.length > CHANGES_MOST ? { moreChanges: commits.length - CHANGES_MOST } : {}

/** The name under which a file of a catalogue lies here: no path, and nothing that any system refuses. */
export function fileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  // Paper refuses paths with "!" and "+".
  const plain = last.replaceAll(/[^A-Za-z0-9._-]/g, '_').replace(/^[.-]+/, '')
  return plain.slice(-120) || 'server.jar'
}

/**
 * The address of a file that a catalogue names: https, or where the catalogue itself is. Throws Refusal 502 where it is
 * another.
 *
 * @param name what people know the catalogue as
 */
export function safeFileUrl(url: string, base: string, name: string): string {
  const to = URL.canParse(url, `${base}/`) ? new URL(url, `${base}/`) : null
  const isSafe = to?.protocol === 'https:' || to?.origin === new URL(base).origin
  if (to && isSafe && !to.username && !to.password) return to.href
  const why = 'It names a file at an address that is not followed.'
  throw refusalOf(new CatalogueFault('unreadable', why), name)
}

/** What the largest answer of a catalogue is made of: all versions of a large modpack, with room to spare. */
const ANSWER: JsonLimits = { values: 600_000, depth: 64 }

/**
 * Reads JSON by a schema, with turns for others; rejects where it is another, or is made of more than any catalogue
 * sends.
 */
export const json =
  <T extends z.ZodType>(schema: T) =>
  async (text: string): Promise<z.output<T>> => {
    // Not by the parser's error: it would say of each value of a long list what is wrong with it.
    const { success, data } = await schema.safeParseAsync(await parseInTurns(text, ANSWER))
    if (!success) throw new Error('It has another form.')
    return data
  }
