import type { Server } from '../../../../contract/bridge/values.ts'

/** The server's term; `extensions` if unknown. */
export type Noun = 'plugins' | 'mods' | 'extensions'

const nouns: Readonly<Record<string, Noun>> = {
  paper: 'plugins',
  purpur: 'plugins',
  folia: 'plugins',
  spigot: 'plugins',
  velocity: 'plugins',
  waterfall: 'plugins',
  bungeecord: 'plugins',
  fabric: 'mods',
  quilt: 'mods',
  neoforge: 'mods',
  forge: 'mods',
}

export function nounOf(server: Server | null | undefined): Noun {
  const id = loadsAs(server)
  return (id !== null && Object.hasOwn(nouns, id) ? nouns[id] : undefined) ?? 'extensions'
}

const NONE: ReadonlySet<string | null> = new Set(['vanilla', 'demo'])

/** Whether the server is known to run neither plugins nor mods. */
export const takesNone = (server: Server | null): boolean => NONE.has(loadsAs(server))

/** The software whose add-ons the server loads; custom jars are recognized by their contents. */
export const loadsAs = (server: Server | null | undefined): string | null =>
  server?.software?.loadsAs ?? server?.software?.id ?? null

/** Null if the software is not known to load any. */
export const folderOf = (noun: Noun): string | null => (noun === 'extensions' ? null : noun)

/** Proxy plugins fit any game version. */
const PROXIES = new Set(['velocity', 'waterfall', 'bungeecord'])
/** Version of a custom jar that does not state one. */
const UNTOLD = 'unknown'

/** Null if unknown. */
export function fitsOf(server: Server | null | undefined): { software: string; version: string } | null {
  const [software, version] = [loadsAs(server), server?.software?.version]
  if (software === null || !version || (version === UNTOLD && !PROXIES.has(software))) return null
  return { software, version }
}
