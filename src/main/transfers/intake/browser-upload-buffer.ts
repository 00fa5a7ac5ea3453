import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Outcome, Problem } from '../../../contract/bridge/problem.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { PanelProblem, problem } from '../../base/problem.ts'
import { GrowingFile } from '../sources/growing-file.ts'
import { type Announcement, folderItems, nameOfAll } from './picked.ts'
import { fsProblem } from '../../base/fs-problem.ts'
import { joined, nameOf } from '../../../contract/rules/paths.ts'
import { receiveBody } from './receive-body.ts'
import type { ItemRow, NewItem, NewTransfer, TransferRow } from '../store/rows.ts'
import type { Store } from '../store/tables.ts'

/** Larger files are sent while they arrive. */
const ALONG_BYTES = 4 * 1024 * 1024
/** Retry interval for records the full disk refused. */
const WRITE_AGAIN_MS = 1000
/** How long a page may be gone: its socket may reconnect. */
const GRACE_MS = 5000
const AWAITED_MOST = 100

const unwanted = () => problem('not-found', localized('page.not-awaited'))

const pageClosed = problem('offline', localized('page.closed'), {
  retryable: false,
  serviceCode: 'computer.page',
}).problem

export interface BrowserUploadBufferPorts {
  folder: string
  store: Store
  toProblem: (error: unknown) => Problem
  add: (transfer: NewTransfer, items: NewItem[]) => Promise<{ transferId: string; itemIds: number[] }>
  changed: (transferId: string) => void
}

/** Files from browser pages: announced first, then received and stored here until they are sent. */
export class BrowserUploadBuffer {
  readonly #ports: BrowserUploadBufferPorts
  readonly #pages = new Map<string, Set<string>>()
  readonly #leaving = new Map<string, NodeJS.Timeout>()
  /** Pages connected, or disconnected a moment ago. */
  readonly #here = new Set<string>()
  readonly #announcing = new Set<string>()
  readonly #receiving = new Map<AbortController, string>()
  /** Items being received: two requests for one would overwrite the same file. */
  readonly #growing = new Map<number, GrowingFile>()
  #unwritten: Parameters<Store['lose']>[] = []
  #writing: NodeJS.Timeout | null = null
  #closed = false

  constructor(ports: BrowserUploadBufferPorts) {
    this.#ports = ports
  }

  /** Returns the item ids in the order of the files. */
  async announce({
    to,
    files,
    folders,
    page,
  }: Announcement): Promise<{ transferId: string; itemIds: number[] }> {
    if (files.length + folders.length === 0) throw problem('invalid', localized('send.nothing'))
    const id = randomUUID()
    this.#announcing.add(id)
    // Register first: the page may leave while we wait.
    this.#pages.set(page, (this.#pages.get(page) ?? new Set()).add(id))
    try {
      const announced = await this.#announce(id, { to, files, folders, page })
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
    // Count concurrent announcements, including this one, so that together they respect the limit.
    const awaited = rows.filter(({ gathering }) => gathering > 0).length + this.#announcing.size
    if (awaited > AWAITED_MOST) throw problem('refused', localized('page.too-many'), { retryable: true })
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    await mkdir(join(this.#ports.folder, id), { recursive: true, mode: 0o700 })
    const disk = await statfs(this.#ports.folder)
    const free = disk.bavail * disk.bsize
    if (bytes > free) {
      await this.remove(id)
      throw problem('too-large', localized('here.no-room-for-upload', { needed: bytes, free }), {
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
    const none = { fromConnectionId: null, fromServerId: null, backup: null }
    const { connectionId, serverId, folder } = to
    const createdAt = new Date().toISOString()
    const { itemIds } = await this.#ports.add(
      { id, kind: 'upload', name, connectionId, serverId, folder, page, createdAt, ...none },
      [...made, ...items],
    )
    return { transferId: id, itemIds: itemIds.slice(made.length) }
  }

  growing(itemId: number): GrowingFile | null {
    return this.#growing.get(itemId) ?? null
  }

  /** Awaits an interrupted file again, or fails it if its page is gone. The queue may have requeued it. */
  async gather(item: ItemRow): Promise<void> {
    await this.#ports.store.gather(item.id)
    if (!this.#isAwaited(item.transferId)) await this.fail(item.transferId, [item.id], pageClosed)
  }

  /** Receives announced items, concatenated in one stream. */
  async receive(transferId: string, itemIds: readonly number[], body: Readable): Promise<Outcome<null>> {
    const { store, changed } = this.#ports
    const control = new AbortController()
    this.#receiving.set(control, transferId)
    // Nothing else stops a browser with gigabytes left to send.
    control.signal.addEventListener('abort', () => body.destroy(), { once: true })
    const items: ItemRow[] = []
    try {
      const rows = await store.itemsOf(itemIds)
      for (const [index, id] of itemIds.entries()) {
        const item = rows[index]
        if (item?.transferId !== transferId || item.state !== 'gathering') throw unwanted()
        if (this.#growing.has(id)) throw problem('conflict', localized('page.being-sent'))
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
      // If the disk is full, the item waits and then finds that nothing arrives.
      await store.gather(id).catch(() => undefined)
    }
    // Leftovers are removed with the transfer.
    if (items.length === itemIds.length)
      await rm(this.#path(transferId, itemIds), { force: true }).catch(() => undefined)
    // In a group the culprit is unknown: the page resends one by one. A single file fails with our reason.
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
    // In order: the first reason is the right one.
    for (const one of this.#unwritten.splice(0)) await this.#lose(...one)
  }

  pageCame(page: string): void {
    this.#here.add(page)
    clearTimeout(this.#leaving.get(page))
    this.#leaving.delete(page)
  }

  /** Awaits files of a transfer again; false if the page is gone. */
  awaits(page: string, transferId: string): boolean {
    if (!this.#here.has(page)) return false
    this.#pages.set(page, (this.#pages.get(page) ?? new Set()).add(transferId))
    return true
  }

  /** Fails what the page still had to send, unless it reconnects soon. */
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

  remove(transferId: string): Promise<void> {
    for (const transfers of this.#pages.values()) transfers.delete(transferId)
    for (const [control, id] of this.#receiving) if (id === transferId) control.abort()
    return rm(join(this.#ports.folder, transferId), { recursive: true, force: true })
  }

  async sweep(wanted: (rows: TransferRow[]) => TransferRow[]): Promise<void> {
    const names = await readdir(this.#ports.folder).catch(() => [])
    // After listing the folders and before reading the queue, so that new announcements aren't removed.
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
    // Requests may outlive the page's socket; let them finish.
    for (const id of transfers) await this.#lose(id, { but: [...this.#growing.keys()] }, pageClosed)
  }

  #isAwaited(transferId: string): boolean {
    return [...this.#pages.values()].some((transfers) => transfers.has(transferId))
  }

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
