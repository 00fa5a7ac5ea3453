// @ts-check
// Where things are, and how a program is run so that it ends when we do. Runs under Node 20: a bare shell may start us.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The project's folder. */
export const root = path.resolve(import.meta.dirname, '../..')

/** @param {string[]} parts @returns {string} an absolute path in the project */
export const at = (...parts) => path.join(root, ...parts)

/** What a person has to read, without a stack. Thrown by scripts, printed by {@link main}. */
export class Plain extends Error {}

const bundledNode = at('node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')

/**
 * The Node 24 that everything but these scripts runs with.
 * @returns {string} path of an executable
 */
export function node24() {
  if (existsSync(bundledNode)) return bundledNode
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new Plain(
    `Wheelhouse needs Node 24, which comes with its dependencies; this is Node ${process.versions.node}. Run \`npm ci\` first (with install scripts on).`,
  )
}

/**
 * The environment of programs we start: ours, with Node 24 and the project's tools found first.
 * @returns {NodeJS.ProcessEnv}
 */
export function environment() {
  const before = [path.dirname(node24()), at('node_modules/.bin')]
  return { ...process.env, PATH: [...before, process.env.PATH ?? ''].join(path.delimiter) }
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
/** @type {NodeJS.Signals[]} */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP']
let listening = false
let lastSignal = 0
/** The first signal that was passed on: nothing new is started behind it. @type {NodeJS.Signals | null} */
let stoppedBy = null

/** @param {NodeJS.Signals} signal */
function pass(signal) {
  const now = Date.now()
  if (now - lastSignal < 500) return
  lastSignal = now
  stoppedBy ??= signal
  for (const child of running) child.kill(signal)
  if (running.size === 0) process.exit(128 + signalNumber(signal))
}

/**
 * Passes signals on to whatever runs. A terminal's Ctrl-C comes twice, from the terminal and from npm: it counts once.
 * A signal sent to npm alone never comes: npm hands it to its shell, which dies of it and leaves us behind; and npm
 * itself may be killed, which leaves its shell. So when one of them is gone, whatever runs is ended too.
 */
function passSignalsOn() {
  if (listening) return
  listening = true
  for (const signal of passedOn) process.on(signal, () => pass(signal))
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return
  const starters = npmAndItsShell()
  const watch = setInterval(() => {
    if (npmAndItsShell() === starters) return
    clearInterval(watch)
    pass('SIGTERM')
  }, 200)
  watch.unref()
}

/** Ids of the shell that started us and of npm above it; of npm alone where its shell has become us. @returns {string} */
function npmAndItsShell() {
  const shell = process.ppid
  if (process.platform !== 'linux') return `${shell}`
  try {
    if (!/^(ba|da)?sh\0-c\0/.test(readFileSync(`/proc/${shell}/cmdline`, 'latin1'))) return `${shell}`
    const stat = readFileSync(`/proc/${shell}/stat`, 'latin1')
    return `${shell} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`
  } catch {
    // It ended in between.
    return ''
  }
}

/**
 * Runs a program with our input and output until it ends; signals that reach us are passed on to it.
 * @param {string} file
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, quiet?: boolean, timeout?: number, shell?: boolean }} [options] `quiet` collects the
 *   output instead of showing it; after `timeout` milliseconds the program is killed
 * @returns {Promise<{ code: number, output: string }>} code as a shell gives it: 128 + n for a signal
 */
export function run(file, args, { env = environment(), cwd = root, quiet = false, timeout, shell } = {}) {
  passSignalsOn()
  if (stoppedBy) process.exit(128 + signalNumber(stoppedBy))
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd,
      env: quiet && !process.stdout.isTTY ? { ...env, NO_COLOR: '1', FORCE_COLOR: '0' } : env,
      timeout,
      shell,
      killSignal: timeout ? 'SIGKILL' : undefined,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      // A process group of its own, so that it hears of Ctrl-C from us alone, once.
      detached: process.platform !== 'win32' && !quiet,
    })
    let output = ''
    child.stdout?.on('data', (piece) => (output += piece))
    child.stderr?.on('data', (piece) => (output += piece))
    running.add(child)
    child.on('error', (error) => {
      running.delete(child)
      reject(error)
    })
    child.on('close', (code, signal) => {
      running.delete(child)
      resolve({ code: code ?? 128 + (signal ? signalNumber(signal) : 1), output })
    })
  })
}

/** @param {NodeJS.Signals} signal @returns {number} */
function signalNumber(signal) {
  return { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[/** @type {'SIGHUP'} */ (signal)] ?? 1
}

/** Flags of Node for our programs: node:sqlite still calls itself experimental at every start. */
export const nodeFlags = ['--disable-warning=ExperimentalWarning']

/**
 * How Node is to run the panel and the service. What passes through both is short-lived: a small space for new objects is
 * cleared often, so that neither garbage nor the bytes it holds pile up, which cost memory and collections of the whole.
 * What has outlived that space is looked through when it has grown by 60 %: by itself V8 waits until it is four times as
 * much, which held 155 MB more during a flood where this holds 60, for the same processor time.
 * The one WebAssembly is undici's parser of answers: optimized, it takes 10 MB for good and saves no time that counts.
 */
export const programFlags = [
  ...nodeFlags,
  '--max-semi-space-size=1',
  '--heap-growing-percent=60',
  '--liftoff-only',
]

/**
 * Variables of the panel and the service. Memory that C's allocator has got once it gives back to the system only from
 * the end of an arena: each thread has one, and the end that may stay free grows with what was freed, up to 64 MiB. Here
 * threads share, and it stays at its beginning. Other allocators do not read this.
 */
export const programVariables = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }

/**
 * The environment of the panel and the service; what somebody has set goes first. What was compiled of them is kept beside
 * the packages, which whoever may write there can change as well.
 * @returns {NodeJS.ProcessEnv}
 */
export function programEnvironment() {
  return {
    ...programVariables,
    NODE_COMPILE_CACHE: at('node_modules/.cache/wheelhouse-programs'),
    ...environment(),
  }
}

/**
 * Runs a program of the project with Node 24.
 * @param {string} script path in the project
 * @param {string[]} args
 * @param {Parameters<typeof run>[2] & { flags?: string[] }} [options] `flags` are Node's own
 */
export function runNode(script, args, { flags = nodeFlags, ...options } = {}) {
  return run(node24(), [...flags, at(script), ...args], options)
}

/**
 * The frame of a script: its answer becomes the exit code, what people should read is printed without a stack.
 * @param {() => Promise<number>} work
 */
export async function main(work) {
  try {
    process.exitCode = await work()
  } catch (error) {
    process.stderr.write(
      error instanceof Plain ? `${error.message}\n` : `${/** @type {Error} */ (error).stack}\n`,
    )
    process.exitCode = 1
  }
}

/** @param {string} line */
export const say = (line) => void process.stdout.write(`${line}\n`)

/** @param {number} since milliseconds as of performance.now() @returns {string} such as `3.2 s` */
export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`
