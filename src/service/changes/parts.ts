import type { KeptPart } from '../../contract/areas/servers.ts'

/** Not copied unless a world has this name: the server recreates these, or nobody misses them. */
export const LEFT_OUT: readonly string[] = ['logs', 'cache', 'libraries', 'versions', 'crash-reports']

/** A world's folders; Bukkit-based servers have one per dimension. Empty if the name leads outside. */
export function worldNames(level: string): string[] {
  const parts = level.split(/[/\\]/).filter((part) => part !== '' && part !== '.')
  if (parts.length === 0 || parts.includes('..')) return []
  const name = parts.join('/')
  return [name, `${name}_nether`, `${name}_the_end`]
}

/** Belongs to the software, so a reset keeps it. */
const OF_SOFTWARE =
  /^(?:libraries|versions|cache|logs|eula\.txt|user_jvm_args\.txt|\.fabric|.*\.jar|(?:fabric|quilt)-server-launcher\.properties)$/i
const OF: Readonly<Record<Exclude<KeptPart, 'files'>, RegExp>> = {
  extensions: /^(?:plugins|mods|datapacks|resourcepacks)$/i,
  players: /^(?:ops|whitelist|banned-players|banned-ips|usercache)\.json$/i,
  config: /^(?:config|defaultconfigs|server\.properties|server-icon\.png|[^.][^/]*\.(?:ya?ml|toml|conf))$/i,
}

/** Paths a reset deletes: the world, and everything of `names` that isn't kept. */
export function removedByReset(names: readonly string[], level: string, keep: readonly KeptPart[]): string[] {
  const worlds = worldNames(level)
  const isWorld = (name: string) => worlds.some((world) => world === name)
  const isAbove = (name: string) => worlds.some((world) => world.startsWith(`${name}/`))
  const going = names.filter((name) => {
    if (isWorld(name)) return true
    // A folder that contains a world: the rest of it counts as other files; the world is deleted separately.
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
