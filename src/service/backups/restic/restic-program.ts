import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { startedAtOnce } from '../../runtime/processes/process-table.ts'
import type { RunFiles } from '../../runtime/processes/survivors.ts'
import { isUntold, NOT_STARTED, type ResticEnd } from './restic-refusals.ts'

/** A repository, and what restic needs to work on it. */
export interface ResticPlace {
  executable: string
  repository: string
  /** Only its path is given to restic: neither arguments nor environment hold a secret. */
  passwordFile: string
  cache: string
  /** For restic's own temporary files. */
  temporary: string
  /** Of a repository that is not on this computer. */
  remote?: RemotePlace
  /** So that a later service finds what runs. */
  runs?: RunFiles | null
}

export interface RemotePlace {
  /** Keys and where to find them: for restic and what it starts, nobody else. */
  environment: Readonly<Record<string, string>>
  /** Before its command; without secrets. */
  options: readonly string[]
  /** Never repeated. */
  secrets: readonly string[]
  /** Where a program that restic starts says why it ended: restic itself may end before it has read that. */
  log?: string
}

export interface RunOptions {
  signal: AbortSignal
  /** Each line of its output; longer ones are left out. */
  line?: (line: string) => void
  /** The same of what it says beside it. */
  errorLine?: (line: Buffer) => void
  /** Another repository, to copy from. */
  from?: Pick<ResticPlace, 'repository' | 'passwordFile'>
}

export interface RunningRestic {
  /** Begin to read it at once: what nobody has begun to read when it ends is thrown away. */
  output: Readable
  /** Once nothing of it is left. Rejects with the signal's reason. */
  ended: Promise<ResticEnd>
  stop(): void
}

/** All that programs of this computer need to run at all; nothing else of the service's environment reaches restic. */
const INHERITED = ['PATH', 'Path', 'SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT']
/** It removes its lock, then ends. */
const PATIENCE_MS = 5000
const LINE_BYTES = 64 * 1024 * 1024
const LOGGED_CHARS = 10_000
const ERRORS_KEPT = 512 * 1024
const UNTOLD_MOST = 4

export function startRestic(
  place: ResticPlace,
  args: readonly string[],
  { signal, errorLine, from }: Omit<RunOptions, 'line'>,
): RunningRestic {
  signal.throwIfAborted()
  const child = spawn(place.executable, [...(place.remote?.options ?? []), ...args], {
    cwd: place.temporary,
    env: environmentFor(place, from),
    // Its own process group, to kill it as a whole.
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) {
    behindGames(child.pid)
    note(place, child.pid)
  }
  const stop = stopper(child)
  signal.addEventListener('abort', stop, { once: true })
  const said: Buffer[] = []
  let saidBytes = 0
  const lines = errorLine && linesInto(errorLine)
  child.stderr.on('data', (chunk: Buffer) => {
    said.push(chunk)
    saidBytes += chunk.length
    while (saidBytes > ERRORS_KEPT && said.length > 1) saidBytes -= said.shift()!.length
    lines?.push(chunk)
  })
  const ended = (async (): Promise<ResticEnd> => {
    try {
      const [code] = (await once(child, 'close')) as [number | null]
      lines?.end()
      signal.throwIfAborted()
      return {
        code: code ?? NOT_STARTED,
        errors: Buffer.concat(said).toString() + (await logged(place.remote)),
      }
    } catch (error) {
      signal.throwIfAborted()
      return { code: NOT_STARTED, errors: (error as Error).message }
    } finally {
      signal.removeEventListener('abort', stop)
      if (child.pid !== undefined) place.runs?.remove(String(child.pid))
    }
  })()
  // Whoever reads the output hears of it there first.
  ended.catch(() => undefined)
  return { output: child.stdout, ended, stop }
}

export async function runRestic(
  place: ResticPlace,
  args: readonly string[],
  options: RunOptions,
): Promise<ResticEnd> {
  let end = await runOnce(place, args, options)
  for (let again = 0; isUntold(end) && again < UNTOLD_MOST; again++) end = await runOnce(place, args, options)
  return end
}

async function runOnce(
  place: ResticPlace,
  args: readonly string[],
  { line, ...options }: RunOptions,
): Promise<ResticEnd> {
  const running = startRestic(place, args, options)
  const lines = linesInto((bytes) => line?.(bytes.toString()))
  running.output.on('data', (chunk: Buffer) => line && lines.push(chunk))
  const end = await running.ended
  lines.end()
  return end
}

/** What was logged since the last time. */
async function logged(remote: RemotePlace | undefined): Promise<string> {
  if (remote?.log === undefined) return ''
  const text = await readFile(remote.log, 'utf8').catch(() => '')
  await rm(remote.log, { force: true }).catch(() => undefined)
  return text.slice(-LOGGED_CHARS)
}

function environmentFor(
  { repository, passwordFile, cache, temporary, remote }: ResticPlace,
  from: RunOptions['from'],
): NodeJS.ProcessEnv {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(inherited),
    ...{ TMPDIR: temporary, TMP: temporary, TEMP: temporary },
    ...{ RESTIC_REPOSITORY: repository, RESTIC_PASSWORD_FILE: passwordFile, RESTIC_CACHE_DIR: cache },
    ...(from && { RESTIC_FROM_REPOSITORY: from.repository, RESTIC_FROM_PASSWORD_FILE: from.passwordFile }),
    RESTIC_PROGRESS_FPS: '4',
    ...remote?.environment,
  }
}

function note({ runs }: ResticPlace, pid: number): void {
  try {
    runs?.write(String(pid), { pid, started: startedAtOnce(pid) })
  } catch {
    // Room is made on a full disk, too.
  }
}

function behindGames(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended, or this isn't allowed here.
  }
}

function stopper(child: ChildProcess): () => void {
  let isStopped = false
  return () => {
    if (isStopped || child.exitCode !== null || child.pid === undefined) return
    isStopped = true
    child.kill('SIGINT')
    const timer = setTimeout(() => killGroup(child), PATIENCE_MS)
    child.once('close', () => clearTimeout(timer))
  }
}

function killGroup(child: ChildProcess): void {
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

function linesInto(tell: (line: Buffer) => void) {
  let kept: Buffer[] = []
  let bytes = 0
  const add = (part: Buffer) => {
    bytes += part.length
    if (bytes <= LINE_BYTES) kept.push(part)
    else kept = []
  }
  const flush = () => {
    if (bytes > 0 && bytes <= LINE_BYTES) tell(Buffer.concat(kept))
    ;[kept, bytes] = [[], 0]
  }
  return {
    push(chunk: Buffer) {
      let start = 0
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, start)) {
        add(chunk.subarray(start, at))
        flush()
        start = at + 1
      }
      if (start < chunk.length) add(chunk.subarray(start))
    },
    end: flush,
  }
}
