import type { Server } from '../../../../contract/bridge/values.ts'

/** What the software of a server calls what is added to it; extensions where that is not known. */
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

/** The software whose plugins or mods a server loads, by its id: a jar of one's own is recognized by what it contains. */
export const loadsAs = (server: Server | null | undefined): string | null =>
  server?.software?.loadsAs ?? server?.software?.id ?? null

/** The folder of a server that its jars lie in; null where the software takes none that we know of. */
export const folderOf = (noun: Noun): string | null => (noun === 'extensions' ? null : noun)

/** Plugins of these fit the proxy, whichever version of the game it leads to. */
const PROXIES = new Set(['velocity', 'waterfall', 'bungeecord'])
/** What a service says of a jar of one's own that does not tell its version. */
const UNTOLD = 'unknown'

/** What plugins or mods have to fit at a server; null where that is not known. */
export function fitsOf(server: Server | null | undefined): { software: string; version: string } | null {
  const [software, version] = [loadsAs(server), server?.software?.version]
  if (software === null || !version || (version === UNTOLD && !PROXIES.has(software))) return null
  return { software, version }
}
