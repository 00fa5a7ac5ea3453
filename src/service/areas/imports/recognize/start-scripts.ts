import type { ServerFiles } from '../../../files/server-files.ts'
import { headOf } from './level.ts'

const MOST_SCRIPTS = 12
const MOST_NAMED_FILES = 4
const SCRIPT = /\.(?:(?:ba|z)?sh|bat|cmd|command|ps1|service)$|^(?:start|run|launch)$/i
const OF_WINDOWS = /\.(?:bat|cmd|ps1)$/i
/** Characters examined per line and value; nobody writes longer commands. */
const LINE_MOST = 4000
const VALUE_MOST = 300

/** Scripts are read, never run. */
export interface StartScripts {
  memoryMb: number | null
  jars: Set<string>
  /** Below `libraries/net`: `neoforged/neoforge/21.1.90`. */
  installs: Set<string>
}

export async function readStartScripts(
  files: ServerFiles,
  names: ReadonlySet<string>,
): Promise<StartScripts> {
  const scripts = [...names].filter((name) => SCRIPT.test(name)).sort(usualFirst)
  const jars = new Map(
    [...names].filter((name) => /\.jar$/i.test(name)).map((name) => [name.toLowerCase(), name]),
  )
  const found: StartScripts = { memoryMb: null, jars: new Set(), installs: new Set() }
  for (const script of scripts.slice(0, MOST_SCRIPTS)) {
    const text = plainScript(await headOf(files, script), !OF_WINDOWS.test(script))
    const commands = commandsIn(await withVariables(files, names, text))
    const isFile = (name: string) => names.has(name) || name.includes('/')
    const named = new Set(commands.flatMap(argumentFilesIn).filter(isFile))
    for (const name of [...named].slice(0, MOST_NAMED_FILES))
      commands.push((await headOf(files, name)).replaceAll(/^[ \t]*#.*$/gm, '').replaceAll(/[\r\n]+/g, ' '))
    for (const command of commands) {
      found.memoryMb ??= memoryIn(command)
      for (const path of jarsIn(command)) {
        const name = nameInFolder(path)
        const jar = names.has(name) ? name : jars.get(name.toLowerCase())
        if (jar !== undefined) found.jars.add(jar)
      }
      for (const [, install] of command.matchAll(INSTALL)) found.installs.add(install!.replaceAll('\\', '/'))
    }
  }
  const shared = names.has(JVM_ARGUMENTS) ? await headOf(files, JVM_ARGUMENTS) : ''
  found.memoryMb ??= memoryIn(shared.replaceAll(/^[ \t]*#.*$/gm, ''))
  return found
}

const JVM_ARGUMENTS = 'user_jvm_args.txt'
const USUAL = /^(?:start|run|launch|server)/i

const usualFirst = (a: string, b: string): number =>
  Number(USUAL.test(b)) - Number(USUAL.test(a)) || (a < b ? -1 : 1)

/** Removes comments, line continuations and runtime substitutions. */
function plainScript(script: string, isShell: boolean): string {
  const plain = script
    .replaceAll(isShell ? /\\(?:\r\n?|\n)/g : /[\^`](?:\r\n?|\n)/g, ' ')
    // `[ \t]` instead of `\s`: matching across newlines is quadratic in empty lines.
    .replaceAll(/^[ \t]*(?:#|@?rem\b|::).*$/gim, '')
    .replaceAll(/[ \t]#.*$/gm, '')
    .replaceAll('\\"', '"')
    .replaceAll(SUBSTITUTION, '')
    .replaceAll(SUBSTITUTION, '')
  return isShell ? plain.replaceAll(/`[^`\r\n]*`/g, '') : plain
}

async function withVariables(
  files: ServerFiles,
  names: ReadonlySet<string>,
  script: string,
): Promise<string> {
  const contents = new Map<string, string>()
  for (const [, name] of script.matchAll(SOURCED))
    if (names.has(name!) && !contents.has(name!) && contents.size < MOST_NAMED_FILES)
      contents.set(name!, plainScript(await headOf(files, name!), !OF_WINDOWS.test(name!)))
  return script.replaceAll(SOURCED, (line, name: string) => {
    const content = contents.get(name)
    // Only once: repeated references would multiply it.
    contents.delete(name)
    return content === undefined ? line : `\n${content}\n`
  })
}

const SOURCED =
  /(?<=^|[;&]|\b(?:then|do)\s)[ \t]*@?(?:\.|source|call)[ \t]+["']?(?:[^"'\s;&]{0,200}[/\\])?([\w.-]{1,100})["']?/gim

/** Expands variables; each use gets the latest value assigned before it. */
function commandsIn(script: string): string[] {
  const lines = script.split(/[\r\n;]|&&?|\|\|?/)
  const values = new Map<string, string>()
  const commands: string[] = []
  for (const line of lines) {
    if (!/\S/.test(line) || /^\s*@?(?:echo|printf|title|write-host)\b/i.test(line)) continue
    const command = line.slice(0, LINE_MOST)
    commands.push(expanded(command, values))
    const [, name, value] = BATCH_ASSIGNMENT.exec(command) ?? ASSIGNMENT.exec(command) ?? []
    if (name === undefined) continue
    const set = unquoted(expanded(value!, values)).trim()
    values.set(name.toLowerCase(), set.slice(0, VALUE_MOST))
  }
  return commands
}

const WORD = String.raw`(?:"[^"]{0,400}"|'[^']{0,400}'|\\ |[^\s"']){1,400}`
const BATCH_ASSIGNMENT = /(?:^|\s)@?set\s+"?(\w{1,60})[ \t]*=(.*)$/i
const ASSIGNMENT = new RegExp(
  String.raw`^(?:.{0,200}?\s)?(?:\$(?:env:)?)?(\w{1,60})[ \t]*=[ \t]*(?:Join-Path\s+\S+\s+)?(${WORD})`,
  'i',
)
const JAR = new RegExp(String.raw`(?<=^|[\s"'])-jar(?:\s+|["'],\s*)(${WORD})`, 'g')

const SUBSTITUTION = /\$\([^()]*\)/g
const VARIABLE =
  /\$\{(\w{1,60})(?::?([-=])([^{}]*)|[^{}]*)\}|\$(?:env:)?(\w{1,60})|%~[a-z]{0,10}\d|[%!](\w{1,60})[%!]/gi

/** `${NAME:=value}` also assigns. */
function expanded(line: string, values: Map<string, string>): string {
  let left = LINE_MOST
  return line.replaceAll(VARIABLE, (_, ...[braced, sign, unset, plain, batch]: (string | undefined)[]) => {
    const name = (braced ?? plain ?? batch ?? '').toLowerCase()
    const value = values.get(name) ?? unset ?? ''
    if (sign === '=' && !values.has(name)) values.set(name, unquoted(value).slice(0, VALUE_MOST))
    left -= value.length
    return left < 0 ? '' : value
  })
}

const unquoted = (text: string): string => text.replaceAll(/["']/g, '')

/** Java's argument files: `@file.txt`. */
const argumentFilesIn = (command: string): string[] =>
  [...command.matchAll(/@"?(?:\.[/\\])?([\w.-][\w./\\-]{0,200})(?=["\s]|$)/g)]
    .map(([, name]) => name!.replaceAll('\\', '/'))
    .filter((name) => name !== JVM_ARGUMENTS)

const INSTALL =
  /libraries[/\\]net[/\\]((?:neoforged|minecraftforge)[/\\](?:neo)?forge[/\\][\w.+-]{1,100})[/\\]/g

/** The path after `-jar`, also in lists such as `"-jar","server.jar","nogui"`. */
const jarsIn = (command: string): string[] =>
  [...command.matchAll(JAR)].map(([, path]) =>
    unquoted(path!)
      .replaceAll('\\ ', ' ')
      .replace(/(?<=\.jar)[,)\]].*$/is, ''),
  )

/** Empty if outside of the server's folder. Absolute paths are from another computer. */
function nameInFolder(path: string): string {
  const [, above = '', name = ''] = /^(.*?)([^/\\]*)$/s.exec(path.replace(/^(?:\.[/\\])+/, '')) ?? []
  return above === '' || /^(?:[/\\~]|\.\.[/\\]|[a-z]:)/i.test(above) ? name : ''
}

const PER_MIB = { k: 1 / 1024, m: 1, g: 1024, t: 1024 ** 2 } as const

function memoryIn(command: string): number | null {
  const [, number, unit = 'm'] = /-Xmx(\d{1,9})([kmgt])/i.exec(command) ?? []
  if (number === undefined) return null
  const mb = Math.round(Number(number) * PER_MIB[unit.toLowerCase() as keyof typeof PER_MIB])
  return mb >= 256 && mb <= 262_144 ? mb : null
}
