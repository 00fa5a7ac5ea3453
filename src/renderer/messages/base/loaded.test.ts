import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'

const renderer = path.join(import.meta.dirname, '../..')
const sets = path.join(renderer, 'messages/en')

interface Code {
  text: string
  imports: string[]
  /** What it loads later. */
  loads: string[]
}

/** All code of the renderer that is in the page, by path. */
const codes = new Map<string, Code>()
/** By the file of each set its keys. */
const keys = new Map<string, string[]>()

beforeAll(async () => {
  for (const name of readdirSync(renderer, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(ts|svelte)$/.test(name) || /\.(test|fixture|setup)\.|fixture-/.test(name)) continue
    const file = path.join(renderer, name)
    const text = readFileSync(file, 'utf8')
    const found = (pattern: RegExp) =>
      [...text.matchAll(pattern)].map(([, to]) => path.join(path.dirname(file), to ?? ''))
    codes.set(file, {
      text,
      imports: found(/^\s*(?:import|export)\s(?!type\s)(?:[^'";]*?from\s*)?'(\.[^']+)'/gm),
      loads: found(/\bimport\(\s*'(\.[^']+)'/g),
    })
  }
  for (const name of readdirSync(sets)) {
    const set = (await import(`../en/${path.parse(name).name}.ts`)) as Record<string, object>
    keys.set(path.join(sets, name), Object.values(set).flatMap(Object.keys))
  }
})

/** A file with all it imports: that is loaded together. */
function together(file: string, into = new Set<string>()): Set<string> {
  if (into.has(file) || !codes.has(file)) return into
  into.add(file)
  for (const next of codes.get(file)?.imports ?? []) together(next, into)
  return into
}

/** What is loaded at once: the page, and each part that is loaded later; with the files of texts that are there then. */
function parts(): Map<string, { files: Set<string>; texts: Set<string> }> {
  const page = path.join(renderer, 'main.ts')
  const all = new Map<string, { files: Set<string>; texts: Set<string> }>()
  const add = (root: string): void => {
    if (all.has(root) || !codes.has(root)) return
    const files = together(root)
    all.set(root, { files, texts: new Set(keys.keys()) })
    for (const file of files) codes.get(file)?.loads.forEach(add)
  }
  add(page)
  // A part has its own texts, and those that whoever loads it has, whichever of them it is: fewer and fewer, until all agree.
  for (let again = true; again;) {
    again = false
    for (const [root, part] of all) {
      const loaders = [...all.values()].filter(({ files }) =>
        [...files].some((file) => codes.get(file)?.loads.includes(root)),
      )
      for (const set of part.texts) {
        const known = root !== page && loaders.every(({ texts }) => texts.has(set))
        if (part.files.has(set) || known) continue
        part.texts.delete(set)
        again = true
      }
    }
  }
  return all
}

/** The files of texts that a file of code shows something of. */
function shownBy(file: string): string[] {
  if (file.startsWith(path.join(renderer, 'messages'))) return []
  // Calls and scopes can be named like a text.
  const other = /'[\w.-]+':|\bcall\(\s*'[\w.-]+'|\bscopes: \[[^\]]*\]/g
  const code = (codes.get(file)?.text ?? '').replace(other, '')
  const beginnings = [...code.matchAll(/\bt\(\s*`([a-z-]+\.[a-z.-]*)\$\{/g)].map(([, begin]) => begin ?? '')
  return [...keys].flatMap(([set, names]) =>
    names.some((key) => code.includes(`'${key}'`) || beginnings.some((begin) => key.startsWith(begin)))
      ? [set]
      : [],
  )
}

describe('a part that is loaded later', () => {
  it('has every text that it shows when it is drawn', () => {
    const missing = [...parts()].flatMap(([root, { files, texts }]) =>
      [...files].flatMap((file) =>
        shownBy(file)
          .filter((set) => !texts.has(set))
          .map((set) => [root, file, set].map((one) => path.relative(renderer, one)).join(' : ')),
      ),
    )
    expect(missing).toEqual([])
  })

  it('brings no texts where it follows the first screen at once: its few come with that, as does its size', () => {
    const at = (file: string) => path.join(renderer, 'app', file)
    const page = together(path.join(renderer, 'main.ts'))
    // What somebody's first move in the list loads is none of it.
    const tools = at('rail/RailTools.svelte')
    const following = [at('rail-tools.ts'), path.join(renderer, 'core/servers/server-picture.ts')].flatMap(
      (file) => codes.get(file)?.loads.filter((part) => part !== tools) ?? [],
    )
    expect(following).toHaveLength(2)
    const texts = following.flatMap((part) =>
      [...together(part)].filter((file) => keys.has(file) && !page.has(file)),
    )
    expect(texts.map((file) => path.relative(renderer, file))).toEqual([])
  })

  it('is found with what it imports: all code but what gathers all texts belongs to a part', () => {
    const seen = new Set([...parts().values()].flatMap(({ files }) => [...files]))
    const never = [...codes.keys()].filter((file) => !seen.has(file))
    expect(never.map((file) => path.relative(renderer, file))).toEqual(['messages/en.ts'])
  })
})
