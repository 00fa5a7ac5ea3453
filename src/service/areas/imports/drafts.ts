import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { writeDataFile } from '../../../host/data-file.ts'
import type { AgeingClock } from '../../base/clock.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import type { ServerFolders } from '../../files/server-folders.ts'
import { type ServerRow, USUAL_RUN } from '../../store/servers.ts'

const Kept = z.object({
  ownerId: z.string(),
  /** When it was begun: ms since 1970, and of the time that was seen passing. */
  begunAt: z.number(),
  begunSeen: z.number(),
  /** When somebody last came to it, of the time that was seen passing: to the hour after a restart. */
  usedSeen: z.number().optional(),
})

/** A server that is being moved in, as it is kept over restarts. */
export type Draft = z.output<typeof Kept> & { id: string; usedSeen: number }

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const FILE = 'import.json'
/** How often it is noted that one is used, in milliseconds. */
const NOTED_MS = 60 * 60 * 1000
const PARTS = { files: 'files', staging: 'staging', trash: 'trash' } as const

/**
 * Servers that are being moved in, each in a folder of its own: `imports/ID/files` is what was sent. One without its small
 * file is being deleted. All of it lies on the disk of the servers, so that a server is made of it in one step.
 */
export class ImportDrafts {
  readonly #folder: string
  readonly #clock: AgeingClock
  readonly #drafts = new Map<string, Draft>()
  /** When it was last noted that one is used. */
  readonly #noted = new Map<string, number>()

  /** Reads those there are. @param folder `imports` in the data folder */
  constructor(folder: string, clock: AgeingClock) {
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

  /** Those of an account, first the one that nobody has come to for longest. */
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

  /** Somebody has come to it: it is kept for another day. */
  use(id: string): void {
    const draft = this.#drafts.get(id)
    if (!draft) return
    draft.usedSeen = this.#clock.seen()
    if (draft.usedSeen - (this.#noted.get(id) ?? draft.begunSeen) < NOTED_MS) return
    try {
      this.#write(draft)
    } catch {
      // On a full disk it is older after a restart: no reason to refuse what is asked of it.
    }
  }

  /** Forgets one at once, and deletes what was sent. Rejects where the disk does not let it go. */
  async end(id: string): Promise<void> {
    this.#drafts.delete(id)
    this.#noted.delete(id)
    rmSync(path.join(this.#folder, id, FILE), { force: true })
    await this.#clear(id)
  }

  /** Where the files of a draft lie; those of every other ID where `folders` says. */
  beside(folders: ServerFolders): Pick<ServerFolders, 'of' | 'stagingOf' | 'trashOf'> {
    const at = (id: string, part: keyof typeof PARTS) =>
      this.#drafts.has(id) ? path.join(this.#folder, id, PARTS[part]) : null
    return {
      of: (id) => at(id, 'files') ?? folders.of(id),
      stagingOf: (id) => at(id, 'staging') ?? folders.stagingOf(id),
      trashOf: (id) => at(id, 'trash') ?? folders.trashOf(id),
    }
  }

  /** As what its owner sends files to, which uses it; null where there is no such draft. */
  asServer(id: string): ServerRow | null {
    this.use(id)
    const draft = this.#drafts.get(id)
    if (!draft) return null
    return {
      ...USUAL_RUN,
      ...{ seq: 0, id, ownerId: draft.ownerId, name: 'The server that is being moved in' },
      ...{ softwareId: '', softwareVersion: '', memoryMb: 0, port: 0, revision: 0, createdAt: draft.begunAt },
      ...{ openTo: null, licenseAcceptedBy: null, licenseAcceptedAt: null },
    }
  }

  #write({ id, ...kept }: Draft): void {
    // Noted even where that fails: a disk that is full is not asked again with each request.
    this.#noted.set(id, kept.usedSeen)
    writeDataFile(path.join(this.#folder, id, FILE), JSON.stringify(kept))
  }

  #read(id: string): Draft | null {
    try {
      const kept = Kept.parse(JSON.parse(readFileSync(path.join(this.#folder, id, FILE), 'utf8')))
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
