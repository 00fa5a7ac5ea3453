import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import pino from 'pino'
import { ContainerDriver } from '../../src/service/runtime/containers/container-driver.ts'
import type { EngineSettings } from '../../src/service/runtime/containers/engine.ts'
import type { RunningProgram } from '../../src/service/runtime/programs/driver.ts'
import { LineSplitter } from '../../src/service/runtime/programs/line-splitter.ts'
import { DOCKER, DockerEngine } from '../fixtures/docker-engine.ts'
import { benchIdleEngines } from './idle-engines.ts'
import { benchOnNodes } from './on-nodes.ts'
import { inTurns, ratioOf } from './pairs.ts'
import type { Outcome } from './table.ts'

const LINES = 100_000
const FLOOD = `
console.log('ready')
process.stdin.setEncoding('utf8').on('data', (text) => {
  if (text.includes('go')) for (let at = 0; at < ${LINES}; at++) console.log('[12:00:00 INFO]: Line', at, 'of a flood')
  if (text.includes('go')) console.log('over')
  if (text.includes('stop')) process.exit(0)
})`

/** What the driver of containers costs beside docker's own commands. */
export async function benchEngines(): Promise<Outcome> {
  const bench = await EngineBench.open()
  try {
    const start = await inTurns(
      'start to ready',
      { docker: () => bench.byDocker('ready'), ours: () => bench.byDriver('ready') },
      ['docker'],
    )
    const flood = await inTurns(
      '100,000 lines',
      { docker: () => bench.byDocker('flood'), ours: () => bench.byDriver('flood') },
      ['docker'],
    )
    return {
      bench: 'engines',
      lost: bench.lost,
      figures: [
        ratioOf(start, 'ours', 'docker', {
          name: 'start to ready ÷ docker run',
          target: 1.15,
          limitIs: 'docker run',
        }),
        ratioOf(flood, 'ours', 'docker', {
          name: '100,000 lines ÷ docker attach',
          target: 1.3,
          limitIs: 'docker attach',
        }),
        ...(await benchIdleEngines(bench.settings)),
        ...(await benchOnNodes()),
      ],
    }
  } finally {
    await bench.close()
  }
}

type Work = 'ready' | 'flood'

class EngineBench {
  lost = 0
  readonly #engine: DockerEngine
  readonly #driver: ContainerDriver
  readonly #folder: string
  readonly settings: EngineSettings
  #number = 0

  private constructor(engine: DockerEngine, driver: ContainerDriver, settings: EngineSettings) {
    this.#engine = engine
    this.#driver = driver
    this.settings = settings
    this.#folder = mkdtempSync(path.join(tmpdir(), 'bench-engine-'))
    writeFileSync(path.join(this.#folder, 'run.mjs'), FLOOD)
  }

  static async open(): Promise<EngineBench> {
    const engine = await DockerEngine.open()
    const image = await engine.image()
    const log = pino({ level: 'silent' })
    const settings = { address: engine.address, tls: null, image }
    const driver = await ContainerDriver.create(settings, { service: '/bench', servers: new Map(), log })
    return new EngineBench(engine, driver, settings)
  }

  async close(): Promise<void> {
    await this.#driver.close()
    await this.#engine.close()
  }

  /** ms. */
  async byDriver(work: Work): Promise<number> {
    const id = `bench-${++this.#number}`
    const lines = new LineWatch()
    const began = performance.now()
    const program: RunningProgram = await this.#driver.start(
      {
        ...{ id, name: 'Bench', folder: this.#folder, software: { id: 'demo', version: '1' } },
        ...{ memoryMb: 512, port: 23_000, host: '127.0.0.1' },
      },
      {
        ...{ file: process.execPath, args: ['run.mjs'], cwd: this.#folder, env: {} },
        reads: [process.execPath],
      },
      (more) => lines.take(more),
      () => undefined,
    )
    await lines.until('ready')
    const took =
      work === 'ready' ? performance.now() - began : await this.#flooded(lines, (text) => program.write(text))
    const ended = new Promise((resolve) => program.onExit(resolve))
    program.kill()
    await ended
    return took
  }

  /** ms. */
  async byDocker(work: Work): Promise<number> {
    const lines = new LineWatch()
    const splitter = new LineSplitter()
    const began = performance.now()
    const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
      DOCKER,
      [
        ...['-H', this.#engine.address, 'run', '--rm', '-i', '--init', '--read-only', '--tmpfs', '/tmp'],
        ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '-m', '589m', '--pids-limit', '512'],
        ...['--log-driver', 'local', '-w', this.#folder],
        ...['-p', '127.0.0.1:23000:23000', '-p', '127.0.0.1:23000:23000/udp'],
        ...['-v', `${this.#folder}:${this.#folder}`, '-v', `${process.execPath}:${process.execPath}:ro`],
        ...[this.settings.image, process.execPath, 'run.mjs'],
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    )
    child.stdout.on('data', (chunk: Buffer) => lines.take(splitter.push(chunk)))
    await lines.until('ready')
    const took =
      work === 'ready'
        ? performance.now() - began
        : await this.#flooded(lines, (text) => child.stdin.write(`${text}\n`))
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.stdin.end('stop\n')
    await ended
    return took
  }

  async #flooded(lines: LineWatch, write: (text: string) => boolean): Promise<number> {
    const began = performance.now()
    // Its input is attached right after its first line.
    while (!write('go')) await new Promise((resolve) => setImmediate(resolve))
    await lines.until('over')
    const took = performance.now() - began
    this.lost += LINES - (lines.count - 2)
    return took
  }
}

class LineWatch {
  count = 0
  readonly #seen = new Set<string>()
  #heard: () => void = () => undefined

  take(lines: readonly string[]): void {
    this.count += lines.length
    for (const line of lines) if (line === 'ready' || line === 'over') this.#seen.add(line)
    this.#heard()
  }

  async until(line: string): Promise<void> {
    while (!this.#seen.has(line)) await new Promise<void>((resolve) => (this.#heard = resolve))
  }
}
