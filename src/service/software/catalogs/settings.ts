import path from 'node:path'
import { z } from 'zod'
import { CATALOG_ADDRESSES } from '../../../extensions/catalogs/addresses.ts'
import { readDataFile } from '../../../host/data-file.ts'
import { StartProblem } from '../../../host/start-problem.ts'
import { isLoopback } from '../../base/host.ts'

/** Optional file in the service's folder with other addresses, such as mirrors. */
export const SETTINGS_FILE = 'catalogs.json'
const FORMER_FILE = 'catalogues.json'

const isSafe = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || url.username || url.password || url.search || url.hash) return false
  // Must be encrypted: checksums come from here too.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(host))
}

/** Without trailing slash. */
const Base = z
  .string()
  .max(1000)
  .refine(isSafe, 'has to be an address that begins with https:// (http:// is for this computer only)')
  .transform((text) => text.replace(/\/+$/, ''))

export const CatalogSettings = z.strictObject({
  mojang: Base.default('https://piston-meta.mojang.com'),
  /** Fill v3: Paper, Folia and Velocity. */
  paper: Base.default('https://fill.papermc.io'),
  purpur: Base.default('https://api.purpurmc.org'),
  fabric: Base.default('https://meta.fabricmc.net'),
  quilt: Base.default('https://meta.quiltmc.org'),
  neoforge: Base.default('https://maven.neoforged.net'),
  forge: Base.default('https://files.minecraftforge.net'),
  forgeMaven: Base.default('https://maven.minecraftforge.net'),
  adoptium: Base.default('https://api.adoptium.net'),
  modrinth: Base.default(CATALOG_ADDRESSES.modrinth),
  hangar: Base.default(CATALOG_ADDRESSES.hangar),
  contact: z
    .string()
    .regex(/^[\x21-\x27\x2a-\x7e]{3,200}$/, 'has to be a web or mail address without spaces or parentheses')
    .default(CATALOG_ADDRESSES.contact),
})
export type CatalogSettings = z.infer<typeof CatalogSettings>

/** @param flags from the command line, which override the file */
export async function readCatalogSettings(
  folder: string,
  flags: Record<string, string> = {},
): Promise<CatalogSettings> {
  let file = path.join(folder, SETTINGS_FILE)
  let given: unknown = {}
  try {
    let text = await readDataFile(file)
    if (text === null) text = await readDataFile((file = path.join(folder, FORMER_FILE)))
    if (text !== null) given = JSON.parse(text)
  } catch (error) {
    const isNoFolder = (error as NodeJS.ErrnoException).code === 'ENOTDIR'
    const why = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    // Opening the data folder reports that.
    if (!isNoFolder)
      throw new StartProblem('arguments', `${file} ${why}. Correct it, or remove it to use the defaults.`, {
        cause: error,
      })
  }
  const parsed = CatalogSettings.safeParse(isRecord(given) ? { ...given, ...flags } : given)
  if (parsed.success) return parsed.data
  throw new StartProblem(
    'arguments',
    `${file}: ${sentenceOf(parsed.error.issues[0])} Correct it, or remove it to use the defaults.`,
  )
}

/** Adds a `name=address` flag. Throws a sentence if invalid. */
export function withNamed(text: string, former: Record<string, string> = {}): Record<string, string> {
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  const field = Object.entries(CatalogSettings.shape).find(([known]) => known === name)?.[1]
  if (!field) {
    const known = Object.keys(CatalogSettings.shape).join(', ')
    throw new Error(`It has to be name=address; names are ${known}.`)
  }
  const parsed = field.safeParse(value)
  if (parsed.success) return { ...former, [name]: value }
  throw new Error(`${name} ${parsed.error.issues[0]?.message ?? 'is wrong'}.`)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function sentenceOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') {
    const known = Object.keys(CatalogSettings.shape).join(', ')
    return `There is no catalog named ${issue.keys[0]}; known names are ${known}.`
  }
  if (!issue || issue.path.length === 0) return 'It must be a JSON object with an address for each name.'
  const name = issue.path.join('.')
  return issue.code === 'custom' || issue.code === 'invalid_format'
    ? `${name} ${issue.message}.`
    : `${name} must be text in quotation marks.`
}
