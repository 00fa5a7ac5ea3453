import type { KeptPart } from '../../contract/areas/servers.ts'

/** What a server makes anew by itself, or nobody wants back: in no copy, unless a world has this name. */
export const LEFT_OUT: readonly string[] = ['logs', 'cache', 'libraries', 'versions', 'crash-reports']

/** Paths of the folders of a world: Bukkit's kinds have one for each dimension. Empty where its name leads elsewhere. */
export function worldNames(level: string): string[] {
  const parts = level.split(/[/\\]/).filter((part) => part !== '' && part !== '.')
  if (parts.length === 0 || parts.includes('..')) return []
  const name = parts.join('/')
  return [name, `${name}_nether`, `${name}_the_end`]
}

/** Belongs to the software, which a reset does not change. */
const OF_SOFTWARE =
  /^(?:libraries|versions|cache|logs|eula\.txt|user_jvm_args\.txt|\.fabric|.*\.jar|(?:fabric|quilt)-server-launcher\.properties)$/i
const OF: Readonly<Record<Exclude<KeptPart, 'files'>, RegExp>> = {
  extensions: /^(?:plugins|mods|datapacks|resourcepacks)$/i,
  players: /^(?:ops|whitelist|banned-players|banned-ips|usercache)\.json$/i,
  config: /^(?:config|defaultconfigs|server\.properties|server-icon\.png|[^.][^/]*\.(?:ya?ml|toml|conf))$/i,
}

/** Paths that a reset takes away: the world, and what of these names in the server's folder is not to be kept. */
export function removedByReset(names: readonly string[], level: string, keep: readonly KeptPart[]): string[] {
  const worlds = worldNames(level)
  const isWorld = (name: string) => worlds.some((world) => world === name)
  const isAbove = (name: string) => worlds.some((world) => world.startsWith(`${name}/`))
  const going = names.filter((name) => {
    if (isWorld(name)) return true
    // What else lies beside a world in its folder counts as other files, and the world goes by itself.
    if (isAbove(name)) return !keep.includes('files')
    if (OF_SOFTWARE.test(name)) return false
    return !keep.includes(partOf(name))
  })
  const nested = worlds.filter((world) => world.includes('/') && !going.includes(world.split('/')[0]!))
  return [...going, ...nested]
}

function partOf(name: string): KeptPart {
  for (const [part, form] of Object.entries(OF)) if (form.test(name)) return part as KeptPart
  return 'files'
}
