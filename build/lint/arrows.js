// @ts-check
// The import arrows of ARCHITECTURE.md as a rule of the linter. It goes by the paths as they are written, which name
// files with their endings, so that also an import of a file that is not there is judged.
import path from 'node:path'

/** Rooms, most particular first: a file belongs to the first whose path it is or begins with; `*` is a file of the folder. */
const rooms = /** @type {const} */ ([
  ['entry', 'src/main/index.ts'],
  ['electron', 'src/main/electron/'],
  ['main', 'src/main/'],
  ['web-client', 'src/web/client/'],
  ['web', 'src/web/'],
  ['preload', 'src/preload/'],
  ['renderer-messages', 'src/renderer/messages/'],
  ['renderer-core', 'src/renderer/core/'],
  ['renderer-ui', 'src/renderer/ui/'],
  ['renderer-catalog', 'src/renderer/catalog/'],
  ['renderer-features', 'src/renderer/features/'],
  ['renderer-app', 'src/renderer/app/'],
  ['renderer-app', 'src/renderer/main.ts'],
  ['service-areas', 'src/service/areas/'],
  ['service', 'src/service/cli/'],
  ['service', 'src/service/*'],
  // What areas are built on.
  ['service-wings', 'src/service/'],
  // Plugins and mods, for the service and for hosts.
  ['extensions', 'src/extensions/'],
  // Adapters for hosts with an API of their own.
  ['hosts', 'src/hosts/'],
  ['host', 'src/host/'],
  // What of the contract the browser loads: it holds no schema, and no zod.
  ['words', 'src/contract/bridge/problem.ts'],
  ['words', 'src/contract/messages/'],
  ['words', 'src/contract/rules/'],
  ['contract', 'src/contract/'],
])
/** @typedef {typeof rooms[number][0]} Room */

const contract = /** @type {const} */ (['contract', 'words'])

/** What all of the renderer may load, and what it may not. */
const inPage = /** @type {const} */ ({ names: contract, without: ['electron', 'zod'] })

/** What features have in common with each other: how one is declared. */
const FEATURE = 'src/renderer/features/feature.ts'

/**
 * Features that show a part of another one. This list must only shrink: what several features need is in core, ui or catalog.
 * @type {readonly string[]}
 */
export const featureExceptions = ['files → editor', 'settings → editor', 'start → connection']

/**
 * What a room's code may load besides itself: rooms; packages it may not; and rooms of which it may name types, which
 * are gone when the code runs.
 * @type {Record<Room, { loads: readonly Room[], names?: readonly Room[], without: readonly string[] }>}
 */
const arrows = {
  contract: { loads: ['words'], without: ['electron'] },
  words: { loads: [], names: ['contract'], without: ['electron', 'zod'] },
  host: { loads: ['words'], names: ['contract'], without: ['electron'] },
  extensions: { loads: ['host', ...contract], without: ['electron'] },
  service: {
    loads: ['service-areas', 'service-wings', 'extensions', 'host', ...contract],
    without: ['electron'],
  },
  'service-areas': { loads: ['service-wings', 'extensions', 'host', ...contract], without: ['electron'] },
  'service-wings': { loads: ['extensions', 'host', ...contract], without: ['electron'] },
  hosts: { loads: ['extensions', 'host', ...contract], without: ['electron'] },
  main: { loads: ['hosts', 'host', ...contract], without: ['electron'] },
  electron: { loads: ['main', 'host', ...contract], without: [] },
  entry: { loads: ['main', 'electron', 'host', ...contract], without: [] },
  web: { loads: ['main', 'host', ...contract], without: ['electron'] },
  'web-client': { loads: ['words'], names: ['web', ...contract], without: ['electron', 'zod'] },
  preload: { loads: ['words'], names: contract, without: ['zod'] },
  'renderer-messages': { loads: ['words'], ...inPage },
  'renderer-core': { loads: ['renderer-messages', 'words'], ...inPage },
  'renderer-ui': { loads: ['renderer-core', 'renderer-messages', 'words'], ...inPage },
  'renderer-catalog': { loads: ['renderer-ui', 'renderer-core', 'renderer-messages', 'words'], ...inPage },
  'renderer-features': {
    loads: ['renderer-catalog', 'renderer-ui', 'renderer-core', 'renderer-messages', 'words'],
    ...inPage,
  },
  'renderer-app': {
    loads: [
      'renderer-features',
      'renderer-catalog',
      'renderer-ui',
      'renderer-core',
      'renderer-messages',
      'words',
    ],
    ...inPage,
  },
}

