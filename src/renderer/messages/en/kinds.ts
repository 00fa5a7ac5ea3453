import { loaded } from '../base/loaded.ts'

/** The built-in service's descriptions of software kinds, for translation. */
export const kinds = loaded({
  'kind.paper': 'Fast, and runs plugins. What most servers use.',
  'kind.purpur': 'Paper with many more settings. Runs plugins.',
  'kind.folia': 'Paper for very large numbers of players. Few plugins work with it.',
  'kind.fabric': 'Lightweight. Runs mods.',
  'kind.quilt': 'Runs mods made for Quilt, and most of those for Fabric.',
  'kind.neoforge': 'Runs mods, including the large ones.',
  'kind.forge': 'Runs mods. For older versions, what most mods are made for.',
  'kind.vanilla': 'The server as Mojang makes it, without plugins or mods.',
  'kind.velocity':
    'A proxy: players join it, and it leads them to your other servers. Runs plugins of its own.',
  'kind.demo': 'Starts in a second, without Java. For trying things out.',
  'kind.custom': "A jar of your own, in the server's folder.",
} as const)
