import { refusalText } from '../../contract/messages/refusals/index.ts'
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { Logger } from 'pino'
import type { KeptPart } from '../../contract/areas/servers.ts'
import type { Clock } from '../base/clock.ts'
import type { AllServerFiles } from '../files/all-server-files.ts'
import { refusal } from '../../host/refusal.ts'
import { PartialChangeError } from '../runtime/failed-work.ts'
import type { Runtime } from '../runtime/types.ts'
import { requireFolder, type ServerFolders } from '../files/server-folders.ts'
import type { InstalledRecords } from '../software/installed.ts'
import type { InstallPorts } from '../software/software.ts'
import { sweepStaged, sweepUndecided } from '../software/installs/staged-files.ts'
import type { ServerRow } from '../store/servers.ts'
import type { Store } from '../store/store.ts'
import type { PackRecord, WantedPack } from './pack-record.ts'
import { readWorldSettings } from '../worlds/server-properties.ts'
import { carryOut } from './carry-out.ts'
import { type CopyRecord, CopyRecords, notesPackOf } from './copy-records.ts'
import { dimensionMoves, worldMoves } from './dimension-moves.ts'
import { makeCopy } from './make-copy.ts'
import { removedByReset } from './parts.ts'
import { preparePack } from './prepare-pack.ts'
import {
  changeWords,
  gone,
  type PackChange,
  packWords,
  resetWords,
  same,
  type SoftwareChoice,
  wentBack,
} from './change-words.ts'
import { reset, settleJournal, settleOpen, swap, type SettleContext } from './settle.ts'
import { TouchedFiles } from './touched-files.ts'

interface ServerChangesOptions {
  store: Pick<Store, 'servers'>
  runtime: Pick<Runtime, 'work' | 'say' | 'requireDown' | 'software' | 'isDown' | 'beforeStart'>
  folders: Pick<ServerFolders, 'copiesOf'>
  files: Pick<AllServerFiles, 'of'>
  records: InstalledRecords
  clock: Clock
  log: Logger
  changed: (row: ServerRow) => void
  allChanged: (serverId: string) => void
  endJobs: (serverId: string) => Promise<unknown>
}

/** Each change is committed in one synchronous step; `settle.ts` completes or rolls back killed ones. */
export class ServerChanges {
  readonly #options: ServerChangesOptions

  /** Settles what an earlier run left open. Create before using any server. */
  constructor(options: ServerChangesOptions) {
    this.#options = options
    const { store, log } = options
    for (const { id } of store.servers.all()) {
      try {
        // The runtime isn't informed yet: it learns about all servers later.
        const settling = this.#settling(id)
        settleJournal({ ...settling, changed: () => undefined })
        void this.#sweep(id)
        void sweepUndecided(settling.files, settling.records).catch((error: unknown) =>
          log.warn({ err: error, serverId: id }, 'what was prepared could not be removed'),
        )
      } catch (error) {
        log.error({ err: error, serverId: id }, 'a change of a server could not be settled')
      }
    }
    options.runtime.beforeStart((id) => {
      // The start was prepared with the old software and folder.
      if (!this.settle(id)) return Promise.resolve()
      return Promise.reject(new Error('An earlier change of the server was finished first. Start it again.'))
    })
  }

  /** The one to go back to, which uses it up: null if that is locked. */
  copyOf(serverId: string): CopyRecord | null {
    const [newest] = this.copiesOf(serverId)
    return !newest || newest.locked ? null : newest
  }

  /** Newest first. */
  copiesOf(serverId: string): readonly CopyRecord[] {
    return this.#copies(serverId).list
  }

  /** Differs after each change or undo, and while one is unfinished. */
  stateOf(serverId: string): string {
    const copies = this.#copies(serverId)
    return [...copies.list.map(({ id }) => id), copies.isOpen ? 'open' : ''].join(' ')
  }

