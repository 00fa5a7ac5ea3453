import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { calls, type CallOutput, type ParsedCallInput } from '../../contract/bridge/calls.ts'
import type { Transfers as Shown } from '../../contract/bridge/transfer-values.ts'
import type { ServerRef } from '../../contract/bridge/values.ts'
import { type LocalizedText, localized } from '../../contract/messages/localized-text.ts'
import { PanelProblem, problem } from '../base/problem.ts'
import { storedJson } from '../storage/stored-json.ts'
import type { Bytes } from './bytes/methods.ts'
import { chosenItems, downloadItems, type DownloadTarget, folderOf } from './download/chosen-items.ts'
import type { DownloadsLocation } from './download/download-folder.ts'
import { pathHere } from './download/download.ts'
import { saveText } from './download/save-text.ts'
import { collectPicked, type PickedPaths } from './intake/picked.ts'
import type { Limiter } from './queue/limiter.ts'
import { joined, nameOf } from '../../contract/rules/paths.ts'
import type { QueuePorts } from './queue/ports.ts'
import { TransferQueue } from './queue/queue.ts'
import { BrowserUploadBuffer } from './intake/browser-upload-buffer.ts'
import { type Choice, newTransfer, type NewItem, type NewTransfer, type TransferRow } from './store/rows.ts'
import type { Store } from './store/tables.ts'
import { Questions } from './questions.ts'
import { itemView, summary } from './summary.ts'
import { ThrottledBroadcast } from './throttled-broadcast.ts'

const ABANDON_MS = 3000

export interface TransfersPorts extends Omit<QueuePorts, 'changed' | 'ended' | 'growing' | 'gather'> {
  store: Store
  bytes: Bytes
  limiter: Limiter
  downloads: DownloadsLocation
  tell: (transfers: Shown) => void
}

const lost = (why: LocalizedText) =>
  problem('offline', why, { retryable: false, serviceCode: 'computer.page' }).problem
const pageGone = lost(localized('page.gone'))

export class TransferManager {
  readonly spool: BrowserUploadBuffer
  readonly #ports: TransfersPorts
  readonly #store: Store
  readonly #queue: TransferQueue
  readonly #questions: Questions
  readonly #broadcast: ThrottledBroadcast
  #closed = false
  #started: Promise<void> | null = null

