import { type CrashCause, type CrashRule, type ExplainedCrash, evidenceIn, known } from './crash-rule.ts'
import { javaWanted } from './java-wanted.ts'
import type { Entry } from '../logs/log-lines.ts'

/** An unmet requirement of one or more mods: another mod, Java, Minecraft or their loader. */
interface Demand {
  /** The mod's name or id; null if the log doesn't name it. */
  extension: string | null
  /** If the log counts mods instead of naming them. */
  count?: number | null
  files?: string | null
  kind: 'needs' | 'breaks'
  id: string
  name: string
  wanted: string
  /** Installed version; null if missing, undefined if the log doesn't say. */
  present: string | null | undefined
  /** It is installed, but only runs in players' games. */
  isForPlayers?: boolean
  /** Only a warning: the server starts anyway. */
  isSoft?: boolean
}

type ReadDemand = (entries: readonly Entry[], at: number) => Demand | null

/** Most demands that are read. Broken packs have hundreds. */
const DEMANDS_MOST = 500

const LOADERS = new Map([
  ['fabricloader', { loader: 'Fabric Loader', software: 'Fabric' }],
  ['quilt_loader', { loader: 'Quilt Loader', software: 'Quilt' }],
  ['forge', { loader: 'Forge', software: 'Forge' }],
  ['neoforge', { loader: 'NeoForge', software: 'NeoForge' }],
])

/** Most fundamental first: fixing these may fix the others. */
const ORDER: readonly CrashCause[] = [
  ...(['wrong-java', 'wrong-minecraft', 'wrong-loader', 'wrong-software'] as const),
  ...(['missing-dependency', 'clashing-extensions', 'wrong-side'] as const),
]

/** Fabric's list, also used by Quilt before 0.18. Old versions omit the mod's version. */
const FABRIC_HEAD =
  /^\s*- (?:Mod )?'(.{1,100}?)' \([\w-]{1,64}\)(?: .{1,100}?)? (requires|is incompatible with|conflicts with) /i
