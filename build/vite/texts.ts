import { readdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

/** The texts themselves, and what gathers them. */
const LANGUAGES = /[\\/]messages[\\/](en|de|sentences)\b/

/** Each file of `messages/en` with the keys it declares. */
async function declaredKeys(folder: string): Promise<Map<string, string[]>> {
  const files = readdirSync(folder).map((name) => path.join(folder, name))
  const keys = async (file: string) =>
    Object.values((await import(pathToFileURL(file).href)) as Record<string, object>).flatMap(Object.keys)
  return new Map(await Promise.all(files.map(async (file) => [file, await keys(file)] as const)))
}

/** The files of texts that code shows something of: keys as literals, and beginnings of keys in `t(`…${}`)`. */
export function textsOf(code: string, declared: ReadonlyMap<string, readonly string[]>): string[] {
  // Calls and the columns of tables can be named like a text.
  const source = code.replace(/\bcall\(\s*['"][\w.-]+['"]|['"][\w.-]+['"]:/g, '')
  const literals = new Set(
    [...source.matchAll(/['"`]([a-z][\w-]*(?:\.[\w-]+)+)['"`]/g)].map(([, key]) => key),
  )
  const beginnings = [...source.matchAll(/`([a-z][\w-]*\.[\w.-]*)\$\{/g)].map(([, begin]) => begin ?? '')
  return [...declared]
    .filter(([, keys]) =>
      keys.some((key) => literals.has(key) || beginnings.some((begin) => key.startsWith(begin))),
    )
    .map(([file]) => file)
}

/** Imports for each module of the renderer the English texts it shows, so that a chunk brings its own. */
export function texts(renderer: string): Plugin {
  const messages = path.join(renderer, 'messages')
  let declared = new Map<string, string[]>()
  return {
    name: 'texts',
    enforce: 'pre',
    async buildStart() {
      declared = await declaredKeys(path.join(messages, 'en'))
    },
    transform(code, id) {
      const [address = '', query] = id.split('?')
      const file = path.normalize(address)
      if (!/\.(ts|svelte)$/.test(file) || !file.startsWith(renderer) || LANGUAGES.test(file)) return null
      // Svelte's styles are named as a query of their component.
      if (query?.startsWith('svelte')) return null
      const imports = textsOf(code, declared).map((from) => `import ${JSON.stringify(from)};`)
      if (imports.length === 0) return null
      if (!file.endsWith('.svelte')) return { code: imports.join('') + code, map: null }
      const script = /<script\b.*>$/m.exec(code)
      if (!script) throw new Error(`${file} shows texts and has no script to import them.`)
      // Within the line of the tag: the numbers of lines stay.
      const inside = script.index + script[0].length
      return { code: code.slice(0, inside) + imports.join('') + code.slice(inside), map: null }
    },
  }
}
