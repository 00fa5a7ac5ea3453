import { nameFault } from '../../contract/rules/names.ts'
import { newPartsOf } from '../files/names/names.ts'
import { Refusal } from '../base/refusal.ts'
import { shown, unsafe } from '../extensions/catalogs/pack-refusals.ts'

const MOST_LENGTH = 500
const MOST_DEPTH = 20
/** What not every system takes: servers move between them, and `a:b` is another file on Windows. */
const NOT_EVERYWHERE = ['ending', 'device', 'windows-character'] as const

/**
 * The path of a file of a pack in the server's folder, also as programs of Windows write it, with `\`. Throws Refusal 422
 * `modpacks.unsafe` where it is none, or none that every system takes.
 */
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

/** Two paths of which systems that ignore case can hold only one; upper case first, which also folds `ſ`. */
export const sameName = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase()

/** As `sameName`, and what only looks alike is the same too: better one file too many left out than one too few. */
const folded = (path: string): string =>
  sameName(path.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''))

/**
 * What lies in the server's folder itself and decides who may join and who may do what, which license was accepted, what is run
 * and from where: also by the names that older versions, and kinds of software that the server may become, have for it.
 */
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
/** Lists that a server reads by these names wherever it was started; `ops.json.converted` and the like among them. */
const LISTS = /^(?:ops|white-?list|banned-(?:players|ips))\./
/** Programs, and what starts one where somebody clicks on it. */
const PROGRAM =
  /\.(?:sh|bash|zsh|fish|bat|cmd|com|command|ps1|psm1|vbs|wsf|exe|msi|scr|pif|lnk|url|desktop|app|appimage|dll|so(?:\.\d+)*|dylib|jnilib|service|plist|reg)$/
/** Where a loader looks for programs: nowhere else has a pack a jar. */
const OF_LOADERS = new Set(['mods', 'plugins', 'coremods'])
/** By such names Windows opens a file with a longer one. */
const SHORT_NAME = /^[^.]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/

/** Whether a pack may bring a file with this path, as `packPath` answers it. A folder is judged as a file of its name is. */
export function mayBring(path: string): boolean {
  const parts = path.split('/').map(folded)
  const top = parts[0]!
  const name = parts.at(-1)!
  if (NAMES.has(top) || LISTS.test(top)) return false
  // What folds to a name that no system takes is one there that folds.
  if (parts.some((part) => SHORT_NAME.test(part) || part === 'session.lock' || !isPlain(part))) return false
  if (PROGRAM.test(name)) return false
  return !name.endsWith('.jar') || (parts.length > 1 && OF_LOADERS.has(top))
}

const isPlain = (part: string): boolean =>
  part !== '' && nameFault(part, ['here', 'up', 'slash', 'backslash', ...NOT_EVERYWHERE]) === null
