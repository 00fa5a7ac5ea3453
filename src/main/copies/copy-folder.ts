import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { missingReasons, type ServerCopy } from '../../contract/bridge/copy-calls.ts'
import { storedJson } from '../storage/stored-json.ts'

/** Records and unfinished copies, beside the copies. */
const RECORDS = '.wheelhouse'
const UNFINISHED = 'unfinished-'
const REMOVED = 'removed-'
const COPY_ID = /^\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d$/
/** Beyond this many, copies of other programs' making are not looked at. */
const COPIES_MOST = 1000

const CopyRecord = z.object({
  at: z.iso.datetime(),
  bytes: z.number(),
  files: z.number(),
  fetchedBytes: z.number(),
  fetchedFiles: z.number(),
  missing: z.array(z.object({ path: z.string(), reason: z.enum(missingReasons) })),
  missingCount: z.number(),
  saving: z.enum(['paused', 'stopped', 'running']),
  shares: z.boolean(),
  isWhole: z.boolean(),
})
export type CopyRecord = z.infer<typeof CopyRecord>

/** A file of a copy. Times in ms since 1970. */
export interface CopiedFile {
  path: string
  size: number
  /** At the service; null if unknown or unsure, so that it is fetched again. */
  modifiedAt: number | null
  /** Of the file here: a changed one is not used again. */
  hereAt: number
}
const CopiedLine = z.tuple([z.string(), z.number(), z.number().nullable(), z.number()])

export interface CopySource {
  folder: string
  files: ReadonlyMap<string, CopiedFile>
  /** Left by a copy that was interrupted: its files are moved. */
  isLeft: boolean
}

/** The copies of one server: a folder per time, with its files as they were. */
export class CopyFolder {
  readonly path: string
  readonly #records: string

  constructor(path: string) {
    this.path = path
    this.#records = join(path, RECORDS)
  }

  pathOf(id: string): string {
    return join(this.path, id)
  }

  /** Newest first. */
  async list(): Promise<ServerCopy[]> {
    const names = (await readdir(this.path).catch(() => [])).filter((name) => COPY_ID.test(name))
    names.sort().reverse()
    const copies: ServerCopy[] = []
    for (const id of names.slice(0, COPIES_MOST)) {
      const text = await readFile(join(this.#records, `${id}.json`), 'utf8').catch(() => null)
      const record = CopyRecord.safeParse(storedJson(text))
      if (record.success) copies.push({ id, ...record.data })
    }
    return copies
  }

  /** Completes deletions, and forgets records of copies that are gone. */
  async sweep(): Promise<void> {
    await mkdir(this.#records, { recursive: true, mode: 0o700 })
    const there = new Set(await readdir(this.path))
    for (const name of await readdir(this.#records)) {
      const isRecord = /\.(?:json|files)$/.test(name) && COPY_ID.test(name.slice(0, name.lastIndexOf('.')))
      const isStray = isRecord && !there.has(name.slice(0, name.lastIndexOf('.')))
      if (name.startsWith(REMOVED) || isStray)
        await rm(join(this.#records, name), { recursive: true, force: true })
    }
  }

  /** Deletes what interrupted copies left. */
  async discardUnfinished(): Promise<void> {
    for (const name of await readdir(this.#records).catch(() => []))
      if (name.startsWith(UNFINISHED)) await rm(join(this.#records, name), { recursive: true, force: true })
  }

  /** What needs not be fetched again: what interrupted copies left, then the newest copy. */
  async sources(): Promise<CopySource[]> {
    const names = await readdir(this.#records).catch(() => [])
    const left = names.filter((name) => name.startsWith(UNFINISHED) && !name.endsWith('.files'))
    const found = left.map((name) => ({ folder: join(this.#records, name), list: name, isLeft: true }))
    const [newest] = await this.list()
    if (newest) found.push({ folder: this.pathOf(newest.id), list: newest.id, isLeft: false })
    return await Promise.all(
      found.map(async ({ folder, list, isLeft }) => ({ folder, isLeft, files: await this.#filesOf(list) })),
    )
  }

  async #filesOf(name: string): Promise<Map<string, CopiedFile>> {
    const files = new Map<string, CopiedFile>()
    const text = await readFile(join(this.#records, `${name}.files`), 'utf8').catch(() => '')
    for (const line of text.split('\n')) {
      const read = CopiedLine.safeParse(storedJson(line || null))
      if (!read.success) continue
      const [path, size, modifiedAt, hereAt] = read.data
      files.set(path, { path, size, modifiedAt, hereAt })
    }
    return files
  }

  async begin(): Promise<UnfinishedCopy> {
    const name = `${UNFINISHED}${randomUUID()}`
    const folder = join(this.#records, name)
    await mkdir(folder, { mode: 0o700 })
    const list = await open(join(this.#records, `${name}.files`), 'a', 0o600)
    return {
      folder,
      canShare: () => canShare(this.#records),
      note: async ({ path, size, modifiedAt, hereAt }) => {
        await list.appendFile(`${JSON.stringify([path, size, modifiedAt, hereAt])}\n`)
      },
      finish: async (record) => {
        await list.sync()
        await list.close()
        const id = await this.#freeId(new Date(record.at))
        const json = join(this.#records, `${id}.json`)
        await rename(join(this.#records, `${name}.files`), join(this.#records, `${id}.files`))
        await writeFile(json, JSON.stringify(record), { mode: 0o600, flush: true })
        await rename(folder, this.pathOf(id))
        await this.discardUnfinished()
        return id
      },
      stop: () => list.close(),
    }
  }

  /** Named by the local time, as a person would. */
  async #freeId(at: Date): Promise<string> {
    for (let ms = at.getTime(); ; ms += 1000) {
      const id = idOf(new Date(ms))
      const taken = await stat(this.pathOf(id)).catch(() => null)
      if (!taken) return id
    }
  }

  async remove(id: string): Promise<void> {
    const away = join(this.#records, `${REMOVED}${randomUUID()}`)
    await rename(this.pathOf(id), away)
    for (const end of ['json', 'files']) await rm(join(this.#records, `${id}.${end}`), { force: true })
    await rm(away, { recursive: true, force: true })
  }

  /** Keeps the newest, and the newest whole one in any case. */
  async prune(keep: number): Promise<void> {
    const copies = await this.list()
    const whole = copies.find((copy) => copy.isWhole)
    for (const copy of copies.slice(keep)) if (copy !== whole) await this.remove(copy.id)
  }
}

export interface UnfinishedCopy {
  folder: string
  canShare: () => Promise<boolean>
  /** To be called once a file is in place. */
  note: (file: CopiedFile) => Promise<void>
  /** Returns its id. */
  finish: (record: CopyRecord) => Promise<string>
  /** What is there stays for the next one. */
  stop: () => Promise<void>
}

/** Whether the disk has hard links; exFAT, FAT and some network disks have none. */
async function canShare(folder: string): Promise<boolean> {
  const name = join(folder, `${REMOVED}${randomUUID()}`)
  try {
    await writeFile(name, '')
    await link(name, `${name}.2`)
    return true
  } catch {
    return false
  } finally {
    await rm(name, { force: true })
    await rm(`${name}.2`, { force: true })
  }
}

function idOf(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join('.')}`
}
