import type { Update, UpdateChannel } from '../../contract/bridge/update-calls.ts'

export interface DownloadProgress {
  received: number
  rate: number
}

export interface UpdateEngine {
  /** `with-password`: the system asks for an administrator password. */
  readonly installs: 'quietly' | 'with-password'
  check(channel: UpdateChannel): Promise<Update | null>
  /** Downloads and verifies. Rejects with the signal's reason on abort. */
  download(tell: (now: DownloadProgress) => void, signal: AbortSignal): Promise<void>
  /** Throws on failure, leaving this version intact. Returns whether the caller must restart the program. */
  install(restart: boolean): boolean
}

export type ExitPlan = 'nothing' | 'install' | 'install-and-restart'

export interface UpdateSupport {
  kind: 'here'
  /** Loaded on demand, to keep start-up fast. */
  engine: () => Promise<UpdateEngine>
  /** Called when the plan changes; `carryOut` executes it on exit. */
  plan: (plan: ExitPlan) => void
  close: () => void
}

export type UpdatesPort = UpdateSupport | { kind: 'not-here'; why: 'browser' | 'not-installed' | 'no-feed' }
