import type { Problem } from './problem.ts'

/** Which releases the panel is updated to. `beta` gets what is released for everybody too. */
export const updateChannels = ['stable', 'beta'] as const
export type UpdateChannel = (typeof updateChannels)[number]

/** A newer version that was found. */
export interface Update {
  version: string
  /** What changed, as plain text; empty where the release says nothing. */
  notes: string
  /** When it was released (ISO 8601); null where the release does not say. */
  releasedAt: string | null
  /** Size of the download in bytes; null where the release does not say. */
  size: number | null
}

/** What would be broken off by restarting now. */
export interface RunningWork {
  /** Transfers that have not ended and go on by themselves. */
  transfers: number
  /** Servers of this computer; null where their service does not say, so that some may run. */
  servers: number | null
}

/** How the update of the panel stands. */
export type UpdateState =
  /** This panel is not updated by itself: it is served to a browser, was not installed, or names no place to ask at. */
  | { kind: 'not-here'; why: 'browser' | 'not-installed' | 'no-feed' }
  /** Nobody has asked yet in this run. */
  | { kind: 'not-asked' }
  | { kind: 'checking' }
  | { kind: 'current' }
  | { kind: 'available'; update: Update }
  /** Bytes, and bytes per second; 0 until the first have come. */
  | { kind: 'downloading'; update: Update; received: number; rate: number }
  /**
   * Downloaded and checked. `on-quit`: installed when the panel is closed; `asked`: only when a person says so, because it
   * takes an administrator's password; `when-idle`: as soon as nothing would be broken off.
   */
  | { kind: 'ready'; update: Update; installs: 'on-quit' | 'asked' | 'when-idle'; waitsFor: RunningWork }
  | { kind: 'installing'; update: Update }
  | { kind: 'failed'; during: 'check' | 'download' | 'install'; problem: Problem; update: Update | null }

/** The update that the panel was started with. */
export interface InstalledUpdate {
  version: string
  /** What changed, as plain text; empty where the release said nothing. */
  notes: string
}

/** The panel's updates, as the settings show them. */
export interface Updates {
  version: string
  state: UpdateState
  channel: UpdateChannel
  /** Newer versions are looked for and downloaded without being asked for. */
  automatic: boolean
  /** When the place of updates last answered (ISO 8601). */
  checkedAt: string | null
  /** What was installed right before this run; null where nothing was. */
  installed: InstalledUpdate | null
}

/** What came of wanting to install now. */
export type InstallAnswer =
  /** The panel is closing. */
  | { kind: 'installing' }
  /** Nothing was done: this runs, and has to be agreed to. */
  | { kind: 'would-stop'; running: RunningWork }
