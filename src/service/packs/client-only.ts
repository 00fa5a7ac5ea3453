import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { readJarEntry } from '../software/jar-entry.ts'

/** Where each loader reads what a mod is, the first that is there, and whether that says that it is for players' games alone. */
const DESCRIBED: Readonly<
  Record<string, readonly [file: string, isClientOnly: (text: string) => boolean][]>
> = {
  fabric: [['fabric.mod.json', ofFabric]],
  quilt: [
    ['quilt.mod.json', (text) => isClient(tree(tree(parseYaml(text))['minecraft'])['environment'])],
    ['fabric.mod.json', ofFabric],
  ],
  forge: [['META-INF/mods.toml', ofForge]],
  neoforge: [
    ['META-INF/neoforge.mods.toml', ofForge],
    ['META-INF/mods.toml', ofForge],
  ],
}

/**
 * Whether a mod says of itself that it is for players' games alone: packs often name such mods without saying so. What cannot
 * be read says nothing.
 */
export async function isClientOnly(jar: string, loader: string): Promise<boolean> {
  try {
    for (const [file, says] of DESCRIBED[loader] ?? []) {
      const text = await readJarEntry(jar, file)
      if (text !== null) return says(text)
    }
  } catch {
    // No jar, or a broken one: the loader says so.
  }
  return false
}

const tree = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const isClient = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === 'client'

/** Mods are loaded whose JSON has line ends inside of texts: as YAML that is allowed. */
function ofFabric(text: string): boolean {
  return isClient(tree(parseYaml(text))['environment'])
}

function ofForge(text: string): boolean {
  return parseToml(text)['clientSideOnly'] === true
}
