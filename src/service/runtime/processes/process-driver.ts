import { spawn } from 'node:child_process'
import { diskFullRefusal } from '../../base/computer-limits.ts'
import { findProcess, startedAtOnce } from './process-table.ts'
import type { Driver, ProgramSpec, RunningProgram, LineConsumer, Survivor } from '../programs/driver.ts'
import { ProcessProgram } from './process-program.ts'
import { endTree } from './process-tree.ts'
import { programEnvironment } from './program-environment.ts'
import type { ServerSpec } from '../types.ts'
import { RunFiles, stopSurvivor } from './survivors.ts'
import { withoutNetwork } from './without-network.ts'

export class ProcessDriver implements Driver {
  readonly survivors: Map<string, Survivor>
  readonly #runFiles: RunFiles

  private constructor(runFiles: RunFiles) {
    this.#runFiles = runFiles
    this.survivors = new Map()
  }

  /** Starts stopping survivors of an earlier service. */
  static async create(dataDir: string, termMs: number): Promise<ProcessDriver> {
    const driver = new ProcessDriver(new RunFiles(dataDir))
    for (const [serverId, leader] of await driver.#runFiles.survivors()) {
      const gone = stopSurvivor(leader, termMs).finally(() => {
        driver.#runFiles.remove(serverId)
        driver.survivors.delete(serverId)
      })
      driver.survivors.set(serverId, { kind: 'ending', gone })
    }
    return driver
  }

  within<T>(spec: T): T {
    return spec
  }

  cutOff(program: ProgramSpec): Promise<ProgramSpec | null> {
    return withoutNetwork(program)
  }

  async start(
    { id: serverId }: Pick<ServerSpec, 'id'>,
    spec: ProgramSpec,
    take: LineConsumer,
  ): Promise<RunningProgram> {
    const { variables } = await programEnvironment()
    const child = spawn(spec.file, spec.args, {
      cwd: spec.cwd,
      env: { ...variables, ...spec.env },
      // Its own process group: protected from terminal signals, and killable as a whole.
      detached: process.platform !== 'win32',
      windowsHide: true,
      shell: false,
      stdio: 'pipe',
    })
    if (child.pid === undefined) {
      const error = await new Promise<Error>((resolve) => child.once('error', resolve))
      throw new Error(`The program ${spec.file} cannot be started: ${error.message}.`)
    }
    const { pid } = child
    const leader = { pid, started: startedAtOnce(pid) }
    try {
      this.#runFiles.write(serverId, leader)
    } catch (error) {
      // Without a record, a later service couldn't find and stop it.
      await endTree(leader)
      throw diskFullRefusal(error) ?? error
    }
    const program = new ProcessProgram(child, leader, take)
    let running = true
    program.onExit(() => {
      running = false
      this.#runFiles.remove(serverId)
    })
    if (startedAtOnce(pid) !== null) return program
    // Continue without: the process list may be unavailable, and only a later service needs it.
    const row = await findProcess(pid).catch(() => null)
    try {
      if (row && running) this.#runFiles.write(serverId, { pid, started: row.started })
    } catch (error) {
      await endTree(leader)
      throw diskFullRefusal(error) ?? error
    }
    return program
  }
}
