import type { Format } from './facts.ts'
import { isTree, listOf, type Tree, treeOf } from './tree-values.ts'

/** The first field that makes all versions of the software reject a description; null if none. */
export function faultIn(format: Format, tree: Tree): string | null {
  const fault = Object.entries(FAULTS[format]).find(([, isWrong]) => isWrong(tree))
  return fault?.[0] ?? null
}

type Faults = Record<string, (tree: Tree) => boolean>

const BUKKIT_NAME = /^[A-Za-z0-9 _.-]+$/
const FABRIC_ID = /^[a-z][a-z0-9_-]{1,63}$/
const VELOCITY_ID = /^[a-z][a-z0-9_-]{0,63}$/
/** Old versions of Forge allow hyphens, new versions of NeoForge allow dots. */
const FORGE_ID = /^[a-z][a-z0-9_.-]{1,63}$/
const GROUP = /^[a-zA-Z0-9_.-]+$/
const API_VERSION = /^\d+\.\d+(?:\.\d+)?$/
const PAPER_OWN = /^(?:net\.minecraft|org\.bukkit|io\.papermc\.paper)\./

const isMissing = (value: unknown): boolean => value === undefined || value === null
const isThere = (value: unknown): boolean => !isMissing(value)
const hasForm = (value: unknown, form: RegExp): boolean => typeof value === 'string' && form.test(value)
const isText = (value: unknown): boolean => typeof value === 'string'
const isEmpty = (value: unknown): boolean => isMissing(value) || value === ''

const optional =
  (is: (value: unknown) => boolean) =>
  (field: string): Faults => ({ [field]: (tree) => isThere(tree[field]) && !is(tree[field]) })
const each = (fields: string, make: (field: string) => Faults): Faults =>
  Object.assign({}, ...fields.split(' ').map(make)) as Faults

/** Bukkit requires lists without nulls. */
const isNames = (value: unknown): boolean => Array.isArray(value) && !listOf(value).some(isMissing)
const isCommands = (value: unknown): boolean =>
  isTree(value) && Object.values(value).every((one) => isMissing(one) || isTree(one))
const isApiVersion = (value: unknown): boolean =>
  value === '' || hasForm(value, API_VERSION) || String(value).toLowerCase() === 'none'
const isLoad = (value: unknown): boolean =>
  isText(value) && /^(?:STARTUP|POSTWORLD)$/i.test(String(value).replaceAll(/\W/g, ''))

const modsIn = (tree: Tree): Tree[] => listOf(tree['mods']).map(treeOf)
const forge: Faults = {
  mods: (tree) => modsIn(tree).length === 0,
  modId: (tree) => !modsIn(tree).every(({ modId }) => hasForm(modId, FORGE_ID)),
}
const quilt = (tree: Tree): Tree => treeOf(tree['quilt_loader'])

const FAULTS: Record<Format, Faults> = {
  bukkit: {
    name: ({ name }) => !hasForm(name, BUKKIT_NAME),
    version: ({ version }) => isMissing(version),
    main: ({ main }) => isMissing(main) || hasForm(main, /^org\.bukkit\./),
    ...optional(isApiVersion)('api-version'),
    ...optional(isCommands)('commands'),
    ...each('depend softdepend loadbefore provides authors contributors libraries', optional(isNames)),
    ...optional(isLoad)('load'),
    ...optional(isTree)('permissions'),
  },
  paper: {
    name: ({ name }) => !hasForm(name, /^[A-Za-z0-9_.-]+$/),
    version: ({ version }) => isMissing(version),
    main: ({ main }) => isMissing(main) || hasForm(main, PAPER_OWN),
    'api-version': (tree) => !isApiVersion(tree['api-version'] ?? 0),
  },
  bungee: {
    name: ({ name }) => isMissing(name),
    main: ({ main }) => isMissing(main),
  },
  velocity: {
    id: ({ id }) => !hasForm(id, VELOCITY_ID),
    main: ({ main }) => isMissing(main),
    dependencies: ({ dependencies }) =>
      !listOf(dependencies).every((one) => hasForm(treeOf(one)['id'], VELOCITY_ID)),
  },
  fabric: {
    schemaVersion: ({ schemaVersion = 0 }) => schemaVersion !== 0 && schemaVersion !== 1,
    id: ({ id }) => !hasForm(id, FABRIC_ID),
    version: ({ version, schemaVersion }) =>
      schemaVersion === 1 ? !isText(version) || version === '' : isThere(version) && !isText(version),
    environment: ({ environment, schemaVersion }) =>
      schemaVersion === 1 && environment !== undefined && !hasForm(environment, /^(?:client|server|\*)?$/i),
    ...each('name description', (field) => ({
      [field]: (tree) => tree[field] !== undefined && !isText(tree[field]),
    })),
    ...each('depends recommends suggests breaks entrypoints', (field) => ({
      [field]: (tree) => tree['schemaVersion'] === 1 && tree[field] !== undefined && !isTree(tree[field]),
    })),
    ...each('provides jars mixins', (field) => ({
      [field]: (tree) =>
        tree['schemaVersion'] === 1 && tree[field] !== undefined && !Array.isArray(tree[field]),
    })),
  },
  quilt: {
    schema_version: (tree) => tree['schema_version'] !== 1,
    quilt_loader: (tree) => !isTree(tree['quilt_loader']),
    id: (tree) => !hasForm(quilt(tree)['id'], FABRIC_ID),
    group: (tree) => !hasForm(quilt(tree)['group'], GROUP),
    version: (tree) => isEmpty(quilt(tree)['version']),
  },
  forge: {
    modLoader: ({ modLoader }) => isMissing(modLoader),
    loaderVersion: ({ loaderVersion }) => isMissing(loaderVersion),
    ...forge,
  },
  neoforge: {
    ...forge,
    license: ({ license }) => isMissing(license) || String(license).trim() === '',
  },
}
