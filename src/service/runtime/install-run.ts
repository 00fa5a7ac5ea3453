import type { Installation, InstallPorts } from '../software/software.ts'
import type { RuntimeStatusIn, ServerSpec } from './types.ts'

/** Progress is told so often at most, in milliseconds: each time all readers of the status are written to. */
const TELL_MS = 250

/** An error as the console says it. */
export const said = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** One installation of a server's software that is under way. */
export class InstallRun {
  readonly #control = new AbortController()
  readonly #changed: () => void
  #progress: RuntimeStatusIn['installation'] = null
  #toldAt = 0

  /** `changed`: it has got further. */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** How far it is; null before anything is known. */
  get progress(): RuntimeStatusIn['installation'] {
    return this.#progress
  }

  get isCanceled(): boolean {
    return this.#control.signal.aborted
  }

  cancel(): void {
    this.#control.abort()
  }

  /** Says in the console how it goes, and answers whether everything is there now. */
  async take(
    name: string,
    installation: Installation,
    spec: ServerSpec,
    say: InstallPorts['say'],
  ): Promise<boolean> {
    const what = `${name} ${spec.software.version}`
    const { signal } = this.#control
    say(`Installing ${what}.`)
    try {
      await installation.run(spec, { signal, say, progress: (...far) => this.#tell(...far) })
      signal.throwIfAborted()
      say(`${what} is installed.`)
      return true
    } catch (error) {
      say(
        this.isCanceled ? 'The installation was canceled.' : `${what} could not be installed. ${said(error)}`,
      )
      return false
    }
  }

  #tell: InstallPorts['progress'] = (step, done, total) => {
    const isNewStep = this.#progress?.step !== step
    this.#progress = { step, done, total }
    const now = performance.now()
    if (!isNewStep && done !== total && now - this.#toldAt < TELL_MS) return
    this.#toldAt = now
    this.#changed()
  }
}
