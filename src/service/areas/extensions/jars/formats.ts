import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { isModest } from '../../../bounds/json-shape.ts'
import type { Facts, Format, Need } from './facts.ts'

/** Where each format is described in a jar. */
export const DESCRIBED: Readonly<Record<string, Format>> = {
  'paper-plugin.yml': 'paper',
  'plugin.yml': 'bukkit',
  'bungee.yml': 'bungee',
  'velocity-plugin.json': 'velocity',
  'fabric.mod.json': 'fabric',
  'quilt.mod.json': 'quilt',
  'META-INF/mods.toml': 'forge',
  'META-INF/neoforge.mods.toml': 'neoforge',
}

/** Characters of an id, a name or a version, and of a description; of each list so many. */
const NAME_CHARS = 120
const TEXT_CHARS = 500
const LIST_MOST = 200
const AUTHORS_MOST = 20

/** `classes`: names of those with which it begins to run on a server. */
type Described = Omit<Facts, 'format' | 'java'> & { classes: string[] }
type Tree = Record<string, unknown>

/**
 * What a description says; null where it names nothing. Throws where it cannot be parsed.
 *
 * @param jarVersion what the jar's manifest says of its version
 */
export function describedIn(
  format: Format,
  text: string,
  jarVersion: string | null,
): (Described & Pick<Facts, 'format'>) | null {
  const described = readers[format](text, jarVersion)
  return described && described.id !== '' ? { format, ...described } : null
}

const readers: Record<Format, (text: string, jarVersion: string | null) => Described | null> = {
  bukkit: (text) => pluginIn(plainYaml(text), bukkitNeeds),
  paper: (text) => pluginIn(plainYaml(text), paperNeeds),
  bungee: (text) => pluginIn(plainYaml(text), (tree) => texts(tree['depends']).map(required)),
  velocity: (text) => velocityIn(json(text)),
  fabric: (text) => fabricIn(json(text)),
  quilt: (text) => quiltIn(json(text)),
  forge: modsIn,
  neoforge: modsIn,
}

const nothing = (): Pick<
  Described,
  'needs' | 'provides' | 'side' | 'apiVersion' | 'folia' | 'authors' | 'classes'
> => ({
  needs: [],
  provides: [],
  side: null,
  apiVersion: null,
  folia: false,
  authors: [],
  classes: [],
})

function pluginIn(tree: Tree, needsOf: (tree: Tree) => Need[]): Described | null {
  const name = textOf(tree['name'])
  if (name === null) return null
  return {
    ...nothing(),
    id: name,
    name,
    version: textOf(tree['version']),
    description: textOf(tree['description'], TEXT_CHARS),
    authors: authorsIn(tree['authors'] ?? tree['author']),
    needs: needsOf(tree),
    provides: texts(tree['provides']),
    apiVersion: textOf(tree['api-version']),
    folia: tree['folia-supported'] === 'true',
    // The last two are of Paper's own format alone.
    classes: [tree['main'], tree['bootstrapper'], tree['loader']].flatMap(classesIn),
  }
}

const bukkitNeeds = (tree: Tree) => texts(tree['depend']).map(required)

function paperNeeds(tree: Tree): Need[] {
  const server = treeOf(treeOf(tree['dependencies'])['server'])
  return Object.entries(server)
    .slice(0, LIST_MOST)
    .flatMap(([id, about]) =>
      treeOf(about)['required'] === 'false' ? [] : [required(id.slice(0, NAME_CHARS))],
    )
}

function velocityIn(tree: Tree): Described | null {
  const id = textOf(tree['id'])
  if (id === null) return null
  return {
    ...nothing(),
    id,
    name: textOf(tree['name']) ?? id,
    version: textOf(tree['version']),
    description: textOf(tree['description'], TEXT_CHARS),
    authors: authorsIn(tree['authors']),
    needs: listOf(tree['dependencies']).flatMap((one) => {
      const needed = textOf(treeOf(one)['id'])
      return needed === null || treeOf(one)['optional'] === true ? [] : [required(needed)]
    }),
    classes: classesIn(tree['main']),
  }
}

function fabricIn(tree: Tree): Described | null {
  const id = textOf(tree['id'])
  if (id === null) return null
  const needs = (field: string, kind: Need['kind']) =>
    Object.entries(treeOf(tree[field]))
      .slice(0, LIST_MOST)
      .map(([of, range]): Need => ({ id: of.slice(0, NAME_CHARS), range: rangeOf(range), kind }))
  return {
    ...nothing(),
    id,
    name: textOf(tree['name']) ?? id,
    version: textOf(tree['version']),
    description: textOf(tree['description'], TEXT_CHARS),
    authors: authorsIn(tree['authors']),
    needs: [...needs('depends', 'required'), ...needs('breaks', 'clash')],
    provides: texts(tree['provides']),
    side: sideOf(tree['environment']),
    classes: entrypointsIn(tree['entrypoints']),
  }
}

function quiltIn(root: Tree): Described | null {
  const tree = treeOf(root['quilt_loader'])
  const id = textOf(tree['id'])
  if (id === null) return null
  const about = treeOf(tree['metadata'])
  const needs = (field: string, kind: Need['kind']) =>
    listOf(tree[field]).flatMap((one): Need[] => {
      const of = textOf(one) ?? textOf(treeOf(one)['id'])
      if (of === null || treeOf(one)['optional'] === true) return []
      // `group:id` is written for some.
      return [{ id: of.split(':').at(-1)!, range: rangeOf(treeOf(one)['versions']), kind }]
    })
  return {
    ...nothing(),
    id,
    name: textOf(about['name']) ?? id,
    version: textOf(tree['version']),
    description: textOf(about['description'], TEXT_CHARS),
    authors: Object.keys(treeOf(about['contributors']))
      .slice(0, AUTHORS_MOST)
      .map((one) => one.slice(0, NAME_CHARS)),
    needs: [...needs('depends', 'required'), ...needs('breaks', 'clash')],
    provides: listOf(tree['provides']).flatMap((one) => textOf(one) ?? textOf(treeOf(one)['id']) ?? []),
    side: sideOf(treeOf(root['minecraft'])['environment']),
    classes: entrypointsIn(tree['entrypoints']),
  }
}

