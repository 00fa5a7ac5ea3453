import { lchownSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Program, type User } from '../e2e/fixtures/program.ts'
import { warningsIn, warningsTo } from '../fixtures/warnings.ts'

/** Variables that would let a case see the machine it runs on. */
const NOT_PASSED_ON =
  /^(WHEELHOUSE_.*|NODE_OPTIONS|NODE_V8_COVERAGE|DISPLAY|WAYLAND_DISPLAY|XDG_DOWNLOAD_DIR)$/

/** Whether a folder is one that a run of tests has made for what passes. */
const isOfThisRun = (folder: string) => path.basename(folder).startsWith('wh-')

/** One case's folder and programs. All of it is gone when the case is over. */
export class Stage {
  readonly folder: string
  readonly #programs: Program[] = []
  #user: User | null = null
  readonly #ends: (() => Promise<unknown>)[] = []

  private constructor(folder: string) {
    this.folder = folder
  }

  static async open(): Promise<Stage> {
    const stage = new Stage(await mkdtemp(path.join(os.tmpdir(), 'wheelhouse-faults-')))
    await mkdir(stage.at('tmp'))
    return stage
  }

  at(...parts: string[]): string {
    return path.join(this.folder, ...parts)
  }

  /** From now on programs run as another user, who owns the case's folder. Only root can do this. */
  async runAs(user: User): Promise<void> {
    for (const folder of [this.folder, this.at('tmp')]) await chown(folder, user.uid, user.gid)
    // The run's own folders lie above it; that user has to get through them, and reads nothing there.
    for (let above = path.dirname(this.folder); isOfThisRun(above); above = path.dirname(above))
      await chmod(above, 0o711)
    this.#user = user
  }

  /** Gives a folder and all in it to who runs the programs. */
  own(folder: string): void {
    if (!this.#user) return
    const { uid, gid } = this.#user
    lchownSync(folder, uid, gid)
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      lchownSync(path.join(folder, name), uid, gid)
  }

  /** Starts a built program whose home and whose folder for what passes is the case's own. */
  start(name: string, args: readonly string[], input?: string, more: NodeJS.ProcessEnv = {}): Program {
    const passed = Object.entries(process.env).filter(([variable]) => !NOT_PASSED_ON.test(variable))
    const env = {
      ...Object.fromEntries(passed),
      HOME: this.folder,
      TMPDIR: this.at('tmp'),
      ...warningsTo(this.at('warnings')),
      ...more,
    }
    const program = Program.start(name, args, env, input, this.#user)
    this.#programs.push(program)
    return program
  }

  /** To be done when the case is over, the latest first. */
  atEnd(end: () => Promise<unknown>): void {
    this.#ends.unshift(end)
  }

  /** What the programs have said and logged, for a case that went wrong. */
  async said(): Promise<string> {
    const parts = this.#programs.map(({ name, output }) => `${name}\n${output}`)
    const names = await readdir(this.folder, { recursive: true }).catch(() => [])
    for (const name of names.filter((one) => /logs[\\/][^\\/]+\.log$/.test(one)))
      parts.push(`${name}\n${(await readFile(this.at(name), 'utf8')).slice(-20_000)}`)
    return parts.join('\n')
  }

  /** Warnings of its programs, and of all that they started. */
  warnings(): string[] {
    return warningsIn(this.at('warnings'))
  }

  async close(): Promise<void> {
    for (const program of this.#programs) await program.kill()
    for (const end of this.#ends) await end().catch(() => undefined)
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