/** @param {string} file path in the project, with `/` @returns {Room | null} */
const roomOf = (file) => {
  const among = `${path.posix.dirname(file)}/*`
  return rooms.find(([, begin]) => among === begin || file.startsWith(begin))?.[0] ?? null
}

/**
 * Whether a feature may import that of another one.
 * @param {string} file @param {string} target both paths in the project @returns {string | null} what is wrong
 */
function judgeFeatures(file, target) {
  const [from, to] = [file, target].map((one) => one.split('/')[3])
  if (from === to || target === FEATURE || featureExceptions.includes(`${from} → ${to}`)) return null
  return `The feature ${from} may import nothing of ${to}: what both need belongs in core, ui or catalog, see ARCHITECTURE.md.`
}

/**
 * Whether an area of the service may import that of another one.
 * @param {string} file @param {string} target both paths in the project @returns {string | null} what is wrong
 */
function judgeAreas(file, target) {
  const [from, to] = [file, target].map((one) => one.split('/')[3])
  if (from === to) return null
  return `The area ${from} may import nothing of ${to}: what both need belongs in a wing beside areas/, see ARCHITECTURE.md.`
}

/**
 * Whether an import follows the arrows.
 * @param {string} file the importing file's path in the project, with `/`
 * @param {string} source what stands in the import
 * @param {boolean} typeOnly
 * @returns {string | null} what is wrong, as a sentence
 */
export function judge(file, source, typeOnly) {
  const room = roomOf(file)
  if (!room) return `${file} lies in no room. Rooms and their arrows are in ARCHITECTURE.md.`
  const { loads, names = [], without } = arrows[room]
  if (!source.startsWith('.')) {
    const banned = without.find((name) => source === name || source.startsWith(`${name}/`))
    return banned ? `${room} may not import ${banned}: see the arrows in ARCHITECTURE.md.` : null
  }
  const target = path.posix.join(path.posix.dirname(file), source)
  const other = roomOf(target)
  if (room === 'renderer-features' && other === room) return judgeFeatures(file, target)
  if (room === 'service-areas' && other === room) return judgeAreas(file, target)
  if (other === room || (other && (loads.includes(other) || (typeOnly && names.includes(other))))) return null
  // Data beside the source, such as package.json.
  if (!target.startsWith('src/') && target.endsWith('.json')) return null
  const which = other && names.includes(other) ? 'only types of' : 'nothing of'
  return `${room} may import ${which} ${other ?? target}: see the arrows in ARCHITECTURE.md.`
}

/** @type {import('eslint').Rule.RuleModule} */
const rule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = path.relative(context.cwd, context.filename).replaceAll(path.sep, '/')
    /** @param {any} node @param {boolean} typeOnly */
    const check = (node, typeOnly) => {
      const source = node.source ?? node.argument
      const text = source?.value ?? source?.literal?.value
      if (typeof text !== 'string') return
      const message = judge(file, text, typeOnly)
      if (message) context.report({ node, message })
    }
    return {
      ImportDeclaration: (/** @type {any} */ node) => check(node, node.importKind === 'type'),
      ExportAllDeclaration: (/** @type {any} */ node) => check(node, node.exportKind === 'type'),
      ExportNamedDeclaration: (/** @type {any} */ node) => check(node, node.exportKind === 'type'),
      ImportExpression: (node) => check(node, false),
      TSImportType: (/** @type {any} */ node) => check(node, true),
    }
  },
}

/** @type {import('eslint').Linter.Config} */
export const arrowsConfig = {
  files: ['src/**/*.ts', 'src/**/*.svelte'],
  // A test may start the real part at the other end of an arrow.
  ignores: ['src/**/*.test.ts', 'src/**/*.fixture.ts'],
  plugins: { house: { rules: { arrows: rule } } },
  rules: { 'house/arrows': 'error' },
}
