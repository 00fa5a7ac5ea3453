// @ts-check
import { isBuiltin } from 'node:module'

/**
 * Dependencies that are part of main's bundle: every start needs them, and to find and load their many files takes longer
 * than to run them.
 */
export const bundled = [
  '@hono/node-server',
  '@hono/zod-openapi',
  'commander',
  'eventsource-parser',
  'hono',
  'pino',
  'undici',
  'zod',
]

/**
 * Modules of Node's that main does not need until the first view is there, and that take it some 5 ms: their functions load
 * them when they are first called.
 */
const late = ['node:crypto', 'node:http', 'node:https', 'node:tls', 'node:zlib']

/** An import as the bundler writes it: one line. */
const IMPORT = /^import (?:(\* as [\w$]+)|(?:([\w$]+)(?:, )?)?(?:\{([^}]*)\})?) from "([^"]+)";$/gm

/**
 * A plugin of the bundler: what Node brings is asked for by name, not imported. To import a module of Node's makes Node read
 * every one of its names, and some of them load what no program of ours uses at its start: those of `node:http` the whole
 * fetch that Node brings, those of `node:fs` its streams.
 * @returns {import('vite').Plugin}
 */
export function builtinsByName() {
  return {
    name: 'builtins-by-name',
    renderChunk: (code) => ({ code: code.replace(IMPORT, byName), map: null }),
  }
}

/**
 * @param {string} whole
 * @param {string | undefined} all `* as name`
 * @param {string | undefined} fallback what comes as `default`
 * @param {string | undefined} names `name, other as own`
 * @param {string} from
 */
function byName(whole, all, fallback, names, from) {
  if (!isBuiltin(from)) return whole
  // Its own name can be `process`.
  const brought = `globalThis.process.getBuiltinModule(${JSON.stringify(from)})`
  const named = names?.split(',').map((name) => name.trim()) ?? []
  // What is its default is the module itself.
  const own = named.find((name) => name.startsWith('default as '))?.slice('default as '.length)
  const one = all?.slice('* as '.length) ?? fallback ?? own
  const some = named
    .filter((name) => !name.startsWith('default as '))
    .join(', ')
    .replaceAll(' as ', ': ')
  // One line stays one line, for the maps of the source.
  if (!one && late.includes(from) && named.every((name) => isPlainFunction(from, name)))
    return `const ${named.map((name) => calledLate(brought, name)).join(', ')};`
  if (one && some) return `const ${one} = ${brought}, { ${some} } = ${one};`
  return `const ${one ?? `{ ${some} }`} = ${brought};`
}

/**
 * Whether a function of Node's is the same through another one: no class, and without marks of Node's,
 * such as how `promisify` is to treat it.
 * @param {string} from
 * @param {string} name `name` or `name as own`
 */
function isPlainFunction(from, name) {
  const [its = ''] = name.split(' as ')
  const value = /** @type {Record<string, any> | undefined} */ (process.getBuiltinModule(from))?.[its]
  return typeof value === 'function' && /^[a-z]/.test(its) && Object.getOwnPropertySymbols(value).length === 0
}

/** @param {string} brought @param {string} name `name` or `name as own` */
function calledLate(brought, name) {
  const [its, own = its] = name.split(' as ')
  return `${own} = (...given) => ${brought}.${its}(...given)`
}
