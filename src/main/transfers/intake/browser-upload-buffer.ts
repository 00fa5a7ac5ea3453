import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Outcome, Problem } from '../../../contract/bridge/problem.ts'
import { say } from '../../../contract/messages/say.ts'
import { PanelProblem, problem } from '../../base/problem.ts'
import { GrowingFile } from '../sources/growing-file.ts'
import { type Announcement, folderItems, nameOfAll } from './picked.ts'
import { fsProblem } from '../../base/fs-problem.ts'
import { joined, nameOf } from '../../../contract/rules/paths.ts'
import { receiveBody } from './receive-body.ts'
import type { ItemRow, NewItem, NewTransfer, TransferRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** A file of at least so many bytes is sent while it comes. */
const ALONG_BYTES = 4 * 1024 * 1024
/** What could not be written since the disk is full is written again after so long, ms. */
const WRITE_AGAIN_MS = 1000
/** A page that is gone may come back so long, ms: its socket breaks off and connects again. */
const GRACE_MS = 5000
/** Uploads that files of a page are awaited for, at the same time. */
const AWAITED_MOST = 100

const unwanted = () => problem('not-found', say('page.not-awaited'))

const pageClosed = problem('offline', say('page.closed'), {
  retryable: false,
  serviceCode: 'computer.page',
}).problem

export interface BrowserUploadBufferPorts {
  folder: string
  store: Store
  toProblem: (error: unknown) => Problem
  add: (transfer: NewTransfer, items: NewItem[]) => Promise<{ transferId: string; itemIds: number[] }>
  /** Items of a transfer came, or cannot come any more. */
  changed: (transferId: string) => void
}

/** Files of a browser's page: they are announced, then their bytes come and wait on this computer until they are sent. */
export class BrowserUploadBuffer {
  readonly #ports: BrowserUploadBufferPorts
  /** Transfers whose page still sends, by page. */
  readonly #pages = new Map<string, Set<string>>()
  readonly #leaving = new Map<string, NodeJS.Timeout>()
  /** Pages whose socket stands, or broke off a moment ago. */
  readonly #here = new Set<string>()
  /** Transfers that have a folder and are not in the queue's file yet. */
  readonly #announcing = new Set<string>()
  /** Requests that bring bytes, with their transfer. */
  readonly #receiving = new Map<AbortController, string>()
  /** Items whose bytes come just now: two requests for one would write and remove the same file. */
  readonly #growing = new Map<number, GrowingFile>()
  /** Failures that the queue's own full disk did not take yet. */
  #unwritten: Parameters<Store['lose']>[] = []
  #writing: NodeJS.Timeout | null = null
  #closed = false

  constructor(ports: BrowserUploadBufferPorts) {
    this.#ports = ports
  }

  /** Queues what a page picked; its bytes are awaited. Answers the items' ids in the order of the files. */
  async announce({
    to,
    files,
    folders,
    page,
  }: Announcement): Promise<{ transferId: string; itemIds: number[] }> {
    if (files.length + folders.length === 0) throw problem('invalid', say('send.nothing'))
    const id = randomUUID()
    this.#announcing.add(id)
    // Before anything is waited for: the page may leave meanwhile.
    this.#pages.set(page, (this.#pages.get(page) ?? new Set()).add(id))
    try {
      const announced = await this.#announce(id, { to, files, folders, page })
      // It was given up before there was anything that could fail.
      if (!this.#isAwaited(id)) await this.fail(id, announced.itemIds, pageClosed)
      return announced
    } catch (error) {
      this.#pages.get(page)?.delete(id)
      throw error
    } finally {
      this.#announcing.delete(id)
    }
  }

  async #announce(
    id: string,
    { to, files, folders, page }: Announcement,
  ): Promise<{ transferId: string; itemIds: number[] }> {
    const rows = await this.#ports.store.all()
    // Those that are just announced count too, this one among them: together they never get past the bound.
    const awaited = rows.filter(({ gathering }) => gathering > 0).length + this.#announcing.size
    if (awaited > AWAITED_MOST) throw problem('refused', say('page.too-many'), { retryable: true })
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    await mkdir(join(this.#ports.folder, id), { recursive: true, mode: 0o700 })
    const disk = await statfs(this.#ports.folder)
    const free = disk.bavail * disk.bsize
    if (bytes > free) {
      await this.remove(id)
      throw problem('too-large', say('here.no-room-for-upload', { needed: bytes, free }), {
        serviceCode: 'computer.disk-full',
      })
    }
    const made = folderItems(to.folder, folders)
    const items = files.map(({ path, size, modifiedAt }): NewItem => ({
      path,
      kind: 'file',
      size,
      modifiedAt: Math.trunc(modifiedAt),
      source: '',
      target: joined(to.folder, path),
      state: 'gathering',
    }))
    const name = nameOfAll([...files.map(({ path }) => path), ...folders])
    const none = { fromConnectionId: null, fromServerId: null }
    const { connectionId, serverId, folder } = to
    const createdAt = new Date().toISOString()
    const { itemIds } = await this.#ports.add(
      { id, kind: 'upload', name, connectionId, serverId, folder, page, createdAt, ...none },
      [...made, ...items],
    )
    return { transferId: id, itemIds: itemIds.slice(made.length) }
  }

  /** A file whose bytes come just now. */
  growing(itemId: number): GrowingFile | null {
    return this.#growing.get(itemId) ?? null
  }

  /**
   * A file of a page stopped coming: it is awaited anew, or fails where its page is gone. Whoever sends it finds that out
   * later than whoever receives it, and may have put it back to wait meanwhile.
   */
  async gather(item: ItemRow): Promise<void> {
    await this.#ports.store.gather(item.id)
    if (!this.#isAwaited(item.transferId)) await this.fail(item.transferId, [item.id], pageClosed)
  }

  /** Takes the bytes of announced items, one after the other in one stream. */
  async receive(transferId: string, itemIds: readonly number[], body: Readable): Promise<Outcome<null>> {
    const { store, changed } = this.#ports
    const control = new AbortController()
    this.#receiving.set(control, transferId)
    // Nothing else stops a browser that has gigabytes still to send.
    control.signal.addEventListener('abort', () => body.destroy(), { once: true })
    const items: ItemRow[] = []
    try {
      const rows = await store.itemsOf(itemIds)
      for (const [index, id] of itemIds.entries()) {
        const item = rows[index]
        if (item?.transferId !== transferId || item.state !== 'gathering') throw unwanted()
        if (this.#growing.has(id)) throw problem('conflict', say('page.being-sent'))
        this.#growing.set(id, new GrowingFile(this.#path(transferId, [id])))
        items.push(item)
      }
      const path = this.#path(transferId, itemIds)
      await this.#write(items, path, body, control.signal)
      let end = 0
      const together = items.length > 1
      await store.came(
        path,
        items.map(({ id, size, modifiedAt }) => {
          const sourceAt = together ? end : null
          end += size
          return { id, sourceAt, modifiedAt }
        }),
      )
      for (const { id } of items) this.#growing.get(id)?.end()
      changed(transferId)
      return { ok: true, value: null }
    } catch (error) {
      // What we cut off ourselves is no fault: its transfer is over.
      const why = control.signal.aborted ? unwanted() : error
      return { ok: false, problem: await this.#brokeOff(transferId, itemIds, items, why) }
    } finally {
      for (const { id } of items) this.#growing.delete(id)
      this.#receiving.delete(control)
    }
  }

  async #brokeOff(
    transferId: string,
    itemIds: readonly number[],
    items: readonly ItemRow[],
    error: unknown,
  ): Promise<Problem> {
    const { store, toProblem } = this.#ports
    const why = toProblem(fsProblem(error, items[0] ? nameOf(items[0].path) : ''))
    for (const { id } of items) {
      this.#growing.get(id)?.fail(new PanelProblem(why))
      // Where the queue's own disk is full, it waits until it is not, and then finds that nothing comes.
      await store.gather(id).catch(() => undefined)
    }
    // What cannot be removed goes with the transfer.
    if (items.length === itemIds.length)
      await rm(this.#path(transferId, itemIds), { force: true }).catch(() => undefined)
    // Of several nobody knows which one it was: the page sends each by itself then. One that this computer cannot keep
    // fails with that reason, not with what the page guesses.
    const [only] = items
    if (only && items.length === 1 && why.serviceCode === 'computer.file')
      await this.fail(transferId, [only.id], why)
    if (!this.#isAwaited(transferId))
      await this.fail(
        transferId,
        items.map(({ id }) => id),
        pageClosed,
      )
    return why
  }

  /** Announced files will not come. Where the queue's own disk is full too, that is kept as soon as it is not. */
  async fail(transferId: string, itemIds: readonly number[], why: Problem): Promise<void> {
    await this.#lose(transferId, { only: itemIds }, why)
  }

  async #lose(...[transferId, which, why]: Parameters<Store['lose']>): Promise<void> {
    try {
      await this.#ports.store.lose(transferId, which, why)
    } catch {
      if (this.#closed) return
      this.#unwritten.push([transferId, which, why])
      this.#writing ??= setTimeout(() => void this.#writeAgain(), WRITE_AGAIN_MS)
      return
    }
    this.#ports.changed(transferId)
  }

  async #writeAgain(): Promise<void> {
    this.#writing = null
    // In their order: the first reason given is the right one.
    for (const one of this.#unwritten.splice(0)) await this.#lose(...one)
  }

  /** A page's socket came (back). */
  pageCame(page: string): void {
    this.#here.add(page)
    clearTimeout(this.#leaving.get(page))
    this.#leaving.delete(page)
  }

  /** Waits for a page to bring files of a transfer again; answers whether the page is still there to do so. */
  awaits(page: string, transferId: string): boolean {
    if (!this.#here.has(page)) return false
    this.#pages.set(page, (this.#pages.get(page) ?? new Set()).add(transferId))
    return true
  }

  /** A page's socket is gone. Unless it comes back soon, what it still had to send fails. */
  pageLeft(page: string): void {
    if (!this.#pages.has(page)) {
      this.#here.delete(page)
      return
    }
    clearTimeout(this.#leaving.get(page))
    this.#leaving.set(
      page,
      setTimeout(() => void this.#abandon(page), GRACE_MS),
    )
  }

  /** Removes what was spooled of a transfer. */
  remove(transferId: string): Promise<void> {
    for (const transfers of this.#pages.values()) transfers.delete(transferId)
    for (const [control, id] of this.#receiving) if (id === transferId) control.abort()
    return rm(join(this.#ports.folder, transferId), { recursive: true, force: true })
  }

  /** Removes what belongs to none of these transfers. */
  async sweep(wanted: (rows: TransferRow[]) => TransferRow[]): Promise<void> {
    const names = await readdir(this.#ports.folder).catch(() => [])
    // After the names and before the queue is read: what is announced now, or later, is not taken for left over.
    const announcing = new Set(this.#announcing)
    const ids = new Set(wanted(await this.#ports.store.all()).map(({ id }) => id))
    for (const name of names) if (!ids.has(name) && !announcing.has(name)) await this.remove(name)
  }

  close(): void {
    this.#closed = true
    if (this.#writing) clearTimeout(this.#writing)
    for (const timer of this.#leaving.values()) clearTimeout(timer)
    for (const control of this.#receiving.keys()) control.abort()
  }

  async #abandon(page: string): Promise<void> {
    this.#leaving.delete(page)
    this.#here.delete(page)
    const transfers = this.#pages.get(page) ?? []
    this.#pages.delete(page)
    // What comes all the same, though its page's socket is away, is waited for.
    for (const id of transfers) await this.#lose(id, { but: [...this.#growing.keys()] }, pageClosed)
  }

  /** Whether its page is there, or was a moment ago. */
  #isAwaited(transferId: string): boolean {
    return [...this.#pages.values()].some((transfers) => transfers.has(transferId))
  }

  /** Where the bytes of a request wait. */
  #path(transferId: string, [first, ...more]: readonly number[]): string {
    return join(this.#ports.folder, transferId, more.length > 0 ? `${first} and ${more.length}` : `${first}`)
  }

  async #write(items: readonly ItemRow[], path: string, body: Readable, signal: AbortSignal): Promise<void> {
    const [first] = items
    const only = items.length === 1 ? first : undefined
    if (only && only.size >= ALONG_BYTES) {
      await this.#ports.store.growing(only.id)
      this.#ports.changed(only.transferId)
    }
    const growing = only ? (this.#growing.get(only.id) ?? null) : null
    return receiveBody(body, { items, path }, growing, signal)
  }
}