  constructor(ports: TransfersPorts) {
    this.#ports = ports
    this.#store = ports.store
    this.#questions = new Questions(ports, () => this.#broadcast.changed(true))
    this.#broadcast = new ThrottledBroadcast(async () => {
      const now = await this.list()
      ports.tell(now)
      return { moves: now.items.some(({ rate }) => rate !== null) }
    }, ports.log)
    this.#queue = new TransferQueue({
      ...ports,
      growing: (itemId) => this.spool.growing(itemId),
      gather: (item) => this.spool.gather(item),
      changed: (now) => this.#broadcast.changed(now),
      ended: (row) => {
        // Retrying failed page uploads needs their bytes.
        if (row.kind !== 'upload' || row.failed === 0)
          void this.spool.remove(row.id).catch((error: unknown) => {
            ports.log.warn('what was sent of a page could not be removed', { err: error })
          })
      },
    })
    this.spool = new BrowserUploadBuffer({
      folder: ports.spoolFolder,
      store: this.#store,
      toProblem: ports.toProblem,
      add: (transfer, items) => this.#add(transfer, items),
      changed: (transferId) =>
        void this.#gathered(transferId).catch((error: unknown) => {
          ports.log.warn('what came of a page was not settled', { err: error })
          this.#goOn()
        }),
    })
  }

  /** Resumes the previous session's transfers, once. Every call waits for it, and retries if it failed (full disk). */
  start(): Promise<void> {
    return (this.#started ??= this.#start().catch((error: unknown) => {
      this.#started = null
      throw error
    }))
  }

  async #start(): Promise<void> {
    await this.#store.recover(lost(localized('page.panel-closed')))
    const kept = calls['transfers.limit'].input.safeParse(storedJson(await this.#store.readSetting('limit')))
    if (kept.success) this.#setLimit(kept.data)
    await this.spool.sweep((rows) =>
      rows.filter((row) => !row.endedAt || (row.kind === 'upload' && row.failed > 0)),
    )
    if (!this.#closed) this.#queue.start()
  }

  async list(): Promise<Shown> {
    await this.start()
    const rows = await this.#store.all()
    const items = await Promise.all(
      rows.map(async (row) =>
        summary(row, this.#queue, row.asking > 0 ? await this.#questions.of(row) : null),
      ),
    )
    return { items, limit: this.#ports.limiter.limit, atOnce: this.#queue.atOnce }
  }

  async items({ transferId, only, offset, limit }: ParsedCallInput<'transfers.items'>) {
    await this.start()
    const { items, total } = await this.#store.items(transferId, only, offset, limit)
    return {
      items: items.map((item) => itemView(item, this.#queue)),
      total,
    } satisfies CallOutput<'transfers.items'>
  }

  /** For trusted paths only: callers must have resolved them themselves. */
  async upload(picked: PickedPaths): Promise<{ transferId: string }> {
    const { to } = picked
    this.#ports.client(to.connectionId)
    await this.start()
    const made = newTransfer(this.#ports.clock, 'upload', to, to.folder)
    await collectPicked(this.#ports, made, picked)
    this.#goOn()
    return { transferId: made.id }
  }

  /** @param to chosen by the user; default: the downloads folder */
  async download(
    { connectionId, serverId, paths, backup }: ParsedCallInput<'transfers.download'>,
    to?: DownloadTarget,
  ) {
    const client = this.#ports.client(connectionId)
    const place = to ?? { folder: await this.#ports.downloads.now() }
    const items = await downloadItems(client, { serverId, backup: backup ?? null }, paths, place)
    const made = newTransfer(this.#ports.clock, 'download', { connectionId, serverId }, folderOf(place))
    return this.#queueUp({ ...made, backup: backup ?? null, name: nameOf(items[0]?.path ?? '') }, items)
  }

  /** Returns the path, under a free name. */
  async saveHere(name: string, text: string | Readable): Promise<string> {
    return saveText(this.#ports.bytes, join(await this.#ports.downloads.always(), name), text)
  }

  async broughtHere(transferId: string): Promise<string[] | null> {
    await this.start()
    const isDownload = (await this.#store.one(transferId))?.kind === 'download'
    return isDownload ? (await this.#store.picked(transferId)).map(pathHere) : null
  }

  /** @param choice for names that are taken; default: the user is asked */
  async copy({ from, paths, to }: ParsedCallInput<'transfers.copy'>, choice: Choice | null = null) {
    const client = this.#ports.client(from.connectionId)
    this.#ports.client(to.connectionId)
    const items = await chosenItems(client, { serverId: from.serverId, backup: null }, paths, (name) =>
      joined(to.folder, name),
    )
    const made = newTransfer(this.#ports.clock, 'copy', to, to.folder)
    return this.#queueUp(
      {
        ...{ ...made, choice, name: nameOf(paths[0] ?? '') },
        fromConnectionId: from.connectionId,
        fromServerId: from.serverId,
      },
      items,
    )
  }

  async pause(transferId: string): Promise<void> {
    const row = await this.#open(transferId)
    if (row.state !== 'active') return
    await this.#store.changeTransfer(transferId, { state: 'paused' })
    await this.#queue.stop(transferId)
    this.#goOn()
  }

  async resume(transferId: string): Promise<void> {
    const row = await this.#open(transferId)
    if (row.state === 'paused') await this.#store.changeTransfer(transferId, { state: 'active' })
    this.#queue.forget(transferId)
    this.#goOn()
  }

  async cancel(transferId: string): Promise<void> {
    const row = await this.#open(transferId)
    const endedAt = new Date(this.#ports.clock.now()).toISOString()
    await this.#store.changeTransfer(transferId, { state: 'cancelled' })
    await this.#queue.stop(transferId)
    await this.#store.cancelItems(transferId)
    await this.#store.changeTransfer(transferId, { endedAt, problem: null })
    this.#queue.forget(transferId)
    await this.spool.remove(transferId)
    this.#ports.landed(row, true)
    this.#goOn()
    // The service may be unreachable; it cleans up by itself.
    void this.#queue.abandonBegun(row).catch(() => undefined)
  }

  async retry(transferId: string): Promise<void> {
    await this.start()
    const row = await this.#store.one(transferId)
    if (!row) throw gone()
    const away = row.page === null || this.spool.awaits(row.page, transferId) ? null : pageGone
    const found = await this.#store.again(transferId, away)
    if (found === 0) {
      this.#broadcast.changed(true)
      if (away && row.failed > 0) throw new PanelProblem(away)
      return
    }
    const { state } = row
    await this.#store.changeTransfer(transferId, {
      state: state === 'paused' ? 'paused' : 'active',
      endedAt: null,
      problem: null,
    })
    this.#queue.forget(transferId)
    this.#goOn()
  }

  async reorder({ transferId, before }: ParsedCallInput<'transfers.reorder'>): Promise<void> {
    const others = (await this.#store.active()).filter(({ id }) => id !== transferId)
    await this.#open(transferId)
    const at = before === null ? others.length : others.findIndex(({ id }) => id === before)
    if (at < 0) throw gone()
    const [above, below] = [others[at - 1]?.position, others[at]?.position]
    const position =
      below === undefined ? (above ?? 0) + 1 : above === undefined ? below - 1 : (above + below) / 2
    if (position !== above && position !== below) await this.#store.changeTransfer(transferId, { position })
    // Two numbers can be too close to fit one in between.
    else await this.#store.order(others.map(({ id }) => id).toSpliced(at, 0, transferId))
    this.#goOn()
  }

  async answer({ transferId, itemId, choice, forAll }: ParsedCallInput<'transfers.answer'>): Promise<void> {
    await this.#open(transferId)
    await this.#store.answer(transferId, Number(itemId), choice, forAll)
    this.#questions.answered(Number(itemId))
    this.#goOn()
  }

  async clear(transferId?: string): Promise<void> {
    await this.start()
    const rows = await this.#store.all()
    const cleared = rows.filter((row) => row.endedAt !== null && (transferId ?? row.id) === row.id)
    await this.#abandonBegun(cleared)
    await this.#store.clear(cleared.map(({ id }) => id))
    await this.spool.sweep((all) => all)
    this.#broadcast.changed(true)
  }

  async limit(now: ParsedCallInput<'transfers.limit'>): Promise<void> {
    await this.start()
    this.#setLimit(now)
    await this.#store.writeSetting('limit', JSON.stringify(now))
    this.#goOn()
  }

  /** Null: all, after the computer woke up. */
  reached(connectionId: string | null): void {
    this.#queue.reached(connectionId)
  }

  /** The server is neither starting nor stopping any more. */
  settled(server: ServerRef): void {
    this.#queue.settled(server)
  }

  /** Stops a connection's transfers and removes unfinished uploads while the token is still valid. */
  async leave(connectionId: string): Promise<void> {
    const rows = (await this.#store.all()).filter((row) =>
      [row.connectionId, row.fromConnectionId].includes(connectionId),
    )
    for (const row of rows)
      if (row.endedAt === null) {
        await this.#store.changeTransfer(row.id, { state: 'cancelled' })
        await this.#queue.stop(row.id)
      }
    await this.#abandonBegun(rows)
  }

  async wipe(connectionId: string): Promise<void> {
    await this.leave(connectionId)
    const ids = await this.#store.wipe(connectionId)
    for (const id of ids) {
      await this.#queue.stop(id)
      this.#queue.forget(id)
      await this.spool.remove(id)
    }
    this.#broadcast.changed(true)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#broadcast.close()
    await this.#started?.catch(() => undefined)
    this.spool.close()
    await this.#queue.close()
    await this.#broadcast.over()
  }

  /** Doesn't wait for unreachable services: they clean up by themselves. */
  async #abandonBegun(rows: readonly TransferRow[]): Promise<void> {
    const signal = AbortSignal.timeout(ABANDON_MS)
    for (const row of rows) await this.#queue.abandonBegun(row, signal)
  }

  async #queueUp(transfer: NewTransfer, items: NewItem[]): Promise<{ transferId: string }> {
    const { transferId } = await this.#add(transfer, items)
    return { transferId }
  }

  async #add(transfer: NewTransfer, items: NewItem[]): Promise<{ transferId: string; itemIds: number[] }> {
    await this.start()
    const itemIds = await this.#store.add(transfer, items)
    this.#goOn()
    return { transferId: transfer.id, itemIds }
  }

  async #open(transferId: string): Promise<TransferRow> {
    await this.start()
    const row = await this.#store.one(transferId)
    if (!row || row.endedAt !== null) throw gone()
    return row
  }

  async #gathered(transferId: string): Promise<void> {
    if (!(await this.#queue.settle(transferId))) this.#goOn()
  }

  #setLimit({ limit, atOnce }: ParsedCallInput<'transfers.limit'>): void {
    this.#ports.limiter.limit = limit
    this.#queue.atOnce = atOnce
  }

  #goOn(): void {
    this.#queue.pump()
    this.#broadcast.changed(true)
  }
}

const gone = () => problem('not-found', localized('send.over'))
