import type { PlayerStats } from '../../../../contract/bridge/values.ts'
import { duration, number } from '../../../messages/format.ts'
import { locale, t } from '../../../messages/t.svelte.ts'
import type { Entry } from '../list/sorted-players.ts'

export const figures = {
  playtime: 'playTimeSeconds',
  mined: 'blocksMined',
  distance: 'distanceMetres',
  'mob-kills': 'mobKills',
  'player-kills': 'playerKills',
  deaths: 'deaths',
} as const satisfies Record<string, keyof PlayerStats>
export type Figure = keyof typeof figures

export function inWords(figure: Figure, value: number): string {
  if (figure === 'playtime') return duration(value * 1000)
  return figure === 'distance' ? distance(value) : number(value)
}

/** Meters below a kilometer. */
export function distance(meters: number): string {
  const far = meters >= 1000
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: far ? 'kilometer' : 'meter',
    maximumFractionDigits: far ? 1 : 0,
  }).format(far ? meters / 1000 : meters)
}

/** Rank among all players with this value; null if this player or everyone else has none. */
export function rankOf(
  figure: Figure,
  entry: Entry,
  entries: readonly Entry[],
): { rank: number; count: number } | null {
  const field = figures[figure]
  const own = entry.stats?.[field]
  if (typeof own !== 'number' || own === 0) return null
  let [rank, count] = [1, 0]
  for (const { stats } of entries) {
    const value = stats?.[field]
    if (typeof value !== 'number') continue
    count += 1
    if (value > own) rank += 1
  }
  return count > 1 ? { rank, count } : null
}

export const groups = {
  mined: 'minecraft:mined',
  killed: 'minecraft:killed',
  'killed-by': 'minecraft:killed_by',
  crafted: 'minecraft:crafted',
  used: 'minecraft:used',
} as const
export type Group = keyof typeof groups | 'distance'

export interface Bar {
  name: string
  value: number
  words: string
}

const BARS = 6
const CENTIMETRES = 100

export function barsOf(group: Group, all: NonNullable<PlayerStats['groups']>): Bar[] {
  const keys = all[group === 'distance' ? 'minecraft:custom' : groups[group]] ?? {}
  return Object.entries(keys)
    .filter(([key, value]) => value > 0 && (group !== 'distance' || key.endsWith('_one_cm')))
    .sort(([, a], [, b]) => b - a)
    .slice(0, BARS)
    .map(([key, value]) => ({
      name: group === 'distance' ? wayOf(key) : plainName(key),
      value,
      words: group === 'distance' ? distance(value / CENTIMETRES) : number(value),
    }))
}

/** Translated ways to travel; others are shown in the game's words. */
const ways = [
  'walk',
  'sprint',
  'crouch',
  'swim',
  'walk-under-water',
  'walk-on-water',
  'fly',
  'aviate',
  'fall',
  'climb',
  'boat',
  'minecart',
  'horse',
  'pig',
  'strider',
  'happy-ghast',
] as const

function wayOf(key: string): string {
  const name = plainName(key)
  const way = ways.find((one) => one.replaceAll('-', ' ') === name)
  return way ? t(`players.way-${way}`) : name
}

/** `minecraft:deepslate_iron_ore` → `deepslate iron ore`. */
function plainName(key: string): string {
  return key
    .replace(/^[^:]*:/, '')
    .replace(/_one_cm$/, '')
    .replaceAll('_', ' ')
}
