import type { Target } from './extension-catalog.ts'

/** By software, in Modrinth's terms. */
const LOADERS: Record<string, readonly string[]> = {
  paper: ['paper', 'spigot', 'bukkit'],
  purpur: ['purpur', 'paper', 'spigot', 'bukkit'],
  // Folia refuses plugins that don't declare support.
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

/** Loaders whose extensions run on a software; may be empty. */
export function loadersOf({ software, version }: Target): readonly string[] {
  // NeoForge 1.20.1 was still compatible with Forge.
  if (software === 'neoforge' && version === '1.20.1') return ['neoforge', 'forge']
  return Object.hasOwn(LOADERS, software) ? LOADERS[software]! : []
}

const MODS = new Set(['fabric', 'quilt', 'neoforge', 'forge'])

export const runsMods = ({ software }: Target): boolean => MODS.has(software)

/** Null for proxies: their plugins depend on the proxy's version. */
export const gameOf = ({ software, version }: Target): string | null =>
  PROXIES.has(software) ? null : version

/** Hangar's platform and version for a software; null if unsupported. */
export function platformOf({ software, version }: Target): { platform: string; version: string } | null {
  switch (software) {
    case 'paper':
    case 'purpur':
    case 'folia':
      return { platform: 'PAPER', version }
    case 'velocity': {
      // Hangar shortens 3.4.0-SNAPSHOT to 3.4.
      const [short = version] = /^\d+\.\d+/.exec(version) ?? []
      return { platform: 'VELOCITY', version: short }
    }
    default:
      return null
  }
}
