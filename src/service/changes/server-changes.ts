import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import type { KeptPart } from '../../contract/areas/servers.ts'
import type { Clock } from '../clock.ts'
import type { AllServerFiles } from '../files/all-server-files.ts'
import { diskFullRefusal } from '../disk-full.ts'
import { asRefusal } from '../files/refusals.ts'
import { Refusal } from '../refusal.ts'
import type { Runtime } from '../runtime/types.ts'
import type { ServerFolders } from '../server-folders.ts'
import type { InstalledRecords } from '../software/installed.ts'
import { CUSTOM } from '../software/custom-jar.ts'
import type { InstallPorts } from '../software/software.ts'
import { requireRoomFor, sweepStaged } from '../software/staged-files.ts'
import type { ServerRow } from '../store/servers.ts'
import type { Store } from '../store/store.ts'
import type { PackRecord, WantedPack } from '../packs/pack-record.ts'
import { readWorldSettings } from '../worlds/server-properties.ts'
import { type CopyRecord, CopyRecords } from './copy-records.ts'
import { makeCopy } from './make-copy.ts'
import { removedByReset } from './parts.ts'
import { changeWords, gone, type PackChange, packWords, same, type SoftwareChoice } from './change-words.ts'
import { finishPack, finishReset, settleJournal, swap, type Settling } from './settle.ts'

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
        settleJournal({ ...this.#settling(id), changed: () => undefined })
        void this.#sweep(id)
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
    runtime.requireDown(serverId, pack ? 'install the modpack' : 'change its software')
    this.settle(serverId)
    const { softwareId, softwareVersion } = this.#row(serverId)
    const software = runtime.software(to.id)
    if (softwareId === to.id && softwareVersion === to.version && !software?.installation) throw same()
    const what = `${software?.name ?? to.id} ${to.version}`
    const words = pack ? packWords(pack) : changeWords(what)
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

  /** Notes that a server is to have a modpack, before it is there; null: no longer. */
  wantPack(serverId: string, wanted: WantedPack | null): void {
    this.#copies(serverId).wantedPack = wanted
  }

  async #change(
    serverId: string,
    to: SoftwareChoice,
    license: { by: string; at: number } | null,
    pack: PackChange | null,
    ports: InstallPorts,
  ): Promise<void> {
    const { store, runtime, records, changed } = this.#options
    const settling = this.#settling(serverId)
    const installation = runtime.software(to.id)?.installation
    const before = this.#newRecord(serverId, 'change')
    const copies = this.#copies(serverId)
    const former = copies.current
    try {
      await this.#options.endJobs(serverId)
      const { bytes } = await makeCopy(settling.files, copies.at(before), ports)
      await installation?.prepare(this.#specOf(serverId, to), ports)
      const brought = pack && (await this.#preparePack(serverId, pack, settling, ports))
      ports.signal.throwIfAborted()
      const copy = { ...before, bytes }
      const coming = brought && { id: brought.id, remove: brought.removed }
      // From here to the end of this block nothing waits.
      if (brought) copies.addPack(brought)
      copies.journal = { kind: 'change', copy, to, ...(coming && { pack: coming }) }
      const row = store.servers.setSoftware(serverId, { id: to.id, version: to.version }, license)
      if (!row) throw gone()
      records.promote(serverId)
      copies.current = copy
      try {
        if (coming) finishPack(settling, coming)
        copies.journal = null
        changed(row)
        installation?.place(serverId)
      } catch (error) {
        copies.journal = null
        swap(settling, copy, this.#newRecord(serverId, 'undo'))
        copies.current = former
        throw error
      }
      removeFormer(settling.files.root, copy, settling)
      if (brought) copies.wantedPack = null
      // Before it there was an empty folder.
      if (pack?.isFirst) copies.current = null
    } finally {
      if (!copies.isOpen) {
        await records.dropNext(serverId)
        await sweepStaged(settling.files, records)
      }
      await this.#sweep(serverId)
      this.#told(serverId)
    }
  }

  /** Has the files of a modpack ready beside those of its software, which are ready already. */
  async #preparePack(
    serverId: string,
    pack: PackChange,
    { files, records, copies }: Settling,
    ports: InstallPorts,
  ): Promise<PackRecord> {
    const staged = records.next(serverId)?.staged
    if (staged === undefined) throw new Error(`The software for this modpack could not be prepared.`)
    const folder = path.join(files.staging, staged)
    try {
      const brought = await pack.prepare(folder, copies.pack, ports)
      requireRoomFor(folder, files.root)
      return brought
    } catch (error) {
      ports.signal.throwIfAborted()
      throw diskFullRefusal(error) ?? asRefusal(error, '')
    }
  }

  /**
   * Finishes what is still open of a server, or takes it back. Answers whether there was anything. Throws 409
   * `software.unsettled` where that cannot be done now.
   */
  settle(serverId: string): boolean {
    const copies = this.#copies(serverId)
    if (!copies.isOpen) return false
    try {
      settleJournal(this.#settling(serverId))
    } catch (error) {
      this.#options.log.error({ err: error, serverId }, 'a change of a server could not be settled')
    }
    if (!copies.isOpen) return true
    throw new Refusal(
      409,
      'software.unsettled',
      'An earlier change of this server could not be finished, and nothing is done with it until then. Check the disk of the service and its log, then try again.',
    )
  }

  /** Begins to give a server a fresh world. Throws 409 where it is not down. */
  reset(serverId: string, keep: readonly KeptPart[]): void {
    const { runtime } = this.#options
    runtime.requireDown(serverId, 'reset it')
    this.settle(serverId)
    const words = {
      begins: 'Resetting the server. A copy of it is made first.',
      done: 'The server is reset. A fresh world is made at the next start.',
      canceled: 'The reset was canceled. The server is as it was before.',
      failed: 'The server was not reset, and is as it was before.',
    }
    void runtime.work(serverId, words, (ports) => this.#reset(serverId, keep, ports))
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
    runtime.requireDown(serverId, 'go back')
    this.settle(serverId)
    const copy = this.requireCopy(serverId)
    swap(this.#settling(serverId), copy, this.#newRecord(serverId, 'undo'))
    this.#told(serverId)
    void this.#sweep(serverId)
  }

  /** The copy that leads back. Throws 409 `software.no-copy`. */
  requireCopy(serverId: string): CopyRecord {
    const copy = this.copyOf(serverId)
    if (copy) return copy
    throw new Refusal(409, 'software.no-copy', 'There is no copy of this server to go back to.')
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

/** Removes the jar of the former software, which is in the copy; one that people brought themselves is theirs. */
function removeFormer(root: string, { installed }: CopyRecord, { records, serverId }: Settling): void {
  if (!installed || !('jar' in installed) || installed.software === CUSTOM) return
  const now = records.read(serverId)
  if (now && 'jar' in now && now.jar === installed.jar) return
  try {
    rmSync(path.join(root, installed.jar), { force: true })
  } catch {
    // It does no harm.
  }
}
