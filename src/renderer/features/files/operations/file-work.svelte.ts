import type { Conflict, ItemResult, ServerRef } from '../../../../contract/bridge/values.ts'
import type { NameEncoding } from '../../../../contract/rules/names.ts'
import { asProblem, call, send, upload } from '../../../core/bridge.ts'
import { t, type Words } from '../../../messages/t.svelte.ts'
import { announce, notify, notifyProblem, type NoticeSubject } from '../../../ui/feedback/notices.svelte.ts'
import { clip, hold, sameServer } from './clipboard.svelte.ts'
import { Deletions, type DeletionQuestion, reasonOf, tellUnconfirmed } from './deletions.svelte.ts'
import type { PickedFiles } from './read-dropped.ts'
import {
  canRestore,
  forgetStep,
  forgetTrashed,
  lastStep,
  rememberStep,
  type UndoStep,
} from './undo-steps.svelte.ts'
import { joined, nameOf, parentOf } from '../../../../contract/rules/paths.ts'
import {
  chunks,
  sendAll,
  NameConflicts,
  type Item,
  type Question,
  type ItemSender,
} from './name-conflicts.svelte.ts'

export interface Failures {
  done: number
  items: { path: string; why: Words }[]
}

export class FileWork {
  readonly server: ServerRef
  #changed: () => void
  readonly #mayRemove: (paths: readonly string[]) => Promise<boolean>
  #busy = $state(0)
  readonly #names = new NameConflicts()
  readonly #deletions: Deletions
  #failures = $state.raw<Failures | null>(null)
  #notOffered = $state.raw<ReadonlySet<string>>(new Set())

  /** `mayRemove` is asked before every deletion. */
  constructor(
    server: ServerRef,
    changed: () => void,
    mayRemove: (paths: readonly string[]) => Promise<boolean> = async () => true,
  ) {
    this.server = server
    this.#mayRemove = mayRemove
    this.#deletions = new Deletions(server)
    this.#changed = changed
  }