const FABRIC_TAIL =
  / of (?:mod )?(?:'(.{1,100})' \(([\w-]{1,64})\)|([\w-]{1,64})), (which is missing|which is disabled for this environment|which can't be loaded|which is present with|(?:but|yet) .{1,40} present)(?: the following versions?)?(?:: (.{1,200}))?!?/

const REST_MOST = 500

const fabric: ReadDemand = (entries, at) => {
  const { text } = entries[at]!
  const head = FABRIC_HEAD.exec(text)
  const rest = head && text.slice(head[0].length).slice(0, REST_MOST)
  const tail = rest && FABRIC_TAIL.exec(rest)
  if (!head || !tail) return null
  const [, extension = '', verb = ''] = head
  const [, name, id, bare = '', how = '', versions] = tail
  return {
    ...{ extension, id: id ?? bare, name: name ?? bare, wanted: rest.slice(0, tail.index) },
    kind: verb === 'requires' ? 'needs' : 'breaks',
    present: how === 'which is missing' ? null : versions?.replace(/!.*$/, ''),
    isForPlayers: how === 'which is disabled for this environment',
    isSoft: verb === 'conflicts with',
  }
}

/** Fabric's suggested solutions, in case the details are missing. */
const fabricAdvice: ReadDemand = (entries, at) => {
  const { text } = entries[at]!
  const [, id, wanted = ''] = /^\s*- Install ([a-z][\w-]{1,63}), (.{1,200})\.$/.exec(text) ?? []
  const needs = { extension: null, kind: 'needs' } as const
  if (id !== undefined) return { ...needs, id, name: id, wanted, present: null }
  const replace =
    /^\s*- Replace '(.{1,100})' \((java|minecraft|\w{2,10}loader)\) (\S{1,100}) with (.{1,200})\.$/
  const [, name = '', of, present, range = ''] = replace.exec(text) ?? []
  return of === undefined ? null : { ...needs, id: of, name, wanted: range, present }
}

/** Always present on Quilt, which also reports a wrong version as missing. */
const WITH_QUILT = new Set(['java', 'minecraft', 'quilt_loader'])

const quilt: ReadDemand = (entries, at) => {
  const { text, level } = entries[at]!
  const pattern =
    /^(?!\s*- )(\S.{0,99}?) (requires|breaks) (any version|all versions|versions? .{1,200}?) of (?:[\w.-]{1,100}:)?([\w-]{1,64}), which is (?:missing|present)!$/
  const match = level === null ? pattern.exec(text) : null
  if (!match) return null
  const [, who = '', verb, wanted = '', name = ''] = match
  const id = ofQuilt(name)
  const count = /^(\d{1,4}) mods$/.exec(who)
  return {
    ...{ extension: count ? null : who, count: count && Number(count[1]), files: filesBelow(entries, at) },
    ...{ kind: verb === 'requires' ? 'needs' : 'breaks', id, name, wanted },
    present: verb === 'requires' && !WITH_QUILT.has(id) ? null : undefined,
  }
}

/** Quilt's loader provides Fabric's id. */
const ofQuilt = (id: string): string => (id === 'fabricloader' ? 'quilt_loader' : id)

const quiltBreakage: ReadDemand = (entries, at) => {
  const pattern =
    /^Breakage for \{\S{1,200} '([\w-]{1,64})' from .{1,300}\} on ([\w-]{1,64}) versions (.{1,60}?)(?: \(\d|$)/
  const match = pattern.exec(entries[at]!.text)
  if (!match) return null
  const [, extension = '', id = '', wanted = ''] = match
  return { extension, kind: 'breaks', id: ofQuilt(id), name: id, wanted, present: undefined }
}

function filesBelow(entries: readonly Entry[], at: number): string | null {
  const below = entries.slice(at + 1, at + FILES_MOST + 2).map(({ text }) => text)
  const files = below.flatMap((text) => /^- <mods>\/([^/!]{1,200}\.jar)$/.exec(text)?.[1] ?? [])
  return files.length === 0 ? null : files.join(', ')
}
const FILES_MOST = 20

const forge: ReadDemand = (entries, at) => {
  const pattern =
    /^(?:Missing or unsupported mandatory dependencies:|Unsupported installed optional dependencies:)?\s*Mod ID: '([^']{1,64})', Requested by: '([^']{1,64})', Expected range: '([^']{0,100})', Actual version: '([^']{1,100})'/
  const match = pattern.exec(entries[at]!.text)
  if (!match) return null
  const [, id = '', extension = '', wanted = '', version = ''] = match
  const present = version === '[MISSING]' ? null : version
  return { extension, kind: 'needs', id, name: id, wanted, present }
}

const neoforge: ReadDemand = (entries, at) => {
  const pattern = /^\s*- Mod (\S{1,64}) (requires|only supports|is incompatible with) (\S{1,64}) (.{1,100})$/
  const match = pattern.exec(entries[at]!.text)
  const now =
    match && /^\s*Currently, \S{1,64} is (not installed|\S{1,100})/.exec(entries[at + 1]?.text ?? '')
  if (!match || !now) return null
  const [, extension = '', verb, id = '', wanted = ''] = match
  const present = now[1] === 'not installed' ? null : now[1]
  const kind = verb === 'is incompatible with' ? 'breaks' : 'needs'
  return { extension, kind, id, name: id, wanted, present }
}

/** Language providers are part of the loader, or separate mods. */
const forgeLanguage: ReadDemand = (entries, at) => {
  const { text } = entries[at]!
  const newer = /^\s*- Mod File (.{1,200}) needs language provider (\w{1,64})(?::(.{1,100}))? to load$/.exec(
    text,
  )
  const older =
    /^Missing language (\w{1,64})(?: version (\S{1,100}))? wanted by (.{1,200}?)(?:, found (\S{1,100}))?$/.exec(
      text,
    )
  if (!newer && !older) return null
  const [file = '', language = '', wanted = ''] = newer ? newer.slice(1) : [older![3], older![1], older![2]]
  const found = newer ? /^\s*We have found (\S{1,100})/.exec(entries[at + 1]?.text ?? '')?.[1] : older![4]
  const needs = { extension: file.split(/[/\\]/).at(-1)!, kind: 'needs', name: language, wanted } as const
  if (!OF_FORGE.has(language)) return { ...needs, id: language, present: null }
  const isNeo = newer !== null || Number.parseInt(found ?? '', 10) < FORGE_FROM
  return { ...needs, id: isNeo ? 'neoforge' : 'forge', present: found }
}
/** Language providers of the loader. Forge's versions are above this number, NeoForge's below. */
const OF_FORGE = new Set(['javafml', 'lowcodefml'])
const FORGE_FROM = 20

const DETAILS = [fabric, quilt, quiltBreakage, forge, neoforge, forgeLanguage]

export const demands: CrashRule = {
  find: (entries) => mostUrgent(entries, DETAILS, false) ?? mostUrgent(entries, [fabricAdvice], false),
}

export const softDemands: CrashRule = {
  find: (entries) => mostUrgent(entries, [fabric], true),
  isHarmless: true,
}

function mostUrgent(
  entries: readonly Entry[],
  readers: readonly ReadDemand[],
  isSoft: boolean,
): ExplainedCrash | null {
  let [best, rank, read] = [null as ExplainedCrash | null, ORDER.length, 0]
  for (const [at, { text, level }] of entries.entries()) {
    if (level === 'INFO') continue
    for (const reader of readers) {
      const demand = reader(entries, at)
      if (!demand || (demand.isSoft ?? false) !== isSoft) continue
      const found = explain(demand)
      const order = ORDER.indexOf(found.cause)
      if (order < rank) [best, rank] = [{ ...found, evidence: evidenceIn(text) }, order]
      if (++read >= DEMANDS_MOST) return best
      break
    }
  }
  return best
}

function explain(demand: Demand): Omit<ExplainedCrash, 'evidence'> {
  const { extension, count, files, id, name, kind, present } = demand
  const wanted = kind === 'needs' ? oneVersion(demand.wanted) : null
  const who = { extension, count, files }
  if (id === 'java') return { cause: 'wrong-java', facts: known({ ...javaWanted(demand), ...who }) }
  if (id === 'minecraft') return { cause: 'wrong-minecraft', facts: known({ wanted, present, ...who }) }
  const platform = LOADERS.get(id)
  if (platform && present === null && kind === 'needs')
    return { cause: 'wrong-software', facts: known({ software: platform.software, ...who }) }
  if (platform)
    return { cause: 'wrong-loader', facts: known({ loader: platform.loader, wanted, present, ...who }) }
  if (demand.isForPlayers) return { cause: 'wrong-side', facts: known({ extension, missing: name }) }
  if (kind === 'needs' && present === null)
    return { cause: 'missing-dependency', facts: known({ missing: name, version: demand.wanted, ...who }) }
  return {
    cause: 'clashing-extensions',
    facts: known({ other: name, wanted: demand.wanted, present, ...who }),
  }
}

/** Simplifies ranges with a single version: `version 1.21.4`, `[1.20, 1.20]`, `any 1.21.x version`. */
function oneVersion(range: string): string {
  const [, word] = /^(?:version|any) ([^\s[({]{1,60})(?: version)?$/.exec(range.trim()) ?? []
  const [, from, to = from] =
    /^(?:version )?\{? ?\[([^\s,[\]]{1,60})(?:, ?([^\s,[\]]{1,60}))?\] ?\}?$/.exec(range.trim()) ?? []
  return word ?? (from !== undefined && from === to ? from : range)
}
