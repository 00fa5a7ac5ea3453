import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import type { JsonLimits } from '../../contract/rules/json-bounds.ts'
import { Yielder } from '../../host/yield.ts'
import { CatalogFault, refusalOf } from './faults.ts'
import { parseInTurns } from './json-in-turns.ts'

/** Version and build ids become part of URLs, file names and arguments: no separators, no leading dash or dot. */
export const Id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 ._+-]{0,79}$/)

export const BuildNumber = z.union([z.int().min(0).transform(String), z.string().regex(/^\d{1,9}$/)])

/** Real lists are shorter; validating more could block the service for minutes. */
export const ENTRIES_MOST = 20_000

/** Drops invalid entries, so one can't hide the rest. Yields to others. */
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

/** ISO 8601 in UTC; undefined if invalid. */
export function isoOf(time: string | number | null | undefined): string | undefined {
  const ms = typeof time === 'string' ? Date.parse(time) : (time ?? NaN)
  // The range of Date.
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined
}

export const Size = z.int().positive().nullable().catch(null)

const HEX_LENGTHS = { md5: 32, sha1: 40, sha256: 64, sha512: 128 }

export const hex = (algorithm: keyof typeof HEX_LENGTHS) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-fA-F]{${HEX_LENGTHS[algorithm]}}$`))
    .transform((value) => ({ algorithm, value: value.toLowerCase() }))

const CHANGES_MOST = 50
const CHANGE_LENGTH_MOST = 200
const MESSAGE_READ = 2000

/** Unvalidated: only those shown are read. */
export const Commits = z.array(z.unknown()).catch([])

/** First lines of commit messages, without control characters. */
export function changesOf(
  commits: readonly unknown[],
  property: 'message' | 'description',
): { changes: string[]; moreChanges?: number } {
  const changes = commits
    .slice(0, CHANGES_MOST)
    .map((commit) => (commit as Partial<Record<typeof property, unknown>> | null)?.[property])
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
  return { changes, ...(commits.length > CHANGES_MOST && { moreChanges: commits.length - CHANGES_MOST }) }
}

/** A safe local file name on any system. */
export function fileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  // Paper refuses paths with "!" and "+".
  const plain = last.replaceAll(/[^A-Za-z0-9._-]/g, '_').replace(/^[.-]+/, '')
  return plain.slice(-120) || 'server.jar'
}

/** Requires https, or the catalog's own origin. Throws Refusal 502. */
export function safeFileUrl(url: string, base: string, name: string): string {
  const to = URL.canParse(url, `${base}/`) ? new URL(url, `${base}/`) : null
  const isSafe = to?.protocol === 'https:' || to?.origin === new URL(base).origin
  if (to && isSafe && !to.username && !to.password) return to.href
  const why = 'It names a file at an address that is not followed.'
  throw refusalOf(new CatalogFault('unreadable', why), name)
}

/** Fits all versions of a large modpack. */
const ANSWER: JsonLimits = { values: 600_000, depth: 64 }

/** Parses JSON by a schema, yielding to others. Rejects if invalid or too large. */
export const json =
  <T extends z.ZodType>(schema: T) =>
  async (text: string): Promise<z.output<T>> => {
    // The parser's error would list every bad value.
    const { success, data } = await schema.safeParseAsync(await parseInTurns(text, ANSWER))
    if (!success) throw new Error('It has another form.')
    return data
  }
