import type { InstallPorts } from '../software/software.ts'
import { failedWork, type FailedWorkIn, ToldInFull, type WorkKind } from './failed-work.ts'
import type { RuntimeStatusIn } from './types.ts'

/** Progress is told so often at most, in milliseconds: each time all readers of the status are written to. */
const TELL_MS = 250

/** An error as the console says it. */
export const said = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What the console says of work on a server: sentences. */
export interface WorkWords {
  /** What it is, for what is told where it fails. */
  kind: WorkKind
  begins: string
  done: string
  canceled: string
  /** What comes before why. */
  failed: string
}

export const installWords = (what: string): WorkWords => ({
  kind: 'install',
  begins: `Installing ${what}.`,
  done: `${what} is installed.`,
  canceled: 'The installation was canceled.',
  failed: `${what} could not be installed.`,
})

/** What is done with a server that is down. Rejects with a sentence; then everything is as it was before, or with `ToldInFull`. */
export type Work = (ports: InstallPorts) => Promise<void>

/** One installation of a server's software that is under way, or other work that takes its time. */
export class InstallRun {
  readonly #control = new AbortController()
  readonly #changed: () => void
  #progress: RuntimeStatusIn['installation'] = null
  #toldAt = 0
  #failure: FailedWorkIn | null = null

  /** `changed`: it has got further. */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** How far it is. */
  get progress(): RuntimeStatusIn['installation'] {
    return { cancelable: true, ...this.#progress }
  }

  /** Why it failed; null while it has not, and where somebody wanted it canceled. */
  get failure(): FailedWorkIn | null {
    return this.#failure
  }

  cancel(): void {
    this.#control.abort()
  }

  /** Says in the console how it goes, and answers whether it is done and nobody wanted it canceled. */
  async take(words: WorkWords, work: Work, say: InstallPorts['say']): Promise<boolean> {
    const { signal } = this.#control
    say(words.begins)
    try {
      await work({ signal, say, progress: (...far) => this.#tell(...far) })
      say(signal.aborted ? `${words.done} It was too late to cancel that.` : words.done)
      return !signal.aborted
    } catch (error) {
      if (error instanceof ToldInFull) say(error.message)
      else say(signal.aborted ? words.canceled : `${words.failed} ${said(error)}`)
      if (!signal.aborted || error instanceof ToldInFull)
        this.#failure = failedWork(words.kind, error, this.#progress?.step)
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
