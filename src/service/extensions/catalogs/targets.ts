import type { Target } from './extension-catalog.ts'

/** What each software loads, as Modrinth names it. */
const LOADERS: Record<string, readonly string[]> = {
  paper: ['paper', 'spigot', 'bukkit'],
  purpur: ['purpur', 'paper', 'spigot', 'bukkit'],
  // It refuses plugins that do not say they are made for it.
  folia: ['folia'],
  spigot: ['spigot', 'bukkit'],
  fabric: ['fabric'],
  quilt: ['quilt', 'fabric'],
  neoforge: ['neoforge'],
  forge: ['forge'],
  velocity: ['velocity'],
  waterfall: ['waterfall', 'bungeecord'],
  bungeecord: ['bungeecord'],
}

const PROXIES = new Set(['velocity', 'waterfall', 'bungeecord'])

/** Loaders whose extensions run on a software; empty where it runs none. */
export function loadersOf({ software, version }: Target): readonly string[] {
  // For 1.20.1 NeoForge was a Forge by another name.
  if (software === 'neoforge' && version === '1.20.1') return ['neoforge', 'forge']
  return Object.hasOwn(LOADERS, software) ? LOADERS[software]! : []
}

const MODS = new Set(['fabric', 'quilt', 'neoforge', 'forge'])

/** Whether a software runs mods rather than plugins. */
export const runsMods = ({ software }: Target): boolean => MODS.has(software)

/** The version of the game that an extension has to fit; null for a proxy, whose plugins fit the proxy. */
export const gameOf = ({ software, version }: Target): string | null =>
  PROXIES.has(software) ? null : version

/** The platform of Hangar that a software is, and its version there; null where Hangar has nothing for it. */
export function platformOf({ software, version }: Target): { platform: string; version: string } | null {
  switch (software) {
    case 'paper':
    case 'purpur':
    case 'folia':
      return { platform: 'PAPER', version }
    case 'velocity': {
      // There it is called by its first two numbers: 3.4.0-SNAPSHOT is 3.4.
      const [short = version] = /^\d+\.\d+/.exec(version) ?? []
      return { platform: 'VELOCITY', version: short }
    }
    default:
      return null
  }
}
