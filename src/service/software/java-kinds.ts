import type { CatalogueKind } from './catalogues/kinds/catalogues.ts'

/** Where it keeps the Nether and the End: in the world's folder, or up to 1.21 each in one of its own beside that. */
export type DimensionLayout = 'within' | 'beside'

/** A kind of server software that runs on Java, as people know it. */
export interface JavaKind {
  id: CatalogueKind
  name: string
  description: string
  stopCommand: string
  /** Whether it runs Minecraft's own server, which nobody may without agreeing to its license. */
  isMinecraft: boolean
  /** It leads players to other servers, and has no world. */
  isProxy?: true
  /** What a new server takes without a network is known: neither an installer nor its first start downloads more. */
  isWhole?: true
  /** Absent where nobody knows. */
  dimensions?: DimensionLayout
}

const minecraft = { stopCommand: 'stop', isMinecraft: true, dimensions: 'within' } as const
/** Kinds of Bukkit. */
const bukkit = { ...minecraft, dimensions: 'beside', isWhole: true } as const

/** What has to be known of a kind to run it, whether a catalog has it or people bring it. */
export type RunKind = Omit<JavaKind, 'id'> & { id: string }

/** In the order in which people are offered them. */
export const JAVA_KINDS: readonly JavaKind[] = [
  {
    ...{ id: 'paper', name: 'Paper', description: 'Fast, and runs plugins. What most servers use.' },
    ...bukkit,
  },
  {
    ...{ id: 'purpur', name: 'Purpur', description: 'Paper with many more settings. Runs plugins.' },
    ...bukkit,
  },
  {
    ...{
      id: 'folia',
      name: 'Folia',
      description: 'Paper for very large numbers of players. Few plugins work with it.',
    },
    ...bukkit,
  },
  {
    ...{ id: 'fabric', name: 'Fabric', description: 'Lightweight. Runs mods.' },
    ...minecraft,
  },
  {
    ...{ id: 'quilt', name: 'Quilt', description: 'Runs mods made for Quilt, and most of those for Fabric.' },
    ...minecraft,
  },
  {
    ...{ id: 'neoforge', name: 'NeoForge', description: 'Runs mods, including the large ones.' },
    ...minecraft,
  },
  {
    ...{
      id: 'forge',
      name: 'Forge',
      description: 'Runs mods. For older versions, what most mods are made for.',
    },
    ...minecraft,
  },
  {
    ...{
      id: 'vanilla',
      name: 'Vanilla',
      description: 'The server as Mojang makes it, without plugins or mods.',
    },
    ...minecraft,
    isWhole: true,
  },
  {
    ...{
      id: 'velocity',
      name: 'Velocity',
      description:
        'A proxy: players join it, and it leads them to your other servers. Runs plugins of its own.',
    },
    ...{ stopCommand: 'end', isMinecraft: false, isProxy: true, isWhole: true },
  },
]
