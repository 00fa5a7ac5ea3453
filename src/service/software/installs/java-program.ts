import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { ProgramSpec } from '../../runtime/programs/driver.ts'
import type { Language } from '../../runtime/processes/program-environment.ts'
import { refusal } from '../../../host/refusal.ts'

/** Paths are relative to the server's folder. */
export type JavaEntry =
  | { form: 'jar'; file: string }
  /** Argument files in order: `user_jvm_args.txt`, then those of Forge and NeoForge 1.17 and later. */
  | { form: 'args'; files: string[] }

export const USER_ARGS: string = 'user_jvm_args.txt'

export interface JavaStart {
  software: string
  /** The mod loader of a custom jar, such as `fabric`; null if unknown. */
  loadsAs?: string | null
  language?: Language | null
  /** Of the software; usually the game's. */
  version: string
  java: string
  /** JVM flags, already validated. */
  jvm: string[]
  entry: JavaEntry
  folder: string
  /** Used for proxies only; servers read it from their settings. */
  port: number
  safely?: boolean
}

/** These refuse paths with `!` or `+`. */
const BUKKIT = new Set(['paper', 'folia', 'purpur'])
/** No GUI to disable. */
const PROXIES = new Set(['velocity'])
/** These can print colors to a pipe. Others ignore the flag. */
const COLORED = new Set([...BUKKIT, ...PROXIES, 'forge', 'neoforge', 'custom'])

/** Their error messages are translated, but crash rules match English. */
const TRANSLATED = new Set(['fabric', 'quilt'])

/** Without Java's own variables. Throws Refusal 409 `software.folder-name`, and Error for outside entries. */
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
  // Java uses the last duplicate, so put theirs first: our heap limit wins.
  const theirs = entry.form === 'args' ? entry.files.filter((file) => file === USER_ARGS) : []
  const rest = files.filter((file) => !theirs.includes(file)).map((file) => `@${file}`)
  const from = entry.form === 'jar' ? ['-jar', plainName(entry.file)] : rest
  const own = PROXIES.has(software) ? ['--port', String(port)] : ['nogui', ...(safely ? ['--safeMode'] : [])]
  return {
    file: java,
    // First, so the owner's arguments override it.
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
    reads: readsOf(java),
  }
}

/** The settings of a Java that the system's own keeps elsewhere. */
const SETTINGS = ['conf/logging.properties', 'conf/security/java.security', 'lib/security/cacerts']

/** Its Java, and the folders of what its settings are links to. */
function readsOf(java: string): string[] {
  if (!path.isAbsolute(java)) return []
  const home = path.dirname(path.dirname(java))
  const folders = SETTINGS.map((name) => targetOf(path.join(home, name)))
    .filter((file) => file !== null && !file.startsWith(home + path.sep))
    .map((file) => path.dirname(file!))
  return [home, ...new Set(folders)]
}

function targetOf(file: string): string | null {
  try {
    return realpathSync(file)
  } catch {
    return null
  }
}

const languageFlags = (of: Language | null): string[] =>
  of ? [`-Duser.language=${of.language}`, ...(of.country ? [`-Duser.country=${of.country}`] : [])] : []

/** Log4Shell (CVE-2021-44228), fixed in Minecraft 1.18.1. For unknown versions the flag is harmless. */
function mayLookUpMessages(version: string): boolean {
  const match = /^(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?(?!\d)/.exec(version)
  if (!match) return true
  const [major, minor, patch] = match.slice(1).map((part) => Number(part ?? 0))
  return major === 1 && (minor! < 18 || (minor === 18 && patch! < 1))
}

/** Java would read `-name` as a flag and `@name` as an argument file. */
const plainName = (file: string): string => (/^[-@]/.test(file) ? `./${file}` : file)

function requireInside(file: string): void {
  if (file === '' || /^(?:[/\\]|[A-Za-z]:)/.test(file) || file.split(/[/\\]/).includes('..'))
    throw new Error(`The server cannot be started from ${file}, which is not in its folder.`)
}

const folderName = (folder: string) => refusal(409, 'software.folder-name', { folder })
