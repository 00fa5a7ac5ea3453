import type { ProgramSpec } from '../../runtime/processes/driver.ts'
import type { Language } from '../../runtime/processes/program-environment.ts'
import { refusal } from '../../base/refusal.ts'

/** What a Java server is started from, as its installation left it. Paths are relative to the server's folder. */
export type JavaEntry =
  | { form: 'jar'; file: string }
  /** Files with arguments, in their order: `user_jvm_args.txt`, and what Forge and NeoForge 1.17 and later leave. */
  | { form: 'args'; files: string[] }

/** What people write into themselves: flags for the Java machine. */
export const USER_ARGS: string = 'user_jvm_args.txt'

/** How a Java server is started. */
export interface JavaStart {
  /** Id of the software, such as `paper`. */
  software: string
  /** The mod loader of a custom jar, such as `fabric`; null if unknown. */
  loadsAs?: string | null
  /** The owner's language, if Java can't detect it. Default: null. */
  language?: Language | null
  /** Of the software: for most of them the game's, `1.21.4` or `26.1`. */
  version: string
  /** The Java executable. */
  java: string
  /** Arguments of the Java machine: its memory and other flags, checked by whoever chose them. */
  jvm: string[]
  entry: JavaEntry
  /** The server's folder, absolute. */
  folder: string
  /** The port it listens on. Servers are told it by their settings; a proxy is told it here. */
  port: number
  /** Without datapacks. Default: false. */
  safely?: boolean
}

/** Refuses to run where its path contains `!` or `+`. */
const BUKKIT = new Set(['paper', 'folia', 'purpur'])
/** Proxies have no window that could be turned off. */
const PROXIES = new Set(['velocity'])
/** Writes colors into a pipe where it is told so. A jar of one's own mostly is one of these, and where not, it does not mind. */
const COLORED = new Set([...BUKKIT, ...PROXIES, 'forge', 'neoforge', 'custom'])

/** They translate their error messages, and crash causes are recognized in English. */
const TRANSLATED = new Set(['fabric', 'quilt'])

/**
 * The program of a Java server. Nothing of Java's own variables is passed on by whoever runs it. Throws Refusal 409
 * `software.folder-name` where the software does not run in such a folder, and Error where its entry is outside of it.
 */
export function javaProgram(start: JavaStart): ProgramSpec {
  const { software, version, java, jvm, entry, folder, port, safely, language = null } = start
  if (BUKKIT.has(software) && /[!+]/.test(folder)) throw folderName(folder)
  const ours = [
    ...(COLORED.has(software) ? ['-Dterminal.jline=false', '-Dterminal.ansi=true'] : []),
    ...(mayLookUpMessages(version) ? ['-Dlog4j2.formatMsgNoLookups=true'] : []),
  ]
  const english = TRANSLATED.has(start.loadsAs ?? software) ? { language: 'en', country: null } : null
  const files = entry.form === 'jar' ? [entry.file] : entry.files
  for (const file of files) requireInside(file)
  // Of a flag that is there twice Java takes the last one: a heap that somebody wrote there ends where the server's limit does.
  const theirs = entry.form === 'args' ? entry.files.filter((file) => file === USER_ARGS) : []
  const rest = files.filter((file) => !theirs.includes(file)).map((file) => `@${file}`)
  const from = entry.form === 'jar' ? ['-jar', plainName(entry.file)] : rest
  const own = PROXIES.has(software) ? ['--port', String(port)] : ['nogui', ...(safely ? ['--safeMode'] : [])]
  return {
    file: java,
    // First, so that the owner's arguments override it.
    args: [
      ...languageFlags(english ?? language),
      ...theirs.map((file) => `@${file}`),
      ...ours,
      ...jvm,
      ...from,
      ...own,
    ],
    cwd: folder,
    env: {},
  }
}

const languageFlags = (of: Language | null): string[] =>
  of ? [`-Duser.language=${of.language}`, ...(of.country ? [`-Duser.country=${of.country}`] : [])] : []

/**
 * Whether what players write could be run by the log (Log4Shell, CVE-2021-44228), which Minecraft 1.18.1 put right. Where
 * a version cannot be told, as of a snapshot, the flag does no harm.
 */
function mayLookUpMessages(version: string): boolean {
  const match = /^(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?(?!\d)/.exec(version)
  if (!match) return true
  const [major, minor, patch] = match.slice(1).map((part) => Number(part ?? 0))
  return major === 1 && (minor! < 18 || (minor === 18 && patch! < 1))
}

/** Java would take `-name` for a flag of its own, and `@name` for a file with arguments. */
const plainName = (file: string): string => (/^[-@]/.test(file) ? `./${file}` : file)

function requireInside(file: string): void {
  if (file === '' || /^(?:[/\\]|[A-Za-z]:)/.test(file) || file.split(/[/\\]/).includes('..'))
    throw new Error(`The server cannot be started from ${file}, which is not in its folder.`)
}

const folderName = (folder: string) => refusal(409, 'software.folder-name', { folder })
