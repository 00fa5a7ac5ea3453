import { spawn } from 'node:child_process'
import { lstat, readdir, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { openRoot } from '../../files/safe-fs/opened-folder.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import { walkTree } from '../../files/safe-fs/walk-tree.ts'
import { refusal } from '../../../host/refusal.ts'
import { LineSplitter } from '../../runtime/programs/line-splitter.ts'
import { programEnvironment } from '../../runtime/processes/program-environment.ts'
import { USER_ARGS } from './java-program.ts'
import { endTree, type Leader } from '../../runtime/processes/process-tree.ts'
import { startedAtOnce } from '../../runtime/processes/process-table.ts'
import { refusalText } from '../../../contract/messages/refusals/index.ts'
import type { Say } from '../software.ts'

export interface InstallerRun {
  name: string
  java: string
  jvm?: string[]
  jar: string
  args: string[]
  folder: string
  signal: AbortSignal
  say: Say
  /** Null once nothing of it runs. */
  runs: (leader: Leader | null) => void
  limits?: Partial<InstallerLimits>
}

interface InstallerLimits {
  /** Time limit in ms. Patching Minecraft takes minutes on slow computers. */
  mostMs: number
  /** Limit for `say`: some installers print every class. */
  mostLines: number
}

const LIMITS: InstallerLimits = { mostMs: 20 * 60_000, mostLines: 400 }
const LINE = 500
/** Untrusted, so bounded. */
const MOST_FILES = 20_000
const MOST_BYTES = 4 * 1024 ** 3

/** Rejects with a sentence on failure or timeout, or with the signal's reason. Nothing is left running. */
export async function runInstaller({ signal, folder, ...run }: InstallerRun): Promise<void> {
  const { mostMs, mostLines } = { ...LIMITS, ...run.limits }
  const { variables } = await programEnvironment()
  signal.throwIfAborted()
  const child = spawn(
    run.java,
    ['-Xmx1g', '-Djava.awt.headless=true', ...(run.jvm ?? []), '-jar', run.jar, ...run.args],
    {
      cwd: folder,
      env: variables,
      // Its own process group, to kill it as a whole.
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const failed = new Promise<NodeJS.ErrnoException>((resolve) => child.once('error', resolve))
  if (child.pid === undefined) throw notStarted(run.name, (await failed).code ?? 'unknown error')
  const leader = { pid: child.pid, started: startedAtOnce(child.pid) }
  child.on('error', () => undefined)
  try {
    run.runs(leader)
  } catch (error) {
    // Without a record, a later service couldn't find and kill it.
    await endTree(leader)
    throw error
  }
  let told = 0
  for (const stream of [child.stdout, child.stderr]) {
    const splitter = new LineSplitter()
    const tell = (lines: string[]) => {
      for (const line of lines)
        if (line.trim() && told++ < mostLines)
          run.say(refusalText('console.verbatim', { words: line.slice(0, LINE) }))
    }
    stream.on('data', (chunk: Buffer) => tell(splitter.push(chunk)))
    stream.on('close', () => tell(splitter.flush()))
    stream.on('error', () => undefined)
  }
  const tooLong = AbortSignal.timeout(mostMs)
  const ending = AbortSignal.any([signal, tooLong])
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const end = () => void endTree(leader).catch(() => child.kill('SIGKILL'))
  ending.addEventListener('abort', end, { once: true })
  try {
    const code = await ended
    signal.throwIfAborted()
    if (tooLong.aborted) throw tookTooLong(run.name, Math.round(mostMs / 60_000))
    if (told > mostLines) run.say(refusalText('console.installer-more', { lines: told - mostLines }))
    if (code !== 0) throw installerFailed(run.name, code)
  } finally {
    ending.removeEventListener('abort', end)
    run.runs(null)
  }
}

/** Arguments of Forge and NeoForge for Minecraft 1.17 and later. */
const ARGS_IN = [
  'libraries/net/neoforged/neoforge',
  'libraries/net/neoforged/forge',
  'libraries/net/minecraftforge/forge',
]
/** The server itself; the game's jar is next to it. */
const JARS = [
  /^quilt-server-launch\.jar$/,
  /^forge-[\w.+-]+\.jar$/,
  /^minecraftforge-universal-[\w.+-]+\.jar$/,
]
/** Not used: start scripts pick their own Java. */
const SCRIPTS = /^(?:run\.(?:sh|bat)|.*\.log|.*-installer\.jar)$/i

/** Null if it left nothing known. Rejects with a sentence if there are too many files. */
export async function leftByInstaller(folder: string): Promise<{ jar: string } | { args: string[] } | null> {
  const names = await readdir(folder)
  for (const name of names) if (SCRIPTS.test(name)) await removeTree(path.join(folder, name))
  await requireBounded(folder)
  const file = process.platform === 'win32' ? 'win_args.txt' : 'unix_args.txt'
  for (const below of ARGS_IN) {
    for (const version of await readdir(path.join(folder, below)).catch(() => [])) {
      const args = `${below}/${version}/${file}`
      if (await isFile(path.join(folder, args)))
        return { args: [...(names.includes(USER_ARGS) ? [USER_ARGS] : []), args] }
    }
  }
  const jar = JARS.flatMap((form) => names.filter((name) => form.test(name) && !SCRIPTS.test(name)))[0]
  return jar === undefined ? null : { jar }
}

export async function requireBounded(folder: string): Promise<void> {
  let [files, bytes] = [0, 0]
  using top = openRoot(folder)
  for await (const step of walkTree(top)) {
    if (step.kind === 'out') continue
    for (const { name, kind } of step.entries) {
      const at = step.folder.at(name)
      // Real installers create no links, and nothing here follows them.
      if (kind !== 'file' && kind !== 'folder') await unlink(at)
      if (kind === 'file') bytes += (await lstat(at)).size
      if (++files > MOST_FILES || bytes > MOST_BYTES) throw leftTooMuch()
    }
  }
}

const isFile = async (at: string): Promise<boolean> => (await stat(at).catch(() => null))?.isFile() ?? false

const notStarted = (name: string, why: string) =>
  refusal(500, 'software.installer-not-started', { name, why })

const tookTooLong = (name: string, minutes: number) =>
  refusal(504, 'software.installer-slow', { name, minutes })

const installerFailed = (name: string, code: number | null) =>
  code === null
    ? refusal(502, 'software.installer-failed.no-code', { name })
    : refusal(502, 'software.installer-failed', { name, code: String(code) })

const leftTooMuch = () => refusal(502, 'software.installer-left-too-much')

export const leftNothing = (name: string) => refusal(502, 'software.installer-left-nothing', { name })
