import { isWorldFolder } from '../../../contract/rules/paths.ts'
import { KNOWN_PROPERTIES } from '../../../contract/rules/game/properties-table.ts'
import { propertiesIn, withProperties } from '../../worlds/server-properties.ts'
import { mayBring } from '../pack-paths.ts'

export { SETTINGS_BYTES, SETTINGS_FILE } from '../../worlds/server-properties.ts'

type Rule = (value: string) => boolean
const isSwitch: Rule = (value) => /^(?:true|false)$/i.test(value)
const isNumber: Rule = (value) => /^-?\d{1,10}$/.test(value)
const isName: Rule = (value) => /^[\w:./-]{0,100}$/.test(value)
const isText: Rule = (value) => value.length <= 500
/** A simple name that doesn't clash with paths packs may not write to. */
const isWorld: Rule = (value) =>
  /^[\p{L}\d_][\p{L}\d_ .-]{0,60}$/u.test(value) && isWorldFolder(value) && mayBring(`${value}/level.dat`)
const isAddress: Rule = (value) =>
  value === '' || (URL.canParse(value) && new URL(value).protocol === 'https:')

const all = (rule: Rule, ...keys: string[]) => keys.map((key): [string, Rule] => [key, rule])

/** Gameplay and performance. Never access, permissions, address, port, queries or remote control. */
const ALLOWED: ReadonlyMap<string, Rule> = new Map([
  ...all(
    isText,
    'motd',
    'level-seed',
    'resource-pack-prompt',
    'initial-enabled-packs',
    'initial-disabled-packs',
  ),
  ...all(isName, 'gamemode', 'difficulty', 'level-type', 'resource-pack-sha1', 'resource-pack-id'),
  ...all(isName, 'region-file-compression'),
  ...all(isSwitch, 'force-gamemode', 'hardcore', 'pvp', 'enable-command-block', 'require-resource-pack'),
  ...all(isSwitch, 'allow-flight', 'allow-nether', 'generate-structures', 'sync-chunk-writes'),
  ...all(isSwitch, 'spawn-monsters', 'spawn-animals', 'spawn-npcs', 'announce-player-achievements'),
  ...all(
    isNumber,
    'max-players',
    'player-idle-timeout',
    'spawn-protection',
    'max-world-size',
    'max-build-height',
  ),
  ...all(isNumber, 'view-distance', 'simulation-distance', 'entity-broadcast-range-percentage'),
  ...all(isNumber, 'pause-when-empty-seconds', 'max-tick-time', 'max-chained-neighbor-updates'),
  ['generator-settings', (value) => value.length <= 8192],
  ['resource-pack', isAddress],
  ['level-name', isWorld],
])
/** A server keeps its existing world. */
const OF_NEW_WORLDS = 'level-name'

const DEFAULTS = new Map(KNOWN_PROPERTIES.map(({ key, default: value }) => [key, value]))
const KEYS_MOST = 50

export interface PackSettings {
  values: Readonly<Record<string, string>>
  /** Keys it may not set, except where the value is the default anyway. */
  refused: string[]
}

export const NO_SETTINGS: PackSettings = { values: {}, refused: [] }

export function settingsIn(text: string): PackSettings {
  const values: Record<string, string> = {}
  const refused: string[] = []
  for (const [key, value] of propertiesIn(text)) {
    const isOneLine = !/\p{Cc}/u.test(value) && value.isWellFormed()
    if (isOneLine && ALLOWED.get(key)?.(value)) values[key] = value
    else if (value !== '' && value !== DEFAULTS.get(key) && /^[\w.-]{1,60}$/.test(key)) refused.push(key)
  }
  return { values, refused: refused.slice(0, KEYS_MOST) }
}

/** Settings the server lacks, or still has as the previous pack set them. A first pack overrides all. */
export function settingsToSet(
  { values }: PackSettings,
  text: string | null,
  before: Readonly<Record<string, string>> | null,
): Map<string, string> {
  const now = propertiesIn(text ?? '')
  return new Map(
    Object.entries(values).filter(([key, value]) => {
      const there = now.get(key)
      if (there === value) return false
      if (key === OF_NEW_WORLDS) return text === null
      return there === undefined || before === null || there === before[key]
    }),
  )
}

export const withSettings = (text: string | null, set: ReadonlyMap<string, string>): string | null =>
  set.size === 0 ? null : withProperties(text ?? '', set)
