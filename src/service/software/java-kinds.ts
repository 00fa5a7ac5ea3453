import type { CatalogueKind } from './catalogues/catalogues.ts'

/** A kind of server software that runs on Java, as people know it. */
export interface JavaKind {
  id: CatalogueKind
  name: string
  description: string
  stopCommand: string
  /** Whether it runs Minecraft's own server, which nobody may without agreeing to its license. */
  isMinecraft: boolean
}

const minecraft = { stopCommand: 'stop', isMinecraft: true }

/**
 * In the order in which people are offered them. Velocity is not among them yet: its own settings decide where it listens,
 * and it would do so on every network whatever the service was told.
 */
export const JAVA_KINDS: readonly JavaKind[] = [
  { id: 'paper', name: 'Paper', description: 'Fast, and runs plugins. What most servers use.', ...minecraft },
  { id: 'purpur', name: 'Purpur', description: 'Paper with many more settings. Runs plugins.', ...minecraft },
  {
    id: 'folia',
    name: 'Folia',
    description: 'Paper for very large numbers of players. Few plugins work with it.',
    ...minecraft,
  },
  { id: 'fabric', name: 'Fabric', description: 'Lightweight. Runs mods.', ...minecraft },
  {
    id: 'vanilla',
    name: 'Vanilla',
    description: 'The server as Mojang makes it, without plugins or mods.',
    ...minecraft,
  },
]