  get #at() {
    const { connectionId, serverId } = this.server
    return { connectionId, params: { serverId } }
  }

  get busy(): boolean {
    return this.#busy > 0
  }

  get question(): Question | null {
    return this.#names.question
  }

  get deletion(): DeletionQuestion | null {
    return this.#deletions.question
  }

  get failures(): Failures | null {
    return this.#failures
  }

  forgetFailures(): void {
    this.#failures = null
  }

  /** Whether the service reported the part as unsupported since this view was opened. */
  lacks(part: 'archives' | 'trash'): boolean {
    return this.#notOffered.has(part)
  }

  /** Throws a `Problem`. */
  async newFolder(path: string): Promise<void> {
    await send('files.folder', { ...this.#at, body: { path } })
    this.#changed()
  }

  /** Never overwrites. Throws a `Problem`. */
  async newFile(path: string): Promise<void> {
    await call('files.write-text', { ...this.server, path, text: '', base: { kind: 'create' } })
    this.#changed()
  }

  async rename(path: string, name: string): Promise<Words | null> {
    const items = [{ from: path, to: joined(parentOf(path), name) }]
    try {
      const { results } = await call('files.move', { ...this.server, items, conflict: 'refuse' })
      const [result] = results
      if (result?.error?.code === 'files.exists') return () => t('files.name-taken')
      if (result?.outcome === 'failed') return reasonOf(result)
      if (result?.outcome === 'done')
        rememberStep(this.server, { kind: 'move', items: [{ from: items[0]!.to, to: path }] })
      else tellUnconfirmed(1, () => nameOf(path))
      this.#changed()
      return null
    } catch (thrown) {
      const problem = asProblem(thrown)
      if (problem.serviceCode === 'files.exists') return () => t('files.name-taken')
      notifyProblem(thrown, () => nameOf(path))
      return null
    }
  }

  /** Returns the names that now exist. */
  bring(mode: 'move' | 'copy', paths: readonly string[], folder: string): Promise<string[]> {
    const items = paths.map((path) => ({ key: path, to: joined(folder, nameOf(path)) }))
    // Copying in place makes a new name; moving in place does nothing.
    const here = items.filter((item) => item.key === item.to)
    const others = items.filter((item) => item.key !== item.to)
    return this.#during(async () => {
      const take: ItemSender<Item> = async (some, conflict) => {
        const moves = some.map(({ key, to }) => ({ from: key, to }))
        if (mode === 'move')
          return (await call('files.move', { ...this.server, items: moves, conflict })).results
        return (await call('files.copy', { ...this.server, items: moves, conflict })).results
      }
      const results = await this.#names.each(others, take)
      if (mode === 'copy' && here.length > 0) results.push(...(await sendAll(here, 'keep-both', take)))
      if (mode === 'move') this.#rememberMove(results, others)
      return this.#settle(results, items)
    })
  }

  #rememberMove(results: readonly ItemResult[], items: readonly Item[]): void {
    const targets = new Map(items.map(({ key, to }) => [key, to]))
    const back = results.flatMap(({ path, outcome, finalPath }) => {
      const from = finalPath ?? targets.get(path)
      return outcome === 'done' && from !== undefined ? [{ from, to: path }] : []
    })
    if (back.length > 0) rememberStep(this.server, { kind: 'move', items: back })
  }

  /** Takes back the last deletion, move or rename. Returns the names that now exist. */
  async undo(): Promise<string[]> {
    const step = lastStep(this.server)
    if (!step) {
      announce(() => t('files.nothing-to-undo'))
      return []
    }
    if (this.busy) return []
    return step.kind === 'delete'
      ? this.restore([...step.trash.keys()], step.trash)
      : this.#during(() => this.#moveBack(step))
  }

  async #moveBack(step: Extract<UndoStep, { kind: 'move' }>): Promise<string[]> {
    const items = step.items.map(({ from, to }) => ({ key: from, to }))
    const results = await this.#names.each(items, async (some, conflict) => {
      const moves = some.map(({ key, to }) => ({ from: key, to }))
      return (await call('files.move', { ...this.server, items: moves, conflict })).results
    })
    forgetStep(this.server, step)
    const done = this.#settle(results, items)
    if (done.length > 0) notify({ tone: 'done', text: () => t('files.moved-back', { count: done.length }) })
    return done
  }

  /** Pastes into a folder. From another server it becomes a transfer. */
  async paste(folder: string): Promise<string[]> {
    const held = clip()
    if (!held) return []
    if (sameServer(held.from, this.server)) {
      if (held.mode === 'cut') hold(null)
      return this.bring(held.mode === 'cut' ? 'move' : 'copy', held.paths, folder)
    }
    await this.#transfer(held.from, held.paths, this.server, folder)
    return []
  }

  /** Copies to another server, as a transfer. */
  async copyTo(to: ServerRef, paths: readonly string[], folder: string): Promise<void> {
    await this.#transfer(this.server, paths, to, folder)
  }

  async #transfer(from: ServerRef, paths: readonly string[], to: ServerRef, folder: string): Promise<void> {
    const { connectionId, serverId } = to
    await this.#during(async () => {
      for (const some of chunks(paths))
        await call('transfers.copy', { from, paths: some, to: { connectionId, serverId, folder } })
      announce(() => t('files.copying', { count: paths.length }))
      return []
    })
  }

  /** Offers to undo what went into the trash. */
  async remove(paths: readonly string[]): Promise<void> {
    await this.#during(async () => {
      if (!(await this.#mayRemove(paths))) return []
      const { results, trash } = await this.#deletions.remove(paths)
      const done = this.#settle(results)
      if (done.length > 0) this.#tellDeleted(done, trash)
      return []
    })
  }

  #tellDeleted(done: readonly string[], trash: ReadonlyMap<string, string>): void {
    const [name = ''] = done
    const count = done.length
    const one = count === 1
    const inTrash = trash.size >= count
    const text = () =>
      inTrash
        ? one
          ? t('files.trashed-one', { name })
          : t('files.trashed', { count })
        : one
          ? t('files.deleted-one', { name })
          : t('files.deleted', { count })
    if (trash.size > 0) rememberStep(this.server, { kind: 'delete', trash })
    const undo = { label: () => t('files.undo'), run: () => this.restore([...trash.keys()], trash) }
    notify({
      tone: 'done',
      text,
      action: trash.size > 0 ? undo : undefined,
      about: inTrash ? trashOf(this.server) : undefined,
      holds: () => trash.size === 0 || canRestore(this.server, [...trash.keys()]),
    })
  }

  /** Restores from the trash. `shown` maps IDs to original paths, for questions. */
  async restore(ids: readonly string[], shown: ReadonlyMap<string, string> = new Map()): Promise<string[]> {
    const items = ids.map((id) => ({ key: id, to: shown.get(id) ?? id }))
    return this.#during(async () => {
      const results = await this.#names.each(items, async (some, conflict) => {
        const wanted = some.map((item) => item.key)
        return (await call('files.restore', { ...this.server, ids: wanted, conflict })).results
      })
      forgetTrashed(this.server, ids)
      const done = this.#settle(results, items)
      if (done.length > 0) notify({ tone: 'done', text: () => t('files.restored', { count: done.length }) })
      return done
    })
  }

  async purge(ids?: readonly string[]): Promise<void> {
    await this.#during(async () => {
      if (!ids) await send('files.purge', { ...this.#at, body: {} })
      else for (const some of chunks(ids)) await send('files.purge', { ...this.#at, body: { ids: some } })
      forgetTrashed(this.server, ids)
      return []
    })
  }

  async download(paths: readonly string[]): Promise<void> {
    await this.#during(async () => {
      for (const some of chunks(paths)) await call('transfers.download', { ...this.server, paths: some })
      announce(() => t('files.downloading', { count: paths.length }))
      return []
    })
  }

  async downloadTo(paths: readonly string[]): Promise<void> {
    await this.#during(async () => {
      const { transferId } = await call('computer.download-to', { ...this.server, paths: [...paths] })
      if (transferId !== null) announce(() => t('files.downloading', { count: paths.length }))
      return []
    })
  }

  async uploadFromHere(folder: string, what: 'files' | 'folders'): Promise<void> {
    await this.#during(async () => {
      await call('computer.pick-and-send', { ...this.server, folder, what })
      return []
    })
  }

  async upload(folder: string, picked: Promise<PickedFiles> | PickedFiles): Promise<void> {
    await this.#during(async () => {
      const { files, folders } = await picked
      if (files.length + folders.length === 0) return []
      await upload({ to: { ...this.server, folder }, files, folders })
      return []
    })
  }

  /** Throws a `Problem`. */
  async pack(paths: readonly string[], to: string, format: 'zip' | 'tar.gz'): Promise<void> {
    const given = { ...this.server, paths: [...paths], to, format, conflict: 'refuse' as const }
    await this.#archive(() => call('files.archive', given))
  }

  /** Throws a `Problem`. */
  async unpack(path: string, to: string, conflict: Conflict, names?: NameEncoding): Promise<void> {
    const given = { ...this.server, path, to, conflict, ...(names && { names }) }
    await this.#archive(() => call('files.extract', given))
  }

  async #archive(begin: () => Promise<unknown>): Promise<void> {
    try {
      await begin()
    } catch (thrown) {
      if (asProblem(thrown).code === 'unavailable')
        this.#notOffered = new Set([...this.#notOffered, 'archives'])
      throw thrown
    }
  }

  async #during(work: () => Promise<string[]>): Promise<string[]> {
    this.#busy += 1
    try {
      return await work()
    } catch (thrown) {
      notifyProblem(thrown)
      return []
    } finally {
      this.#busy -= 1
      this.#changed()
    }
  }

  /** Reports failures and returns the names that succeeded. */
  #settle(results: readonly ItemResult[], items: readonly Item[] = []): string[] {
    const asked = new Map(items.map((item) => [item.key, item.to]))
    const failed = results.filter((result) => result.outcome === 'failed')
    const done = results.filter((result) => result.outcome === 'done')
    const [first, ...others] = results.filter((result) => result.outcome === 'unconfirmed')
    if (first) tellUnconfirmed(1 + others.length, () => nameOf(asked.get(first.path) ?? first.path))
    if (failed.length > 0) {
      const path = (result: ItemResult) => asked.get(result.path) ?? result.path
      this.#failures = {
        done: done.length,
        items: failed.map((result) => ({ path: path(result), why: reasonOf(result) })),
      }
    }
    return done.map((result) => nameOf(result.finalPath ?? asked.get(result.path) ?? result.path))
  }
}

export const trashOf = ({ connectionId, serverId }: ServerRef): NoticeSubject =>
  `trash of ${connectionId}/${serverId}`