/** Forge's and NeoForge's. Of several mods in one jar the first one names it. */
function modsIn(text: string, jarVersion: string | null): Described | null {
  const tree = treeOf(parseToml(text))
  const mods = listOf(tree['mods']).map(treeOf)
  const [mod] = mods
  const id = textOf(mod?.['modId'])
  if (!mod || id === null) return null
  const ids = mods.flatMap((one) => textOf(one['modId']) ?? [])
  const needs = ids.flatMap((one) => listOf(treeOf(tree['dependencies'])[one]).flatMap(modNeeds))
  return {
    ...nothing(),
    id,
    name: textOf(mod['displayName']) ?? id,
    version: modVersion(textOf(mod['version']), jarVersion),
    description: textOf(mod['description'], TEXT_CHARS),
    authors: authorsIn(mod['authors'] ?? tree['authors']),
    needs: needs.slice(0, LIST_MOST),
    provides: ids.slice(1),
    side: tree['clientSideOnly'] === true ? 'client' : null,
  }
}

function modNeeds(one: unknown): Need[] {
  const { modId, mandatory, type, side, versionRange } = treeOf(one)
  const id = textOf(modId)
  if (id === null || String(side).toUpperCase() === 'CLIENT') return []
  const range = textOf(versionRange)
  const kind = textOf(type)?.toLowerCase() ?? (mandatory === false ? 'optional' : 'required')
  if (kind === 'required') return [{ id, range, kind }]
  return kind === 'incompatible' ? [{ id, range, kind: 'clash' }] : []
}

/** A version that the build was to put in, and did not, says nothing. */
function modVersion(version: string | null, jarVersion: string | null): string | null {
  if (version === '${file.jarVersion}') return jarVersion
  return version?.includes('${') ? null : version
}

const required = (id: string): Need => ({ id, range: null, kind: 'required' })

function sideOf(value: unknown): Facts['side'] {
  const side = textOf(value)?.toLowerCase()
  if (side === 'client') return side
  return side === 'server' || side === 'dedicated_server' ? 'server' : null
}

/** A range as one text: alternatives with `||` between them. What is written in another way says nothing to us. */
/** Longest range of versions, in characters. */
const RANGE_CHARS = 300

function rangeOf(value: unknown): string | null {
  if (Array.isArray(value)) return texts(value.slice(0, 20)).join(' || ').slice(0, RANGE_CHARS) || null
  const text = textOf(value)
  return text === '*' ? null : text
}

/** What Fabric and Quilt begin with on a server. */
const ENTRYPOINTS = ['main', 'server', 'preLaunch', 'init', 'server_init', 'pre_launch']

const entrypointsIn = (value: unknown): string[] =>
  ENTRYPOINTS.flatMap((key) => {
    const of = treeOf(value)[key]
    return (Array.isArray(of) ? listOf(of) : [of]).flatMap((one) => [
      ...classesIn(one),
      ...classesIn(treeOf(one)['value']),
    ])
  }).slice(0, LIST_MOST)

/** A class by its name; a member of it may be named behind it. */
function classesIn(value: unknown): string[] {
  const name = textOf(value, TEXT_CHARS)?.split('::')[0]
  return name === undefined ? [] : [name]
}

function authorsIn(value: unknown): string[] {
  const all = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  return all
    .slice(0, AUTHORS_MOST)
    .flatMap((one: unknown) => textOf(one) ?? textOf(treeOf(one)['name']) ?? [])
}

const texts = (value: unknown): string[] => {
  const one = textOf(value)
  return one === null ? listOf(value).flatMap((of) => textOf(of) ?? []) : [one]
}

/** A text on one line and of a bounded length; numbers are written by many who mean a text. */
function textOf(value: unknown, most = NAME_CHARS): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value)
    // eslint-disable-next-line no-control-regex -- what people read has none
    .replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, most)
  return text === '' ? null : text
}

const treeOf = (value: unknown): Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : {}
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, LIST_MOST) : [])

// Comparing all keys with each other takes minutes where a stranger writes many.
const BOUNDED = { logLevel: 'silent', maxAliasCount: 20, uniqueKeys: false } as const

/** Brackets within each other: what has very many takes minutes. A text may have some that nobody closes. */
const NESTED_MOST = 200

function bounded(text: string): string {
  if (isModest(Buffer.from(text), Infinity, NESTED_MOST)) return text
  throw new Error('It is built as no description is.')
}

const yaml = (text: string): Tree => treeOf(parseYaml(bounded(text), BOUNDED))

/** All values as texts: a version that is written `1.10` is no number. */
const plainYaml = (text: string): Tree => treeOf(parseYaml(bounded(text), { ...BOUNDED, schema: 'failsafe' }))

/** Mods are loaded whose JSON has line ends inside of texts: as YAML that is allowed. */
function json(text: string): Tree {
  const clean = text.replace(/^\ufeff/, '')
  try {
    return treeOf(JSON.parse(clean))
  } catch {
    return yaml(clean)
  }
}
