import { joined } from '../../contract/pure/paths.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { Refusal } from '../refusal.ts'
import { readJarEntry } from '../software/jar-entry.ts'

/** Where servers look for plugins and mods. */
const FOLDERS = ['plugins', 'mods']
/** Jars that are looked into, and for how many milliseconds. */
const MOST_JARS = 300
const MOST_MS = 3000

/** What says in a jar which extension it is, and how its names are read there. */
const DESCRIPTIONS: Readonly<Record<string, (text: string) => (string | undefined)[]>> = {
  'paper-plugin.yml': yamlName,
  'plugin.yml': yamlName,
  'bungee.yml': yamlName,
  'fabric.mod.json': jsonNames,
  'quilt.mod.json': jsonNames,
  'velocity-plugin.json': jsonNames,
  'META-INF/neoforge.mods.toml': tomlNames,
  'META-INF/mods.toml': tomlNames,
}

/** The paths of the jars that these extensions come from, by their names or ids, or by the names of their files. */
export async function jarsOf(files: ServerFiles, extensions: readonly string[]): Promise<string[]> {
  const wanted = new Set(extensions.map((name) => name.toLowerCase()))
  const until = performance.now() + MOST_MS
  const found: string[] = []
  let looked = 0
  for (const path of FOLDERS) {
    for (const name of await jarsIn(files, path)) {
      if (wanted.has(name.toLowerCase())) found.push(joined(path, name))
      else if (looked++ < MOST_JARS && performance.now() < until) {
        const names = await namesOf(files, joined(path, name))
        if (names.some((one) => wanted.has(one.toLowerCase()))) found.push(joined(path, name))
      }
    }
  }
  return found
}

async function jarsIn(files: ServerFiles, path: string): Promise<string[]> {
  try {
    using folder = files.open(path)
    const names = await folder.names()
    return names.filter((name) => /\.jar$/i.test(name)).sort()
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

/** What an extension is called; nothing where its jar cannot be read. */
async function namesOf(files: ServerFiles, path: string): Promise<string[]> {
  try {
    using jar = files.locate(path)
    const { at } = jar
    // Java can't load a jar whose name is not valid UTF-8 either.
    if (typeof at !== 'string') return []
    for (const [entry, read] of Object.entries(DESCRIPTIONS)) {
      const text = await readJarEntry(at, entry)
      if (text !== null) return read(text).filter((name) => name !== undefined)
    }
  } catch {
    // It is no jar, or it went meanwhile.
  }
  return []
}

function yamlName(text: string): (string | undefined)[] {
  return [/^name:[ \t]{0,20}['"]?([\w .-]{1,100}?)['"]?[ \t]{0,20}\r?$/m.exec(text)?.[1]]
}

function jsonNames(text: string): (string | undefined)[] {
  const { id, name, quilt_loader: quilt } = (JSON.parse(text) ?? {}) as Record<string, unknown>
  const of = (value: unknown): Record<string, unknown> => (value ?? {}) as Record<string, unknown>
  return [id, name, of(quilt)['id'], of(of(quilt)['metadata'])['name']].map((one) =>
    typeof one === 'string' ? one : undefined,
  )
}

/** Dependencies have a `modId` too: only those of the jar's own mods are names of it. */
function tomlNames(text: string): (string | undefined)[] {
  const own = text.split('[[').filter((part) => part.startsWith('mods]]'))
  return own.flatMap((part) =>
    [...part.matchAll(/^\s{0,20}(?:modId|displayName)\s{0,5}=\s{0,5}"([^"\n]{1,100})"/gm)].map(
      ([, name]) => name,
    ),
  )
}
