import type { CatalogueKind } from './catalogues/catalogues.ts'
import type { Loads } from './software.ts'

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
  /** What it can be extended with. */
  loads?: Loads
}

const minecraft = { stopCommand: 'stop', isMinecraft: true }
const plugins = (of: string[]): Loads => ({ folder: 'plugins', of })
const mods = (...of: string[]): Loads => ({ folder: 'mods', of })

/** What has to be known of a kind to run it, whether a catalog has it or people bring it. */
export type RunKind = Omit<JavaKind, 'id'> & { id: string }

/** In the order in which people are offered them. */
export const JAVA_KINDS: readonly JavaKind[] = [
  {
    ...{ id: 'paper', name: 'Paper', description: 'Fast, and runs plugins. What most servers use.' },
    ...minecraft,
    loads: plugins(['paper', 'purpur', 'folia']),
  },
  {
    ...{ id: 'purpur', name: 'Purpur', description: 'Paper with many more settings. Runs plugins.' },
    ...minecraft,
    loads: plugins(['paper', 'purpur', 'folia']),
  },
  {
    ...{
      id: 'folia',
      name: 'Folia',
      description: 'Paper for very large numbers of players. Few plugins work with it.',
    },
    ...minecraft,
    loads: plugins(['folia']),
  },
  {
    ...{ id: 'fabric', name: 'Fabric', description: 'Lightweight. Runs mods.' },
    ...minecraft,
    loads: mods('fabric'),
  },
  {
    ...{ id: 'quilt', name: 'Quilt', description: 'Runs mods made for Quilt, and most of those for Fabric.' },
    ...minecraft,
    loads: mods('quilt', 'fabric'),
  },
  {
    ...{ id: 'neoforge', name: 'NeoForge', description: 'Runs mods, including the large ones.' },
    ...minecraft,
    loads: mods('neoforge'),
  },
  {
    ...{
      id: 'forge',
      name: 'Forge',
      description: 'Runs mods. For older versions, what most mods are made for.',
    },
    ...minecraft,
    loads: mods('forge'),
  },
  {
    ...{
      id: 'vanilla',
      name: 'Vanilla',
      description: 'The server as Mojang makes it, without plugins or mods.',
    },
    ...minecraft,
  },
  {
    ...{
      id: 'velocity',
      name: 'Velocity',
      description:
        'A proxy: players join it, and it leads them to your other servers. Runs plugins of its own.',
    },
    ...{ stopCommand: 'end', isMinecraft: false, isProxy: true },
    loads: plugins(['velocity']),
  },
]
