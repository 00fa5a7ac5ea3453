import { tell } from '../../contract/messages/refusals/index.ts'
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { Logger } from 'pino'
import type { KeptPart } from '../../contract/areas/servers.ts'
import type { Clock } from '../base/clock.ts'
import type { AllServerFiles } from '../files/all-server-files.ts'
import { refusal } from '../base/refusal.ts'
import { ToldInFull } from '../runtime/failed-work.ts'
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
import { type CopyRecord, CopyRecords } from './copy-records.ts'
import { notesPackOf } from './copied-pack.ts'
import { dimensionMoves } from './dimension-moves.ts'
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
} from './change-words.ts'
import { finishReset, settleJournal, settleOpen, swap, type Settling } from './settle.ts'
import { TouchedFiles } from './touched-files.ts'

export interface ServerChangesOptions {
  store: Pick<Store, 'servers'>
  runtime: Pick<Runtime, 'work' | 'requireDown' | 'software' | 'isDown' | 'beforeStart'>
  folders: Pick<ServerFolders, 'copiesOf'>
  files: Pick<AllServerFiles, 'of'>
  records: InstalledRecords
  clock: Clock
  log: Logger
  /** The software of a server is another one now. */
  changed: (row: ServerRow) => void
  /** Nothing of a server need be as it was. */
  allChanged: (serverId: string) => void
  /** Ends the jobs on the files of a server, and what is being installed there. */
  endJobs: (serverId: string) => Promise<unknown>
}

/**
 * Changes servers as a whole: their software, or back to a fresh world. A copy is made before, and leads back. Each change
 * is decided in one step that nothing of this process interrupts; a kill leaves before or after (`settle.ts`).
 */
export class ServerChanges {
  readonly #options: ServerChangesOptions

  /** Finishes what an earlier run was killed at. To be made before anything is done with servers. */
  constructor(options: ServerChangesOptions) {
    this.#options = options
    const { store, log } = options
    for (const { id } of store.servers.all()) {
      try {
        // The runtime is told of all servers after this.
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
      // What was told of its software and folder before may not be so any more.
      if (!this.settle(id)) return Promise.resolve()
      return Promise.reject(new Error('An earlier change of the server was finished first. Start it again.'))
    })
  }

  /** The copy that leads back; null where there is none. */
  copyOf(serverId: string): CopyRecord | null {
    return this.#copies(serverId).current
  }

  /** Another one after each change that is done or undone, and while one is not finished. */
  stateOf(serverId: string): string {
    const copies = this.#copies(serverId)
    return `${copies.current?.id ?? 'none'}${copies.isOpen ? ' open' : ''}`
  }

  /**
   * Begins to change a server's software. Throws 409 where the server is not down, 422 `software.same`. The console says how
   * it goes.
   */
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

  /** What the modpack of a server has brought; null where there is none. */
  packOf(serverId: string): PackRecord | null {
    return this.#copies(serverId).pack
  }

  /** The modpack that a server was created from and that is not installed yet. */
  wantedPackOf(serverId: string): WantedPack | null {
    return this.#copies(serverId).wantedPack
  }

  /** Whether a server waits for the modpack that was sent to this import. */
  isAwaited(importId: string): boolean {
    return this.#options.store.servers
      .all()
      .some(({ id }) => this.wantedPackOf(id)?.sent?.importId === importId)
  }

  /** Notes that a server is to have a modpack, before it is there; null: no longer. */
  wantPack(serverId: string, wanted: WantedPack | null): void {
    this.#copies(serverId).wantedPack = wanted
  }

  /** What notes for a copy of a server which modpack that has. Throws what `notesPackOf` throws. */
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
    const { runtime, records } = this.#options
    const settling = this.#settling(serverId)
    const installation = runtime.software(to.id)?.installation
    const before = this.#newRecord(serverId, 'change')
    const copies = this.#copies(serverId)
    try {
      await this.#options.endJobs(serverId)
      const { bytes, names } = await makeCopy(settling.files, copies.at(before), ports)
      await installation?.prepare(this.#specOf(serverId, to), ports)
      const brought = pack && (await preparePack(pack, settling, ports))
      const { level } = await readWorldSettings(settling.files)
      const touched = await TouchedFiles.of(settling, { copy: before, names, brought }, ports.signal)
      ports.signal.throwIfAborted()
      // From here to the end of this block nothing waits.
      const former = runtime.software(before.software.id)
      const moves = dimensionMoves(settling.files, level, former, runtime.software(to.id))
      carryOut(settling, {
        ...{ copy: { ...before, bytes }, to, license, brought, touched, moves },
        // Whatever somebody has put there meanwhile leads back, too.
        isFromNothing: pack !== null && pack.isFirst && names.length === 0,
        place: installation && (() => installation.place(serverId)),
        aside: () => this.#newRecord(serverId, 'undo'),
      })
      for (const { from, to } of moves) ports.say(`The folder ${from} of the world is ${to} now.`)
    } catch (error) {
      throw this.#failed(serverId, error)
    } finally {
      if (!copies.isOpen) {
        await records.dropNext(serverId)
        await sweepStaged(settling.files, records)
      }
      await this.#sweep(serverId)
      this.#told(serverId)
    }
  }

