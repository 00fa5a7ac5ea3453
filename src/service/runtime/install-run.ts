import type { InstallPorts, Software } from '../software/software.ts'
import { failedWork, type FailedWorkInput, PartialChangeError, type WorkKind } from './failed-work.ts'
import type { RuntimeStatusInput, ServerSpec } from './types.ts'
import { refusalText, type RefusalText } from '../../contract/messages/refusals/index.ts'
import { Refusal } from '../../host/refusal.ts'
import { StartFailure } from './crashes/start-failure.ts'

/** Minimum ms between progress updates: each goes to all readers. */
const TELL_MS = 250

/** In the words it has a translation for, else as it is. */
export function said(error: unknown): RefusalText {
  if (error instanceof PartialChangeError || error instanceof StartFailure) return error.told
  const words = error instanceof Error ? error.message : String(error)
  return error instanceof Refusal && error.told
    ? { message: words, ...error.told }
    : refusalText('console.verbatim', { words })
}

export interface WorkWords {
  kind: WorkKind
  begins: RefusalText
  done: RefusalText
  canceled: RefusalText
  failed: RefusalText
}

const installWords = (what: string): WorkWords => ({
  kind: 'install',
  begins: refusalText('console.installing', { what }),
  done: refusalText('console.installed', { what }),
  canceled: refusalText('console.install-canceled'),
  failed: refusalText('console.not-installed', { what }),
})

/** Rejects with a sentence, leaving everything unchanged, or with `PartialChangeError`. */
export type Work = (ports: InstallPorts) => Promise<void>

/** Null if nothing has to be installed. */
export function missingInstallation(
  software: Software | null,
  spec: ServerSpec,
): { words: WorkWords; work: Work } | null {
  const installation = software?.installation
  if (!installation || installation.isDone(spec)) return null
  const words = installWords(`${software.name} ${spec.software.version}`)
  return { words, work: (ports) => installation.run(spec, ports) }
}

export class InstallRun {
  readonly #control = new AbortController()
  readonly #changed: () => void
  #progress: RuntimeStatusInput['installation'] = null
  #toldAt = 0
  #failure: FailedWorkInput | null = null

  constructor(changed: () => void) {
    this.#changed = changed
  }

  get progress(): RuntimeStatusInput['installation'] {
    return { cancelable: true, ...this.#progress }
  }

  /** Null if it hasn't failed or was canceled. */
  get failure(): FailedWorkInput | null {
    return this.#failure
  }

  cancel(): void {
    this.#control.abort()
  }

  /** Reports to the console. Resolves to false if it failed or was canceled. */
  async take(words: WorkWords, work: Work, say: InstallPorts['say']): Promise<boolean> {
    const { signal } = this.#control
    say(words.begins)
    try {
      await work({ signal, say, progress: (...far) => this.#tell(...far) })
      say(words.done, ...(signal.aborted ? [refusalText('console.too-late')] : []))
      return !signal.aborted
    } catch (error) {
      if (error instanceof PartialChangeError) say(error.told)
      else if (signal.aborted) say(words.canceled)
      else say(words.failed, said(error))
      if (!signal.aborted || error instanceof PartialChangeError)
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
