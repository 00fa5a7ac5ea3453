import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { writeDataFile } from '../../../host/data-file.ts'
import type { AgingClock } from '../../base/clock.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import type { ServerFolders } from '../../files/server-folders.ts'
import { type ServerRow, USUAL_RUN } from '../../store/servers.ts'

const DraftRecord = z.object({
  ownerId: z.string(),
  /** In ms since 1970, and in observed uptime. */
  begunAt: z.number(),
  begunSeen: z.number(),
  /** Last use in observed uptime; saved hourly. */
  usedSeen: z.number().optional(),
})

export type Draft = z.output<typeof DraftRecord> & { id: string; usedSeen: number }

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const FILE = 'import.json'
const NOTED_MS = 60 * 60 * 1000
const PARTS = { files: 'files', staging: 'staging', trash: 'trash' } as const

/**
 * Each draft has its own folder; `imports/ID/files` contains the upload. Without its state file it is being deleted.
 * On the disk of the servers, so that the folder becomes a server in one step.
 */
export class ImportDrafts {
  readonly #folder: string
  readonly #clock: AgingClock
  readonly #drafts = new Map<string, Draft>()
  readonly #noted = new Map<string, number>()

  /** @param folder `imports` in the data folder */
  constructor(folder: string, clock: AgingClock) {
    this.#folder = folder
    this.#clock = clock
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const id of readdirSync(folder).filter((name) => ID.test(name))) {
      const draft = this.#read(id)
      if (draft) this.#drafts.set(id, draft)
      else void this.#clear(id).catch(() => undefined)
    }
  }

  get ids(): string[] {
    return [...this.#drafts.keys()]
  }

  of(ownerId: string): Draft[] {
    const own = this.all().filter((one) => one.ownerId === ownerId)
    return own.sort((a, b) => a.usedSeen - b.usedSeen || a.begunAt - b.begunAt)
  }

  all(): Draft[] {
    return [...this.#drafts.values()]
  }

  byId(id: string): Draft | null {
    return this.#drafts.get(id) ?? null
  }

  async begin(ownerId: string): Promise<Draft> {
    const seen = this.#clock.seen()
    const draft = { id: randomUUID(), ownerId, begunAt: this.#clock.now(), begunSeen: seen, usedSeen: seen }
    await mkdir(path.join(this.#folder, draft.id, PARTS.files), { recursive: true, mode: 0o700 })
    this.#write(draft)
    this.#drafts.set(draft.id, draft)
    return draft
  }

  use(id: string): void {
    const draft = this.#drafts.get(id)
    if (!draft) return
    draft.usedSeen = this.#clock.seen()
    if (draft.usedSeen - (this.#noted.get(id) ?? draft.begunSeen) < NOTED_MS) return
    try {
      this.#write(draft)
    } catch {
      // Not worth failing on a full disk: the draft only seems older after a restart.
    }
  }

  /** Rejects if the files cannot be deleted. */
  async end(id: string): Promise<void> {
    this.#drafts.delete(id)
    this.#noted.delete(id)
    rmSync(path.join(this.#folder, id, FILE), { force: true })
    await this.#clear(id)
  }

  beside(folders: ServerFolders): Pick<ServerFolders, 'of' | 'stagingOf' | 'trashOf'> {
    const at = (id: string, part: keyof typeof PARTS) =>
      this.#drafts.has(id) ? path.join(this.#folder, id, PARTS[part]) : null
    return {
      of: (id) => at(id, 'files') ?? folders.of(id),
      stagingOf: (id) => at(id, 'staging') ?? folders.stagingOf(id),
      trashOf: (id) => at(id, 'trash') ?? folders.trashOf(id),
    }
  }

  /** As a server that the owner uploads to. Counts as a use; null if there is no such draft. */
  asServer(id: string): ServerRow | null {
    this.use(id)
    const draft = this.#drafts.get(id)
    if (!draft) return null
    return {
      ...{ ...USUAL_RUN, container: null },
      ...{ seq: 0, id, ownerId: draft.ownerId, name: 'The server that is being moved in' },
      ...{ softwareId: '', softwareVersion: '', memoryMb: 0, port: 0, revision: 0, createdAt: draft.begunAt },
      ...{ openTo: null, licenseAcceptedBy: null, licenseAcceptedAt: null, ran: false },
    }
  }

  #write({ id, ...kept }: Draft): void {
    // Before writing, so that a full disk is not retried with each request.
    this.#noted.set(id, kept.usedSeen)
    writeDataFile(path.join(this.#folder, id, FILE), JSON.stringify(kept))
  }

  #read(id: string): Draft | null {
    try {
      const kept = DraftRecord.parse(JSON.parse(readFileSync(path.join(this.#folder, id, FILE), 'utf8')))
      const usedSeen = kept.usedSeen ?? kept.begunSeen
      this.#noted.set(id, usedSeen)
      return { id, ...kept, usedSeen }
    } catch {
      return null
    }
  }

  #clear(id: string): Promise<void> {
    return removeTree(path.join(this.#folder, id))
  }
}
