import { type Problem, problemCodes } from '../../src/contract/bridge/problem.ts'
import type { Transfer } from '../../src/contract/bridge/transfer-values.ts'
import type { Chance } from './chance.ts'
import { Host, type HostOptions } from './host.ts'
import { Line } from './line.ts'
import { Panel } from './panel.ts'
import type { Stage } from './stage.ts'
import type { Findings } from './watch.ts'

/** One kind of fault while it is tried: what it works with, and what came of it. */
export class Case {
  readonly chance: Chance
  readonly long: boolean
  readonly stage: Stage
  /** Faults that struck. */
  tried = 0
  lost: string[] = []
  doubled: string[] = []
  half: string[] = []
  /** Whatever else is not as it should be, as sentences. */
  wrong: string[] = []
  /** Parts that cannot be tried on this machine, as sentences. */
  skipped: string[] = []
  /** Figures for people, as lines. */
  notes: string[] = []

  constructor(chance: Chance, long: boolean, stage: Stage) {
    this.chance = chance
    this.long = long
    this.stage = stage
  }

  get isWhole(): boolean {
    return [this.lost, this.doubled, this.half, this.wrong].every((list) => list.length === 0)
  }

  /** Takes in how a tree has arrived. */
  take({ lost, doubled, half, times }: Findings): void {
    this.lost.push(...lost)
    this.doubled.push(...doubled)
    this.half.push(...half)
    if (times.length > 0) this.wrong.push(`${times.length} files have another time, such as ${times[0]}.`)
  }

  /** Notes what is wrong where `holds` does not. */
  expect(holds: boolean, otherwise: string): void {
    if (!holds) this.wrong.push(otherwise)
  }

  /** Says a figure, and keeps it for the report. */
  note(line: string): void {
    this.notes.push(line)
    process.stdout.write(`  ${line}\n`)
  }

  /** Whether a transfer has come to its end with everything done. */
  expectDone(transfer: Transfer): void {
    this.expect(
      transfer.state === 'done' && transfer.filesFailed === 0 && transfer.filesDone === transfer.files,
      `The transfer ended as ${transfer.state}: ${transfer.filesDone} of ${transfer.files} files done, ` +
        `${transfer.filesFailed} failed${transfer.problem ? ` (${transfer.problem.message})` : ''}.`,
    )
  }

  /** Whether a person was told of something, and understands all that was told. */
  expectTold(problems: readonly Problem[], codes: readonly Problem['code'][]): void {
    if (problems.length === 0) this.expectSaid(null, codes)
    for (const problem of problems) this.expectSaid(problem, codes)
  }

  /** Whether a person understands what a problem says, and it is one of those that were to be expected. */
  expectSaid(problem: Problem | null | undefined, codes: readonly Problem['code'][]): void {
    if (!problem) return this.expect(false, `Nothing was said; ${codes.join(' or ')} was to be expected.`)
    const { code, message } = problem
    this.expect(codes.includes(code), `It says “${message}” (${code}), not ${codes.join(' or ')}.`)
    this.expect(isSentence(problem), `“${message}” (${code}) is no sentence that a person understands.`)
  }
}

/** A panel, a service, and a line between them that can break. */
export interface Pair {
  host: Host
  line: Line
  panel: Panel
}

/** Starts both and signs in over the line. */
export async function startPair(
  stage: Stage,
  { panelData, ...options }: HostOptions & { panelData?: string } = {},
): Promise<Pair> {
  const host = await Host.start(stage, options)
  const line = await Line.open(host.host, () => host.port)
  stage.atEnd(() => line.close())
  const panel = await Panel.start(stage, panelData)
  await panel.signIn(line.port)
  return { host, line, panel }
}

/** Whole words with a full stop, and nothing that only a program says. */
export function isSentence({ code, message }: Problem): boolean {
  const known = (problemCodes as readonly string[]).includes(code)
  const program = /\n|\bE[A-Z]{4,}\b|\bat .+:\d+|undefined|\[object|Error:|UND_ERR|\.(?:js|ts):\d/
  return known && /^[\p{Lu}\p{N}“].{8,}[.!?]$/u.test(message) && !program.test(message)
}
