import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Readable } from 'node:stream'
import { constants } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { Listeners } from '../../base/change.ts'
import type { ProcessExit, RunningProgram, StopLimits, LineConsumer, Usage } from '../programs/driver.ts'
import { StopSteps } from '../programs/stop-steps.ts'
import { LineSplitter } from '../programs/line-splitter.ts'
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
  readonly startedAt = performance.now()
  readonly #child: ChildProcessWithoutNullStreams
  readonly #leader: Leader
  readonly #exits = new Listeners<ProcessExit>()
  #ending: ProcessExit | null = null
  #killing: Promise<void> | null = null
  readonly #steps: StopSteps
  #termMs = 10_000
  #told: Say = () => undefined
  #tree: ProcessRow[] = []
  #cpu: { at: number; ms: Map<number, number> } | null = null

  constructor(child: ChildProcessWithoutNullStreams, leader: Leader, take: LineConsumer) {
    this.#child = child
    this.#leader = leader
    const ended = new Promise<ProcessExit>((resolve) =>
      child.once('exit', (code, signal) => resolve(toEnding(code, signal))),
    )
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    this.#steps = new StopSteps({
      write: (command) => this.write(command),
      askToEnd: process.platform === 'win32' ? null : () => askToEnd(leader.pid),
      kill: () => this.kill(),
      exited: ended,
    })
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
    this.#steps.stop(command, limits, told)
  }

  kill(): void {
    this.#steps.kill()
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

  async #finish(ended: Promise<ProcessExit>, closed: Promise<void>): Promise<void> {
    const ending = await ended
    // Children that outlive the parent may still have the world open.
    if (!this.#killing && !(await treeGone(this.#leader, 0))) {
      this.#told(refusalText('console.children'))
      askToEnd(this.#leader.pid)
      if (!(await treeGone(this.#leader, this.#termMs, this.#steps.hurry))) this.kill()
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
