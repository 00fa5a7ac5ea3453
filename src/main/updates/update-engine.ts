import type { Update, UpdateChannel } from '../../contract/bridge/update-values.ts'

/** How far a download is: bytes, and bytes per second. */
export interface Received {
  received: number
  rate: number
}

/** What finds, fetches and installs a newer version on this computer. */
export interface UpdateEngine {
  /** `quietly`: without anybody being asked. `with-password`: the system asks for an administrator's password. */
  readonly installs: 'quietly' | 'with-password'
  /** The newest version of a channel, where it is newer than this one and meant for this computer; else null. */
  check(channel: UpdateChannel): Promise<Update | null>
  /** Fetches what was found, and checks it. Rejects with the signal's reason where it is aborted. */
  download(tell: (now: Received) => void, signal: AbortSignal): Promise<void>
  /**
   * Puts what was fetched in place of this version, once nothing of it is needed any longer. Throws where that did not
   * work; then this version is still there, whole.
   * @param restart whether the new version is to be started then
   * @returns whether that is left to who ends this program
   */
  install(restart: boolean): boolean
}

/** What is to be done once the panel has closed. */
export type ExitPlan = 'nothing' | 'install' | 'install-and-restart'

/** Where the panel can be updated. */
export interface UpdatesHere {
  kind: 'here'
  /** Loaded when it is first needed: it is not among what a start waits for. */
  engine: () => Promise<UpdateEngine>
  /** Told of the plan whenever it changes, and of what is to be installed; it is carried out by who ends the program, see `carryOut`. */
  plan: (plan: ExitPlan, update: Update | null) => void
  /** Closes the panel: servers are stopped, what waits is saved, nobody is asked. */
  close: () => void
}

/** What the panel is given of updates. */
export type UpdatesPort = UpdatesHere | { kind: 'not-here'; why: 'browser' | 'not-installed' | 'no-feed' }