  /**
   * Finishes what is still open of a server, or takes it back. Answers whether there was anything. Throws 409
   * `software.unsettled` where that cannot be done now, and `server.folder-missing`.
   */
  settle(serverId: string): boolean {
    requireFolder(this.#options.files.of(serverId).root)
    if (!this.#copies(serverId).isOpen) return false
    settleOpen(this.#settling(serverId))
    return true
  }

  /** What is told of what failed: that all is as it was is said only where that is so. */
  #failed(serverId: string, error: unknown): unknown {
    if (!this.#copies(serverId).isOpen) return error
    const { log } = this.#options
    log.error({ err: error, serverId }, 'a change of a server could be neither done nor taken back')
    try {
      // Where it was decided, perhaps only the last step of it failed.
      if (!settleOpen(this.#settling(serverId))) return error
      return new ToldInFull(tell('software.second-try'))
    } catch {
      return new ToldInFull(tell('software.unsettled.now'))
    }
  }

  /** Begins to give a server a fresh world. Throws 409 where it is not down. */
  reset(serverId: string, keep: readonly KeptPart[]): void {
    const { runtime } = this.#options
    runtime.requireDown(serverId, 'reset-it')
    this.settle(serverId)
    void runtime.work(serverId, resetWords, (ports) => this.#reset(serverId, keep, ports))
  }

  async #reset(serverId: string, keep: readonly KeptPart[], ports: InstallPorts): Promise<void> {
    const settling = this.#settling(serverId)
    const before = this.#newRecord(serverId, 'reset')
    const copies = this.#copies(serverId)
    try {
      await this.#options.endJobs(serverId)
      const { bytes, names } = await makeCopy(settling.files, copies.at(before), ports)
      const { level } = await readWorldSettings(settling.files)
      ports.signal.throwIfAborted()
      // From here to the end of this block nothing waits.
      const remove = removedByReset(names, level, keep)
      finishReset(settling, { kind: 'reset', copy: { ...before, bytes }, remove })
    } catch (error) {
      throw this.#failed(serverId, error)
    } finally {
      await this.#sweep(serverId)
      this.#told(serverId)
    }
  }

  /**
   * Puts the copy in the place of what there is, which becomes the copy. Throws 409 `software.no-copy`, 409 where the
   * server is not down. `check` is called at the last moment.
   */
  async undo(serverId: string, check: () => void): Promise<void> {
    const { runtime } = this.#options
    this.requireCopy(serverId)
    await this.#options.endJobs(serverId)
    check()
    // From here to the end nothing waits.
    runtime.requireDown(serverId, 'go-back')
    this.settle(serverId)
    const copy = this.requireCopy(serverId)
    try {
      swap(this.#settling(serverId), copy, this.#newRecord(serverId, 'undo'))
    } catch (error) {
      const open = this.#copies(serverId).isOpen
      if (open) this.#options.log.error({ err: error, serverId }, 'going back could not be finished')
      // Answers at once where the second try finishes it.
      if (!open || !this.settle(serverId)) throw error
    } finally {
      this.#told(serverId)
    }
    void this.#sweep(serverId)
  }

  /** The copy that leads back. Throws 409 `software.no-copy`. */
  requireCopy(serverId: string): CopyRecord {
    const copy = this.copyOf(serverId)
    if (copy) return copy
    throw refusal(409, 'software.no-copy')
  }

  /** Deletes the copy that leads back. Throws 409 while the server is being changed. */
  async forgetCopy(serverId: string): Promise<void> {
    this.requireCopy(serverId)
    this.#copies(serverId).current = null
    if (this.#options.runtime.isDown(serverId)) await this.#sweep(serverId)
  }

  #newRecord(serverId: string, reason: CopyRecord['reason']): CopyRecord {
    const { softwareId, softwareVersion } = this.#row(serverId)
    const there = this.#options.records.read(serverId)
    const isOf = there?.software === softwareId && there.version === softwareVersion && !there.staged
    const isOwners = reason === 'reset' || (reason === 'undo' && (this.copyOf(serverId)?.isOwners ?? false))
    return {
      id: `copy-${randomUUID()}`,
      at: this.#options.clock.now(),
      reason,
      isOwners,
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

  #settling(serverId: string): Settling {
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
