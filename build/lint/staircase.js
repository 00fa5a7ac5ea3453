// @ts-check
// Folders of the same room go down one staircase: no two of them import values from each other, neither directly nor
// through others. Types may go any way. The folders are those on the disk; there is no list of them.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { at } from '../scripts/project.js'

/** An import or export from another file: what is imported, and from where. Formatted code has no other forms. */
const statement =
  /^[ \t]*(?:import|export)\s+(?!type\b)(?:([^'";]*?)\sfrom\s+)?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

/** @param {string} names the text between `import` and `from` */
const isTypes = (names) => /^\{(?:\s*type\s[^,}]+,?)+\s*\}$/.test(names.trim())

/**
 * The other folders that a file imports values from.
 * @param {string} file @param {string} code @returns {string[]}
 */
function foldersOf(file, code) {
  const own = path.posix.dirname(file)
  const folders = [...code.matchAll(statement)]
    .filter(([, names]) => names === undefined || !isTypes(names))
    .map(([, , source = '', later]) => path.posix.dirname(path.posix.join(own, later ?? source)))
  return folders.filter((folder) => folder !== own)
}

/**
 * The folders that can be reached from each folder by imports of values.
 * @param {ReadonlyMap<string, string>} files code by path, with `/`
 */
export function reachable(files) {
  /** @type {Map<string, Set<string>>} */
  const next = new Map()
  for (const [file, code] of files) {
    const folder = path.posix.dirname(file)
    const room = file.split('/', 2).join('/')
    const into = next.get(folder) ?? new Set()
    for (const other of foldersOf(file, code)) if (`${other}/`.startsWith(`${room}/`)) into.add(other)
    next.set(folder, into)
  }
  /** @param {string} folder */
  const from = (folder) => {
    /** @type {Set<string>} */
    const seen = new Set()
    const waiting = [folder]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
      for (const other of next.get(at) ?? [])
        if (!seen.has(other)) {
          seen.add(other)
          waiting.push(other)
        }
    return seen
  }
  return new Map([...next.keys()].map((folder) => [folder, from(folder)]))
}

/** @type {ReturnType<typeof reachable> | undefined} */
let known

function onDisk() {
  const isCode = /(?<!\.(?:test|fixture|types))\.(?:ts|svelte)$/
  const files = readdirSync(at('src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => isCode.test(name))
    .map((name) => `src/${name.replaceAll(path.sep, '/')}`)
  return reachable(new Map(files.map((file) => [file, readFileSync(at(file), 'utf8')])))
}

/** @type {import('eslint').Rule.RuleModule} */
const rule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = path.relative(context.cwd, context.filename).replaceAll(path.sep, '/')
    const own = path.posix.dirname(file)
    known ??= onDisk()
    /** @param {any} node */
    const check = (node) => {
      const source = node.source?.value
      if (typeof source !== 'string' || !source.startsWith('.')) return
      const specifiers = /** @type {any[]} */ (node.specifiers ?? [])
      const kinds = [node.importKind, node.exportKind]
      if (kinds.includes('type')) return
      if (specifiers.length > 0 && specifiers.every((one) => one.importKind === 'type')) return
      const other = path.posix.dirname(path.posix.join(own, source))
      if (other !== own && known?.get(other)?.has(own))
        context.report({
          node,
          message: `${other} is built on ${own}: import nothing of it here, or move this.`,
        })
    }
    return {
      ImportDeclaration: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
      ImportExpression: check,
    }
  },
}

/** @type {import('eslint').Linter.Config} */
export const staircaseConfig = {
  files: ['src/**/*.ts', 'src/**/*.svelte'],
  ignores: ['src/**/*.test.ts', 'src/**/*.fixture.ts', 'src/**/*.types.ts'],
  plugins: { stairs: { rules: { staircase: rule } } },
  rules: { 'stairs/staircase': 'error' },
}
