import { nameFault } from '../../contract/rules/names.ts'
import { newPartsOf } from '../files/names/names.ts'
import { Refusal } from '../../host/refusal.ts'
import { shown, unsafe } from '../../extensions/catalogs/pack-refusals.ts'

const MOST_LENGTH = 500
const MOST_DEPTH = 20
/** Servers move between systems, and `a:b` names a different file on Windows. */
const NOT_EVERYWHERE = ['ending', 'device', 'windows-character'] as const

/** Accepts `\`. Throws Refusal 422 `modpacks.unsafe` unless the path is valid on all systems. */
export function packPath(path: string): string {
  if (path.length > MOST_LENGTH) throw unsafe('path', { path: shown(path) })
  try {
    const parts = newPartsOf(path.replaceAll('\\', '/'))
    const isEverywhere = parts.every((part) => nameFault(part, NOT_EVERYWHERE) === null)
    if (isEverywhere && parts.length > 0 && parts.length <= MOST_DEPTH) return parts.join('/')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  throw unsafe('path', { path: shown(path) })
}

/** Equal for paths that clash on case-insensitive systems. Upper case first: that also folds `ſ`. */
export const sameName = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase()

/** Like `sameName`, but also equates look-alikes: better to refuse one file too many. */
const folded = (path: string): string =>
  sameName(path.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''))

/** Control access, permissions or what is run, here, in older versions or in other software. */
const NAMES = new Set(
  [
    ...['eula.txt', 'server.properties', 'user_jvm_args.txt', 'variables.txt', 'session.lock'],
    ...['ops.json', 'whitelist.json', 'banned-players.json', 'banned-ips.json'],
    ...['ops.txt', 'white-list.txt', 'banned-players.txt', 'banned-ips.txt'],
    ...['usercache.json', 'usernamecache.json', 'version_history.json'],
    ...['permissions.yml', 'commands.yml', 'bukkit.yml', 'spigot.yml', 'paper.yml', 'purpur.yml'],
    ...['velocity.toml', 'forwarding.secret'],
    ...['fabric-server-launcher.properties', 'quilt-server-launcher.properties', 'server-setup-config.yaml'],
    ...['libraries', 'versions', 'cache', 'logs', 'crash-reports', '.fabric', '.quilt'],
  ].map(folded),
)
/** Also matches variants such as `ops.json.converted`. */
const LISTS = /^(?:ops|white-?list|banned-(?:players|ips))\./
/** Executables, and files that launch one when opened. */
const PROGRAM =
  /\.(?:sh|bash|zsh|fish|bat|cmd|com|command|ps1|psm1|vbs|wsf|exe|msi|scr|pif|lnk|url|desktop|app|appimage|dll|so(?:\.\d+)*|dylib|jnilib|service|plist|reg)$/
/** Folders where loaders look for code. Packs may not put jars anywhere else. */
const OF_LOADERS = new Set(['mods', 'plugins', 'coremods'])
/** Windows' short names (8.3), which open files with longer names. */
const SHORT_NAME = /^[^.]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/

/** Takes a path from `packPath`. Folders follow the rules for files of the same name. */
export function mayBring(path: string): boolean {
  const parts = path.split('/').map(folded)
  const top = parts[0]!
  const name = parts.at(-1)!
  if (NAMES.has(top) || LISTS.test(top)) return false
  // A file system that folds names could turn this into an invalid name.
  if (parts.some((part) => SHORT_NAME.test(part) || part === 'session.lock' || !isPlain(part))) return false
  if (PROGRAM.test(name)) return false
  return !name.endsWith('.jar') || (parts.length > 1 && OF_LOADERS.has(top))
}

const isPlain = (part: string): boolean =>
  part !== '' && nameFault(part, ['here', 'up', 'slash', 'backslash', ...NOT_EVERYWHERE]) === null
