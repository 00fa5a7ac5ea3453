import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { decodedList, valuesIn } from './list-text.ts'

/** One ban of `banned-players.json`. */
export const Ban = z.object({
  uuid: z.string(),
  name: z.string(),
  /** As Minecraft writes times: `2026-11-20 18:00:00 +0000`. */
  created: z.string(),
  source: z.string(),
  /** A time, or `forever`. */
  expires: z.string(),
  reason: z.string(),
})
export type Ban = z.infer<typeof Ban>

/** One operator of `ops.json`. */
export const Operator = z.object({
  uuid: z.string(),
  name: z.string(),
  level: z.number().int(),
  bypassesPlayerLimit: z.boolean(),
})
export type Operator = z.infer<typeof Operator>

/** One player of `whitelist.json`. */
export const Whitelisted = z.object({ uuid: z.string(), name: z.string() })
export type Whitelisted = z.infer<typeof Whitelisted>

/** Reads a list. Entries that do not fit are left out; no file is an empty list; a file that is no list throws. */
export function readList<S extends z.ZodType>(file: string, item: S): z.output<S>[] {
  let text: string
  try {
    text = readFileSync(file, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return valuesIn(decodedList(text)).flatMap((entry) => {
    const parsed = item.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}

/** Writes a list so that a crash leaves either the old or the new one. */
export function writeList(file: string, list: readonly unknown[]): void {
  writeText(file, JSON.stringify(list, null, 2))
}

/** The same for any text. */
export function writeText(file: string, text: string | Buffer): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

/** A time as Minecraft's lists have it. */
export const listTime = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ') + ' +0000'
