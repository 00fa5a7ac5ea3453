import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { NotificationsTable } from '../../store/notifications.ts'

const CHECK_MS = 60_000
/** Shares of a server's quota: warn at the first, reset at the second. */
const FULL = 0.9
const ROOM = 0.8
/** Free bytes: warn below the first, reset above the second. */
const DISK_FULL = 1024 ** 3
const DISK_ROOM = 2 * 1024 ** 3

export interface HeldBytes {
  serverId: string
  used: number
  quota: number
}

interface DiskWatchOptions {
  store: { notifications: Pick<NotificationsTable, 'isNearlyFull' | 'setNearlyFull'> }
  folder: string
  servers: () => HeldBytes[]
  sources: {
    nearlyFull(serverId: string, used: number, quota: number): void
    diskNearlyFull(free: number): void
  }
  log: Logger
  freeOf?: (folder: string) => Promise<number>
}

/** Warns once per shortage, persisted, so neither restarts nor fluctuation repeat a warning. */
export class DiskWatch {
  readonly #options: DiskWatchOptions
  readonly #timer: NodeJS.Timeout

  constructor(options: DiskWatchOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.check(), CHECK_MS).unref()
  }

  /** Never rejects. */
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
