import { parseModest } from '../../contract/rules/json-bounds.ts'
import { withoutMark } from '../../contract/rules/game/list-text.ts'

/** Distances in meters. */
export interface StatSummary {
  playTimeSeconds: number | null
  deaths: number
  mobKills: number
  playerKills: number
  blocksMined: number
  distanceMetres: number
}

/** Group → key → value, as in the file. */
export type StatGroups = Map<string, Map<string, number>>

const TICKS = 20
const CENTIMETRES = 100
/** Per file, and characters per key. Modded games have about 5,000. */
const VALUES_MOST = 30_000
const DEPTH_MOST = 20
const KEY_MOST = 200
const VALUE_MOST = 1e15

/** Before 1.13: `stat.mineBlock.minecraft.stone` moves to its modern group, the rest to `stat`. Throws SyntaxError. */
export function groupsIn(text: string): StatGroups {
  const whole: unknown = parseModest(withoutMark(text), 2 * VALUES_MOST, DEPTH_MOST)
  if (!isFields(whole)) throw new SyntaxError('It contains no statistics.')
  const groups: StatGroups = new Map()
  let values = 0
  const put = (group: string, key: string, value: unknown) => {
    if (typeof value !== 'number' || !(value >= 0 && value <= VALUE_MOST)) return
    if (group.length > KEY_MOST || key.length > KEY_MOST || ++values > VALUES_MOST) return
    let keys = groups.get(group)
    if (!keys) groups.set(group, (keys = new Map<string, number>()))
    keys.set(key, (keys.get(key) ?? 0) + value)
  }
  const { stats } = whole
  if (isFields(stats)) {
    for (const [group, keys] of Object.entries(stats))
      if (isFields(keys)) for (const [key, value] of Object.entries(keys)) put(group, key, value)
  } else {
    for (const [key, value] of Object.entries(whole)) put(...placeOf(key), value)
  }
  return groups
}

const OLD_GROUPS: Readonly<Record<string, string>> = {
  mineBlock: 'minecraft:mined',
  craftItem: 'minecraft:crafted',
  useItem: 'minecraft:used',
  breakItem: 'minecraft:broken',
  pickup: 'minecraft:picked_up',
  drop: 'minecraft:dropped',
  killEntity: 'minecraft:killed',
  entityKilledBy: 'minecraft:killed_by',
}

function placeOf(key: string): [group: string, key: string] {
  const [, kind = '', rest] = /^stat\.(\w+)(?:\.(.+))?$/.exec(key) ?? []
  const group = Object.hasOwn(OLD_GROUPS, kind) ? OLD_GROUPS[kind] : undefined
  if (group !== undefined && rest !== undefined) return [group, rest.replace('.', ':')]
  if (kind === '' || rest !== undefined) return ['stat', key]
  const snake = kind.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return ['minecraft:custom', `minecraft:${snake}`]
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const NO_KEYS: ReadonlyMap<string, number> = new Map()

export function summaryOf(groups: StatGroups): StatSummary {
  const custom = groups.get('minecraft:custom') ?? NO_KEYS
  const count = (key: string) => custom.get(`minecraft:${key}`) ?? 0
  // The name since 1.17; the old one counted ticks too, despite its name.
  const ticks = custom.get('minecraft:play_time') ?? custom.get('minecraft:play_one_minute')
  let mined = 0
  for (const value of (groups.get('minecraft:mined') ?? NO_KEYS).values()) mined += value
  let centimetres = 0
  for (const [key, value] of custom) if (key.endsWith('_one_cm')) centimetres += value
  return {
    playTimeSeconds: ticks === undefined ? null : Math.round(ticks / TICKS),
    deaths: count('deaths'),
    mobKills: count('mob_kills'),
    playerKills: count('player_kills'),
    blocksMined: mined,
    distanceMetres: Math.round(centimetres / CENTIMETRES),
  }
}
