import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { NotificationsTable } from '../store/notifications.ts'

/** How often the disk is looked at, in ms. */
const CHECK_MS = 60_000
/** Of a server's quota: nearly full from the first share on, and until it is back at the second. */
const FULL = 0.9
const ROOM = 0.8
/** Of the disk: what is free when it is nearly full, and when there is room again, in bytes. */
const DISK_FULL = 1024 ** 3
const DISK_ROOM = 2 * 1024 ** 3

/** How much a running server holds, and may hold, in bytes. */
export interface HeldBytes {
  serverId: string
  used: number
  quota: number
}

export interface DiskWatchOptions {
  store: { notifications: Pick<NotificationsTable, 'isNearlyFull' | 'setNearlyFull'> }
  /** The folder whose disk counts. */
  folder: string
  /** What was last measured of servers that have a quota. */
  servers: () => HeldBytes[]
  sources: {
    nearlyFull(serverId: string, used: number, quota: number): void
    diskNearlyFull(free: number): void
  }
  log: Logger
  /** Free bytes of the disk of a folder. */
  freeOf?: (folder: string) => Promise<number>
}

/**
 * Tells once that room runs out, and again only after there was room: what was told is kept, so that a restart, or a figure
 * that goes up and down around the line, tells nothing twice.
 */
export class DiskWatch {
  readonly #options: DiskWatchOptions
  readonly #timer: NodeJS.Timeout

  constructor(options: DiskWatchOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.check(), CHECK_MS).unref()
  }

  /** Looks at the disk and at what servers hold. Never rejects. */
  async check(): Promise<void> {
    const { folder, servers, sources, log, freeOf = freeBytes } = this.#options
    try {
      const free = await freeOf(folder)
      this.#take(null, free < DISK_FULL, free >= DISK_ROOM, () => sources.diskNearlyFull(free))
      for (const { serverId, used, quota } of servers())
        this.#take(serverId, used >= quota * FULL, used <= quota * ROOM, () =>
          sources.nearlyFull(serverId, used, quota),
        )
    } catch (error) {
      log.warn({ err: error }, 'what is left of the disk could not be found out')
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #take(serverId: string | null, isFull: boolean, isRoom: boolean, tell: () => void): void {
    const { notifications } = this.#options.store
    const was = notifications.isNearlyFull(serverId)
    if (was && isRoom) notifications.setNearlyFull(serverId, false)
    if (was || !isFull) return
    notifications.setNearlyFull(serverId, true)
    tell()
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
