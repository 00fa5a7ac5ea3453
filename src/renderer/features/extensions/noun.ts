import type { Server } from '../../../contract/bridge/values.ts'

/** What the software of a server calls what is added to it; extensions where that is not known. */
export type Noun = 'plugins' | 'mods' | 'extensions'

const nouns: Readonly<Record<string, Noun>> = {
  paper: 'plugins',
  purpur: 'plugins',
  folia: 'plugins',
  velocity: 'plugins',
  fabric: 'mods',
  quilt: 'mods',
  neoforge: 'mods',
  forge: 'mods',
}

export function nounOf(server: Server | null | undefined): Noun {
  const id = server?.software?.id
  return (id !== undefined && id !== null && Object.hasOwn(nouns, id) ? nouns[id] : undefined) ?? 'extensions'
}

/** The folder of a server that its jars lie in; null where the software takes none that we know of. */
export const folderOf = (noun: Noun): string | null => (noun === 'extensions' ? null : noun)
