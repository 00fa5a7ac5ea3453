import type { CatalogKind } from './catalogs/kinds/catalogs.ts'

/** Nether and End: in the world's folder, or (Bukkit up to 1.21) in folders next to it. */
export type DimensionLayout = 'within' | 'beside'

interface JavaKind {
  id: CatalogKind
  name: string
  description: string
  stopCommand: string
  /** Requires agreeing to Mojang's EULA. */
  isMinecraft: boolean
  /** No world; forwards players to other servers. */
  isProxy?: true
  /** Offline installs are possible: neither installer nor first start downloads more. */
  isWhole?: true
  dimensions?: DimensionLayout
}

const minecraft = { stopCommand: 'stop', isMinecraft: true, dimensions: 'within' } as const
const bukkit = { ...minecraft, dimensions: 'beside', isWhole: true } as const

export type RunKind = Omit<JavaKind, 'id'> & { id: string }

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
