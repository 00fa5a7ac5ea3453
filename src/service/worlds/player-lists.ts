import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { valuesIn } from '../../contract/rules/game/list-text.ts'

export const Ban = z.object({
  uuid: z.string(),
  name: z.string(),
  /** Minecraft's format: `2026-11-20 18:00:00 +0000`. */
  created: z.string(),
  source: z.string(),
  expires: z.string(),
  reason: z.string(),
})
export type Ban = z.infer<typeof Ban>

export const Operator = z.object({
  uuid: z.string(),
  name: z.string(),
  level: z.number().int(),
  bypassesPlayerLimit: z.boolean(),
})
export type Operator = z.infer<typeof Operator>

export const WhitelistEntry = z.object({ uuid: z.string(), name: z.string() })
export type WhitelistEntry = z.infer<typeof WhitelistEntry>

/** Drops invalid entries. Empty without a file; throws if it isn't a list. */
export function readList<S extends z.ZodType>(file: string, item: S): z.output<S>[] {
  let text: string
  try {
    text = readFileSync(file, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return valuesIn(text).flatMap((entry) => {
    const parsed = item.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}

export function writeList(file: string, list: readonly unknown[]): void {
  writeText(file, JSON.stringify(list, null, 2))
}

export function writeText(file: string, text: string | Buffer): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
