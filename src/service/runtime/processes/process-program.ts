import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Readable } from 'node:stream'
import { constants } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { Listeners } from '../../base/change.ts'
import type { ProcessExit, RunningProgram, StopLimits, LineConsumer, Usage } from './driver.ts'
import { LineSplitter } from './line-splitter.ts'
import { askToEnd, endTree, livingTree, measuredTree, treeGone } from './process-tree.ts'
import type { Leader } from './process-tree.ts'
import type { ProcessRow } from './process-table.ts'
import { refusalText } from '../../../contract/messages/refusals/index.ts'
import type { Say } from '../../software/software.ts'

/** Buffered input in bytes, if the program doesn't read it. */
const INPUT_MAX = 256 * 1024
/** How long to wait for output after the last process is gone, in ms: strays may keep the pipe open. */
const OUTPUT_MS = 1_000

export class ProcessProgram implements RunningProgram {
  readonly pid: number
  readonly startedAt = performance.now()
  readonly #child: ChildProcessWithoutNullStreams
  readonly #leader: Leader
  readonly #exits = new Listeners<ProcessExit>()
  #ending: ProcessExit | null = null
  #stopping = false
  #killing: Promise<void> | null = null
  /** Aborts a waiting stop on KILL. */
  readonly #hurry = new AbortController()
  readonly #exited: Promise<void>
  #termMs = 10_000
  #told: Say = () => undefined
  #tree: ProcessRow[] = []
  #cpu: { at: number; ms: Map<number, number> } | null = null

  constructor(child: ChildProcessWithoutNullStreams, leader: Leader, take: LineConsumer) {
    this.#child = child
    this.pid = leader.pid
    this.#leader = leader
    const ended = new Promise<ProcessExit>((resolve) =>
      child.once('exit', (code, signal) => resolve(toEnding(code, signal))),
    )
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    this.#exited = ended.then(() => undefined)
    readLines(child.stdout, 'output', take)
    readLines(child.stderr, 'error', take)
    // Programs may close their input; `write` reports it.
    child.stdin.on('error', () => undefined)
    child.on('error', () => undefined)
    void this.#finish(ended, closed)
  }

  write(command: string): boolean {
    const { stdin } = this.#child
    if (!stdin.writable || stdin.writableLength > INPUT_MAX) return false
    stdin.write(command + '\n')
    return true
  }

  stop(command: string | null, limits: StopLimits, told: Say): void {
    this.#termMs = limits.termMs
    this.#told = told
    if (!this.#stopping) {
      this.#stopping = true
      void this.#stopInSteps(command, limits, told)
    } else if (!this.#killing) {
      askToEnd(this.pid)
      void this.#exitedWithin(limits.termMs).then((exited) => exited || this.kill())
    }
  }

  kill(): void {
    this.#stopping = true
    this.#hurry.abort()
    const living = () => livingTree(this.#leader).catch(() => [])
    this.#killing ??= living().then((tree) => endTree(this.#leader, [...this.#tree, ...tree]))
  }

  onExit(listener: (ending: ProcessExit) => void): () => void {
    if (this.#ending) {
      const ending = this.#ending
      queueMicrotask(() => listener(ending))
      return () => undefined
    }
    return this.#exits.on(listener)
  }

  async usage(): Promise<Usage | null> {
    const tree = await measuredTree(this.#leader)
    if (tree.length === 0) return null
    this.#tree = tree
    const at = performance.now()
    const before = this.#cpu
    this.#cpu = { at, ms: new Map(tree.map((row) => [row.pid, row.cpuMs])) }
    // A new process used all of its time since the last sample.
    const used = before ? tree.reduce((sum, row) => sum + row.cpuMs - (before.ms.get(row.pid) ?? 0), 0) : 0
    const cpuPercent = before && at > before.at ? Math.max(0, (used / (at - before.at)) * 100) : 0
    return { cpuPercent, memoryBytes: tree.reduce((sum, row) => sum + row.bytes, 0) }
  }

  async #stopInSteps(command: string | null, limits: StopLimits, told: Say): Promise<void> {
    if (command !== null && this.write(command) && (await this.#exitedWithin(limits.commandMs))) return
    if (this.#hurry.signal.aborted) return
    if (process.platform !== 'win32') {
      if (command !== null) told(refusalText('console.asked-to-end', { count: limits.commandMs / 1000 }))
      askToEnd(this.pid)
      if ((await this.#exitedWithin(limits.termMs)) || this.#hurry.signal.aborted) return
    }
    told(refusalText('console.made-to-end', { count: limits.termMs / 1000 }))
    this.kill()
  }

  /** False immediately on KILL. */
  #exitedWithin(limitMs: number): Promise<boolean> {
    const limit = AbortSignal.any([this.#hurry.signal, AbortSignal.timeout(Math.max(1, limitMs))])
    const over = new Promise<false>((resolve) => limit.addEventListener('abort', () => resolve(false)))
    return Promise.race([this.#exited.then(() => true), over])
  }

  async #finish(ended: Promise<ProcessExit>, closed: Promise<void>): Promise<void> {
    const ending = await ended
    // Children that outlive the parent may still have the world open.
    if (!this.#killing && !(await treeGone(this.#leader, 0))) {
      this.#told(refusalText('console.children'))
      askToEnd(this.pid)
      if (!(await treeGone(this.#leader, this.#termMs, this.#hurry.signal))) this.kill()
    }
    while (!(await treeGone(this.#leader, 1_000))) continue
    await this.#killing
    await Promise.race([closed, wait(OUTPUT_MS, undefined, { ref: false })])
    this.#child.stdout.destroy()
    this.#child.stderr.destroy()
    this.#ending = ending
    this.#exits.tell(ending)
  }
}

function toEnding(code: number | null, signal: NodeJS.Signals | null): ProcessExit {
  return { exitCode: code ?? 128 + (signal ? constants.signals[signal] : 0), signal }
}

function readLines(stream: Readable, from: 'output' | 'error', take: LineConsumer): void {
  const splitter = new LineSplitter()
  const give = (lines: string[]) => (lines.length > 0 ? take(lines, from) : undefined)
  stream.on('data', (chunk: Buffer) => {
    const patience = give(splitter.push(chunk))
    if (!patience) return
    stream.pause()
    void patience.then(() => stream.resume())
  })
  stream.on('close', () => void give(splitter.flush()))
  stream.on('error', () => undefined)
}
