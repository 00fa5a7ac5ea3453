import { isWorldFolder } from '../../../contract/rules/world-folder.ts'
import { KNOWN_PROPERTIES } from '../../worlds/settings/properties-table.ts'
import { propertiesIn, withProperties } from '../../worlds/server-properties.ts'
import { mayBring } from '../pack-paths.ts'

/** The settings of the game within a pack are its own file. */
export { SETTINGS_BYTES, SETTINGS_FILE } from '../../worlds/server-properties.ts'

type Rule = (value: string) => boolean
const isSwitch: Rule = (value) => /^(?:true|false)$/i.test(value)
const isNumber: Rule = (value) => /^-?\d{1,10}$/.test(value)
const isName: Rule = (value) => /^[\w:./-]{0,100}$/.test(value)
const isText: Rule = (value) => value.length <= 500
/** A folder of its own: beside what no pack may write to. */
const isWorld: Rule = (value) =>
  /^[\p{L}\d_][\p{L}\d_ .-]{0,60}$/u.test(value) && isWorldFolder(value) && mayBring(`${value}/level.dat`)
const isAddress: Rule = (value) =>
  value === '' || (URL.canParse(value) && new URL(value).protocol === 'https:')

const all = (rule: Rule, ...keys: string[]) => keys.map((key): [string, Rule] => [key, rule])

/**
 * What a pack may say of the game: what it is played with, and how much is computed. Never who may join and do what, at which
 * address and port the server is found, or what others may ask of it and control it by.
 */
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
/** A server that has a world keeps it. */
const OF_NEW_WORLDS = 'level-name'

const DEFAULTS = new Map(KNOWN_PROPERTIES.map(({ key, default: value }) => [key, value]))
const KEYS_MOST = 50

/** The settings of the game that a pack has. */
export interface PackSettings {
  /** What it may set. */
  values: Readonly<Record<string, string>>
  /** Keys of what it may not, but for what says what is so anyway. */
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

/**
 * What of it is set on a server: what the server does not say, and what it says as the pack before did. What somebody has set
 * stays; a first pack goes before what there was.
 *
 * @param text the server's own, null where there is none
 * @param before what the pack before had; null: there was none
 */
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

/** The server's own text with them; null where it stays as it is. */
export const withSettings = (text: string | null, set: ReadonlyMap<string, string>): string | null =>
  set.size === 0 ? null : withProperties(text ?? '', set)
