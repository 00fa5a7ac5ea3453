import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { temporary } from '../../../host/temporary.fixture.ts'
import type {
  LastOutput,
  LineConsumer,
  ProcessExit,
  ProgramSpec,
  RunningProgram,
} from '../programs/driver.ts'
import type { ServerSpec } from '../types.ts'

let number = 0

/** A server whose program is a script for Node, in a folder of its own. */
export function serverOf(
  script: string,
  more: Partial<ServerSpec> = {},
): { spec: ServerSpec; program: ProgramSpec } {
  const folder = path.join(temporary(), 'server')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'run.mjs'), script)
  const id = `server-${++number}`
  return {
    spec: {
      ...{ id, name: 'One', folder, software: { id: 'demo', version: '1' }, memoryMb: 256 },
      ...{ port: 20_000 + number, host: '127.0.0.1', ...more },
    },
    program: { file: process.execPath, args: ['run.mjs'], cwd: folder, env: {}, reads: [process.execPath] },
  }
}

/** What a program has printed since it was listened to. */
export class OutputProbe {
  readonly lines: string[] = []
  readonly #waiting: [text: string, found: (line: string) => void][] = []
  last: LastOutput | null = null

  readonly take: LineConsumer = (lines, _from, of = {}) => {
    if (of.isKept) return
    this.last = { at: of.at!, count: (this.last?.at === of.at ? this.last!.count : 0) + lines.length }
    this.lines.push(...lines)
    for (const [text, found] of this.#waiting) lines.filter((line) => line.includes(text)).forEach(found)
  }

  until(text: string): Promise<string> {
    const there = this.lines.find((line) => line.includes(text))
    if (there !== undefined) return Promise.resolve(there)
    return new Promise((resolve) => this.#waiting.push([text, resolve]))
  }
}

export const ended = (program: RunningProgram) =>
  new Promise<ProcessExit>((resolve) => program.onExit(resolve))

export const nobody = () => undefined
