import { isUtf8 } from 'node:buffer'
import { ParseLimitError, parseJson, parseToml, parseYaml } from '../../host/bounded-parsers.ts'
import { faultIn } from './description-faults.ts'
import { type Facts, type Format, type JarDependency, SYNTAX } from './facts.ts'
import { isTree, LIST_MOST, listOf, NAME_CHARS, textOf, textsOf, type Tree, treeOf } from './tree-values.ts'

const TEXT_CHARS = 500
const AUTHORS_MOST = 20

/** `classes`: its entry points on a server. */
type JarDescription = Omit<Facts, 'format' | 'java' | 'fault'> & { classes: string[] }

/** `described`: null without an id. `fault`: why the software rejects it. */
export interface ReadDescription {
  described: (JarDescription & Pick<Facts, 'format'>) | null
  fault: string | null
}

/** Throws if it can't be parsed. `jarVersion`: from the jar's manifest. */
export function readDescription(format: Format, bytes: Buffer, jarVersion: string | null): ReadDescription {
  const { tree, isRefused } = PARSERS[format](bytes.toString('utf8'), bytes)
  const described = READERS[format](treeOf(tree), jarVersion)
  return {
    described: described && { format, ...described },
    fault: isRefused || !isTree(tree) ? SYNTAX : faultIn(format, tree),
  }
}

/** `isRefused`: the software certainly rejects its syntax. */
type DescriptionParser = (text: string, bytes: Buffer) => { tree: unknown; isRefused: boolean }

const yaml: DescriptionParser = (text) => {
  // Some servers read UTF-16. We don't.
  if (/^(?:\ufffd\ufffd|.\0|\0.)/s.test(text)) throw new Error('UTF-16')
  const { value, isRefused } = parseYaml(text)
  return { tree: value, isRefused }
}
/** SnakeYAML fails on invalid UTF-8. Paper decodes paper-plugin.yml itself and doesn't. */
const utf8Yaml: DescriptionParser = (text, bytes) => {
  const { tree, isRefused } = yaml(text, bytes)
  return { tree, isRefused: isRefused || !isUtf8(bytes) }
}
const toml: DescriptionParser = (text) => ({ tree: parseToml(text), isRefused: false })

const PARSERS: Record<Format, DescriptionParser> = {
  ...{ bukkit: utf8Yaml, paper: yaml, bungee: utf8Yaml },
  // Velocity's parser is lenient.
  velocity: (text, bytes) => ({ ...json(text, () => yaml(text, bytes)), isRefused: false }),
  fabric: (text) => json(text, () => ({ tree: null, isRefused: true })),
  quilt: (text) => json(text, () => ({ tree: null, isRefused: true })),
  ...{ forge: toml, neoforge: toml },
}

const READERS: Record<Format, (tree: Tree, jarVersion: string | null) => JarDescription | null> = {
  bukkit: (tree) => pluginIn(tree, bukkitNeeds),
  paper: (tree) => pluginIn(tree, paperNeeds),
  bungee: (tree) => pluginIn(tree, ({ depends }) => textsOf(depends).map(required)),
  velocity: velocityIn,
  fabric: fabricIn,
  quilt: quiltIn,
  forge: modsIn,
  neoforge: modsIn,
}

const nothing = (): Pick<
  JarDescription,
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

function pluginIn(tree: Tree, needsOf: (tree: Tree) => JarDependency[]): JarDescription | null {
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
    provides: textsOf(tree['provides']),
    apiVersion: textOf(tree['api-version']),
    folia: tree['folia-supported'] === 'true',
    // The last two exist only in Paper's own format.
    classes: [tree['main'], tree['bootstrapper'], tree['loader']].flatMap(classesIn),
  }
}

const bukkitNeeds = (tree: Tree) => textsOf(tree['depend']).map(required)

function paperNeeds(tree: Tree): JarDependency[] {
  const server = treeOf(treeOf(tree['dependencies'])['server'])
  return Object.entries(server)
    .slice(0, LIST_MOST)
    .flatMap(([id, about]) =>
      treeOf(about)['required'] === 'false' ? [] : [required(id.slice(0, NAME_CHARS))],
    )
}

