import type { Problem } from './problem.ts'
import { z } from 'zod'
import { call } from './call.ts'

/** `beta` includes stable releases. */
export const updateChannels = ['stable', 'beta'] as const
export type UpdateChannel = (typeof updateChannels)[number]

export interface Update {
  version: string
  /** Plain text; may be empty. */
  notes: string
  /** ISO 8601; null if unknown. */
  releasedAt: string | null
  /** Bytes; null if unknown. */
  size: number | null
}

export interface RunningWork {
  /** Unfinished transfers that can continue on their own. */
  transfers: number
  /** Local servers; null if their service doesn't answer, so some may be running. */
  servers: number | null
}

export type UpdateState =
  /** No self-updates: served to a browser, not installed, or without an update address. */
  | { kind: 'not-here'; why: 'browser' | 'not-installed' | 'no-feed' }
  | { kind: 'not-asked' }
  | { kind: 'checking' }
  | { kind: 'current' }
  | { kind: 'available'; update: Update }
  /** Bytes, and bytes per second; 0 before the first arrive. */
  | { kind: 'downloading'; update: Update; received: number; rate: number }
  /** `on-quit`: installed on exit. `asked`: takes an administrator's password. */
  | { kind: 'ready'; update: Update; installs: 'on-quit' | 'asked' }
  | { kind: 'installing'; update: Update }
  | { kind: 'failed'; during: 'check' | 'download'; problem: Problem; update: Update | null }

export interface Updates {
  version: string
  state: UpdateState
  channel: UpdateChannel
  /** Checks and downloads automatically. */
  automatic: boolean
  /** When the update server last answered (ISO 8601). */
  checkedAt: string | null
}

export type InstallAnswer =
  | { kind: 'installing' }
  /** Nothing was done: interrupting this needs consent. */
  | { kind: 'would-stop'; running: RunningWork }

export const updateCalls = {
  'updates.read': call<Updates>().of(z.undefined()),
  'updates.check': call<Updates>().of(z.undefined()),
  'updates.download': call<Updates>().of(z.undefined()),
  'updates.cancel-download': call<Updates>().of(z.undefined()),
  'updates.change': call<Updates>().of(
    z.object({ channel: z.enum(updateChannels).optional(), automatic: z.boolean().optional() }),
  ),
  /** Closes the panel, installs and reopens it. Without `stop`, answers running work instead of interrupting it. */
  'updates.install': call<InstallAnswer>().of(z.object({ stop: z.boolean() })),
}