  /** Throws 409 unless the server is down, 422 `software.same`. */
  change(
    serverId: string,
    to: SoftwareChoice,
    license: { by: string; at: number } | null,
    pack: PackChange | null = null,
  ): void {
    const { runtime } = this.#options
    runtime.requireDown(serverId, pack ? 'install-the-modpack' : 'change-its-software')
    this.settle(serverId)
    const { softwareId, softwareVersion } = this.#row(serverId)
    const software = runtime.software(to.id)
    if (softwareId === to.id && softwareVersion === to.version && !software?.installation) throw same()
    const what = `${software?.name ?? to.id} ${to.version}`
    const { root } = this.#options.files.of(serverId)
    const words = pack ? packWords(pack, !pack.isFirst || readdirSync(root).length > 0) : changeWords(what)
    void runtime
      .work(serverId, words, (ports) => this.#change(serverId, to, license, pack, ports))
      .finally(() => pack?.done())
      .catch((error: unknown) => this.#options.log.warn({ err: error, serverId }, 'a modpack was not let go'))
  }

  packOf(serverId: string): PackRecord | null {
    return this.#copies(serverId).pack
  }

  /** The modpack the server was created from, until it is installed. */
  wantedPackOf(serverId: string): WantedPack | null {
    return this.#copies(serverId).wantedPack
  }

  isAwaited(importId: string): boolean {
    return this.#options.store.servers
      .all()
      .some(({ id }) => this.wantedPackOf(id)?.sent?.importId === importId)
  }

  wantPack(serverId: string, wanted: WantedPack | null): void {
    this.#copies(serverId).wantedPack = wanted
  }

  copiedPack(from: string): (to: string) => void {
    return notesPackOf(this.#copies(from), (to) => this.#copies(to))
  }

  async #change(
    serverId: string,
    to: SoftwareChoice,
    license: { by: string; at: number } | null,
    pack: PackChange | null,
    ports: InstallPorts,
  ): Promise<void> {
    const { runtime } = this.#options
    await this.#afterCopy(serverId, 'change', ports, async (settling, copy, names) => {
      const installation = runtime.software(to.id)?.installation
      await installation?.prepare(this.#specOf(serverId, to), ports)
      const brought = pack && (await preparePack(pack, settling, ports))
      const { level } = await readWorldSettings(settling.files)
      const touched = await TouchedFiles.of(settling, { copy, names, brought }, ports.signal)
      ports.signal.throwIfAborted()
      // Synchronous from here to the end of this block.
      const former = runtime.software(copy.software.id)
      const moves = to.newWorld
        ? worldMoves(settling.files, level)
        : dimensionMoves(settling.files, level, former, runtime.software(to.id))
      carryOut(settling, {
        ...{ copy: { ...copy, ...(pack && { isPack: true }) }, to, license, brought, touched, moves },
        // Files added meanwhile can be restored, too.
        isFromNothing: pack !== null && pack.isFirst && names.length === 0,
        place: installation && (() => installation.place(serverId)),
        aside: () => this.#newRecord(serverId, 'undo'),
      })
      const moved = to.newWorld ? 'console.world-aside' : 'console.folder-moved'
      for (const { from, to: now } of moves) ports.say(refusalText(moved, { from, to: now }))
    })
  }

  async #afterCopy(
    serverId: string,
    reason: 'change' | 'reset',
    ports: InstallPorts,
    act: (settling: SettleContext, copy: CopyRecord, names: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const copy = this.#newRecord(serverId, reason)
    await this.inWork(serverId, async (settling) => {
      const { copies, files } = settling
      const { bytes, names } = await makeCopy(files, copies.at(copy), ports)
      await act(settling, { ...copy, bytes }, names)
    })
  }

  /** Within work of the runtime, while the server is down. Claims that nothing has changed only if that is true. */
  async inWork(
    serverId: string,
    act: (settling: SettleContext, newRecord: () => CopyRecord) => Promise<void>,
  ): Promise<void> {
    const { records, endJobs } = this.#options
    const settling = this.#settling(serverId)
    const { copies, files } = settling
    try {
      await endJobs(serverId)
      await act(settling, () => this.#newRecord(serverId, 'undo'))
    } catch (error) {
      throw this.#failed(serverId, error)
    } finally {
      if (!copies.isOpen) {
        await records.dropNext(serverId)
        await sweepStaged(files, records)
      }
      await this.#sweep(serverId)
      this.#told(serverId)
    }
  }

  /** True if there was one. Throws 409 `software.unsettled` and `server.folder-missing`. */
  settle(serverId: string): boolean {
    requireFolder(this.#options.files.of(serverId).root)
    if (!this.#copies(serverId).isOpen) return false
    settleOpen(this.#settling(serverId))
    return true
  }

  /** Claims that nothing has changed only if that is true. */
  #failed(serverId: string, error: unknown): unknown {
    if (!this.#copies(serverId).isOpen) return error
    const { log } = this.#options
    log.error({ err: error, serverId }, 'a change of a server could be neither done nor taken back')
    try {
      // Committed: perhaps only the last step failed.
      if (!settleOpen(this.#settling(serverId))) return error
      return new PartialChangeError(refusalText('software.second-try'))
    } catch {
      return new PartialChangeError(refusalText('software.unsettled.now'))
    }
  }

  /** Throws 409 unless the server is down. */
  reset(serverId: string, keep: readonly KeptPart[]): void {
    const { runtime } = this.#options
    runtime.requireDown(serverId, 'reset-it')
    this.settle(serverId)
    void runtime.work(serverId, resetWords, (ports) => this.#reset(serverId, keep, ports))
  }

  #reset(serverId: string, keep: readonly KeptPart[], ports: InstallPorts): Promise<void> {
    return this.#afterCopy(serverId, 'reset', ports, async (settling, copy, names) => {
      const { level } = await readWorldSettings(settling.files)
      ports.signal.throwIfAborted()
      reset(settling, copy, removedByReset(names, level, keep))
    })
  }

  /** Throws 409 `software.no-copy`, 409 unless down. `check` runs right before the swap. `id`: default the newest. */
  async undo(serverId: string, check: () => void, id?: string): Promise<void> {
    const { runtime } = this.#options
    this.requireCopy(serverId, id)
    await this.#options.endJobs(serverId)
    check()
    runtime.requireDown(serverId, 'go-back')
    this.settle(serverId)
    const copy = this.requireCopy(serverId, id)
    try {
      swap(this.#settling(serverId), copy, {
        ...this.#newRecord(serverId, 'undo'),
        isOwners: copy.isOwners,
      })
    } catch (error) {
      const open = this.#copies(serverId).isOpen
      if (open) this.#options.log.error({ err: error, serverId }, 'going back could not be finished')
      if (!open || !this.settle(serverId)) throw error
    } finally {
      this.#told(serverId)
    }
    const { softwareId, softwareVersion } = this.#row(serverId)
    const what = `${runtime.software(softwareId)?.name ?? softwareId} ${softwareVersion}`
    runtime.say(serverId, wentBack(what))
    void this.#sweep(serverId)
  }

  /** Throws 409 `software.no-copy`. */
  requireCopy(serverId: string, id = this.copyOf(serverId)?.id): CopyRecord {
    const copy = this.copiesOf(serverId).find((one) => one.id === id)
    if (copy) return copy
    throw refusal(409, 'software.no-copy')
  }

  async forgetCopy(serverId: string, wanted?: string): Promise<void> {
    const { id } = this.requireCopy(serverId, wanted)
    const copies = this.#copies(serverId)
    copies.list = copies.list.filter((copy) => copy.id !== id)
    if (this.#options.runtime.isDown(serverId)) await this.#sweep(serverId)
  }

  #newRecord(serverId: string, reason: CopyRecord['reason']): CopyRecord {
    const { softwareId, softwareVersion } = this.#row(serverId)
    const there = this.#options.records.read(serverId)
    const isOf = there?.software === softwareId && there.version === softwareVersion && !there.staged
    return {
      id: `copy-${randomUUID()}`,
      at: this.#options.clock.now(),
      reason,
      isOwners: reason === 'reset',
      software: { id: softwareId, version: softwareVersion },
      installed: isOf ? there : null,
      pack: this.#copies(serverId).packId,
      bytes: null,
    }
  }

  #specOf(serverId: string, software: SoftwareChoice) {
    const { name, memoryMb, port } = this.#row(serverId)
    const folder = this.#options.files.of(serverId).root
    return { id: serverId, name, folder, software, memoryMb, port, host: '' }
  }

  #row(serverId: string): ServerRow {
    const row = this.#options.store.servers.byId(serverId)
    if (!row) throw gone()
    return row
  }

  #copies(serverId: string): CopyRecords {
    return new CopyRecords(this.#options.folders.copiesOf(serverId))
  }

  #settling(serverId: string): SettleContext {
    const { store, records, files, changed, log } = this.#options
    return {
      serverId,
      copies: this.#copies(serverId),
      files: files.of(serverId),
      store,
      records,
      changed,
      log,
    }
  }

  async #sweep(serverId: string): Promise<void> {
    const copies = this.#copies(serverId)
    await copies.remove(copies.leftovers()).catch((error: unknown) => {
      this.#options.log.warn({ err: error, serverId }, 'a former copy could not be removed')
    })
  }

  #told(serverId: string): void {
    this.#options.files.of(serverId).space.forget()
    this.#options.allChanged(serverId)
  }
}