function velocityIn(tree: Tree): JarDescription | null {
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

function fabricIn(tree: Tree): JarDescription | null {
  const id = textOf(tree['id'])
  if (id === null) return null
  const needs = (field: string, kind: JarDependency['kind']) =>
    Object.entries(treeOf(tree[field]))
      .slice(0, LIST_MOST)
      .map(([of, range]): JarDependency => ({ id: of.slice(0, NAME_CHARS), range: rangeOf(range), kind }))
  return {
    ...nothing(),
    id,
    name: textOf(tree['name']) ?? id,
    version: textOf(tree['version']),
    description: textOf(tree['description'], TEXT_CHARS),
    authors: authorsIn(tree['authors']),
    needs: [...needs('depends', 'required'), ...needs('breaks', 'clash')],
    provides: textsOf(tree['provides']),
    side: sideOf(tree['environment']),
    classes: entrypointsIn(tree['entrypoints']),
  }
}

function quiltIn(root: Tree): JarDescription | null {
  const tree = treeOf(root['quilt_loader'])
  const id = textOf(tree['id'])
  if (id === null) return null
  const about = treeOf(tree['metadata'])
  const needs = (field: string, kind: JarDependency['kind']) =>
    listOf(tree[field]).flatMap((one): JarDependency[] => {
      const of = textOf(one) ?? textOf(treeOf(one)['id'])
      if (of === null || treeOf(one)['optional'] === true) return []
      // Dependencies may be written as `group:id`.
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

/** Forge and NeoForge. The first mod names the jar. */
function modsIn(tree: Tree, jarVersion: string | null): JarDescription | null {
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

function modNeeds(one: unknown): JarDependency[] {
  const { modId, mandatory, type, side, versionRange } = treeOf(one)
  const id = textOf(modId)
  if (id === null || String(side).toUpperCase() === 'CLIENT') return []
  const range = textOf(versionRange)
  const kind = textOf(type)?.toLowerCase() ?? (mandatory === false ? 'optional' : 'required')
  if (kind === 'required') return [{ id, range, kind }]
  return kind === 'incompatible' ? [{ id, range, kind: 'clash' }] : []
}

/** Ignores placeholders the build failed to replace. */
function modVersion(version: string | null, jarVersion: string | null): string | null {
  if (version === '${file.jarVersion}') return jarVersion
  return version?.includes('${') ? null : version
}

const required = (id: string): JarDependency => ({ id, range: null, kind: 'required' })

function sideOf(value: unknown): Facts['side'] {
  const side = textOf(value)?.toLowerCase()
  if (side === 'client') return side
  return side === 'server' || side === 'dedicated_server' ? 'server' : null
}

const RANGE_CHARS = 300

/** Joins alternatives with `||`; null for other notations. */
function rangeOf(value: unknown): string | null {
  if (Array.isArray(value)) return textsOf(value.slice(0, 20)).join(' || ').slice(0, RANGE_CHARS) || null
  const text = textOf(value)
  return text === '*' ? null : text
}

/** Fabric's and Quilt's entry points on a server. */
const ENTRYPOINTS = ['main', 'server', 'preLaunch', 'init', 'server_init', 'pre_launch']

const entrypointsIn = (value: unknown): string[] =>
  ENTRYPOINTS.flatMap((key) => {
    const of = treeOf(value)[key]
    return (Array.isArray(of) ? listOf(of) : [of]).flatMap((one) => [
      ...classesIn(one),
      ...classesIn(treeOf(one)['value']),
    ])
  }).slice(0, LIST_MOST)

/** Accepts `class::member`. */
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

function json(text: string, otherwise: () => ReturnType<DescriptionParser>): ReturnType<DescriptionParser> {
  for (const one of [text, strictJson(text)])
    try {
      return { tree: parseJson(one), isRefused: false }
    } catch (error) {
      if (error instanceof ParseLimitError) throw error
    }
  return otherwise()
}

const JSON_SIGNS = /"(?:[^"\\]|\\[^])*"|[{}[\]]/g
// eslint-disable-next-line no-control-regex -- matched on purpose
const IN_TEXT = /\\([^])|[\u0000-\u001f]/g

/** Fabric's parser allows control characters and `\'` in strings, and anything after the end. */
function strictJson(text: string): string {
  let [json, at, depth] = ['', 0, 0]
  for (const { 0: sign, index } of text.matchAll(JSON_SIGNS)) {
    json += text.slice(at, index) + (sign.startsWith('"') ? sign.replaceAll(IN_TEXT, strictEscape) : sign)
    at = index + sign.length
    if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth <= 0) return json
  }
  return json + text.slice(at)
}

function strictEscape(whole: string, escaped: string = whole): string {
  if (escaped === "'") return escaped
  return escaped < ' ' ? JSON.stringify(escaped).slice(1, -1) : whole
}
