import { randomUUID } from 'node:crypto'
import { refusalText } from '../../contract/messages/refusals/index.ts'
import { refusal, Refusal, type RefusalReport } from '../../host/refusal.ts'
import { said } from '../runtime/install-run.ts'
import type { BackupRow, StoredBackupSettings } from '../store/backups.ts'
import type { BackupContents, BackupStore } from './backup-store.ts'
import { CopyRows } from './copies/copy-rows.ts'
import { outdated, USUAL_KEEP } from './keep-rule.ts'
import { makeBackup } from './make-backup.ts'
import type { BackupPorts } from './ports.ts'
import { settleBackups } from './settle-backups.ts'
import { requireRoom } from './trial/trial-server.ts'
import { tryBackup } from './trial/try-backup.ts'
import { CanceledWork, Works, type WorkPorts } from './works.ts'

/** What readers of a server's events have to read again. */
const OLD_LIST = ['backups.list'] as const

const BACKUPS_MOST = 2000

export type NewBackup = Pick<BackupRow, 'cause'> & Partial<Pick<BackupRow, 'name' | 'change'>>

/** The backups of all servers. What an earlier run left unfinished is settled at the start. */
export class Backups {
  readonly works: Works
  readonly #ports: BackupPorts
  readonly #copies: CopyRows
  #isClosing = false

  constructor(ports: BackupPorts) {
    this.#ports = ports
    this.#copies = new CopyRows((serverId) => ports.folders.copiesOf(serverId))
    this.works = new Works((serverId) => this.tell(serverId))
    settleBackups(ports, this.works, (serverId) => this.tell(serverId))
  }

  tell(serverId: string): void {
    this.#ports.runtime.tellChanged(serverId, OLD_LIST, '')
  }

  /** Without the copies from before changes. */
  of(serverId: string): BackupRow[] {
    return this.#ports.store.backups.of(serverId)
  }

  all(serverId: string): BackupRow[] {
    return [...this.of(serverId), ...this.#copies.of(serverId)]
  }

  #byId(serverId: string, id: string): BackupRow | null {
    const row = this.#ports.store.backups.byId(serverId, id)
    return row ?? this.#copies.of(serverId).find((copy) => copy.id === id) ?? null
  }

  /** Throws 404 `backups.not-found`. */
  find(serverId: string, id: string): BackupRow {
    const row = this.#byId(serverId, id)
    if (row) return row
    throw refusal(404, 'backups.not-found')
  }

  /** Throws 404 `backups.not-found`, 409 `backups.not-whole`. */
  whole(serverId: string, id: string): { row: BackupRow; store: BackupContents } {
    const row = this.find(serverId, id)
    if (row.state !== 'done') throw refusal(409, 'backups.not-whole')
    return { row, store: row.engine === 'copy' ? this.#copies.contents(serverId) : this.storeOf(row) }
  }

  storeOf({ serverId, engine }: Pick<BackupRow, 'serverId' | 'engine'>): BackupStore {
    const open = engine === 'copy' ? null : this.#ports.stores[engine]
    if (!open) throw refusal(409, 'backups.no-engine')
    return open(serverId)
  }

  settings(serverId: string): StoredBackupSettings & { keep: NonNullable<StoredBackupSettings['keep']> } {
    const settings = this.#ports.store.backups.settings(serverId)
    return { ...settings, keep: settings.keep ?? USUAL_KEEP }
  }

  /** Throws 409 `backups.no-engine`, `backups.targets-need-restic`. */
  changeSettings(serverId: string, change: Partial<StoredBackupSettings>): void {
    const { engine } = change
    if (engine && !this.#ports.stores[engine]) throw refusal(409, 'backups.no-engine').at('engine')
    const settings = { ...this.#ports.store.backups.settings(serverId), ...change }
    if (settings.targets.length > 0 && settings.engine !== 'restic')
      throw refusal(409, 'backups.targets-need-restic').at('targets')
    this.#ports.store.backups.set(serverId, settings)
    if (change.targets) this.#ports.copies.wanted(serverId)
  }

  /** Has begun to wait on return; `ended` never rejects. Throws 409. */
  begin(
    serverId: string,
    wish: NewBackup,
    signal?: AbortSignal,
  ): { row: BackupRow; ended: Promise<BackupRow | null> } {
    this.#requireQuiet(serverId)
    const row = this.#newRow(serverId, wish)
    this.#put(row)
    const ended = this.works
      .run(
        serverId,
        { kind: 'backup', backupId: row.id },
        async (ports) => {
          this.#requireQuiet(serverId)
          await this.#make(row, ports)
          await this.#prune(serverId, ports)
        },
        signal,
      )
      .catch((error: unknown) => this.#failed(row, error))
      .then(() => {
        if (!this.#isClosing) this.#ports.copies.wanted(serverId)
        return this.#ports.store.backups.byId(serverId, row.id)
      })
    return { row, ended }
  }

  /** Resolves to the whole backup. Rejects with why it failed, or the signal's reason. */
  async backUp(
    serverId: string,
    { cause }: Pick<NewBackup, 'cause'>,
    signal: AbortSignal,
  ): Promise<BackupRow> {
    const row = await this.begin(serverId, { cause }, signal).ended
    signal.throwIfAborted()
    if (row?.state === 'done') return row
    throw row?.error ? Refusal.again(500, row.error) : refusal(404, 'backups.not-found')
  }

  /** Within other work on the backups of a server, before what is there is replaced. Rejects if it fails. */
  async before(serverId: string, change: BackupRow['change'], ports: WorkPorts): Promise<void> {
    const row = this.#newRow(serverId, { cause: 'before-change', change })
    this.#put(row)
    try {
      await this.#make(row, ports)
    } catch (error) {
      this.#failed(row, error)
      throw error
    }
    await this.#prune(serverId, ports)
  }

  async #make(row: BackupRow, ports: WorkPorts): Promise<void> {
    const { runtime } = this.#ports
    row.state = 'running'
    this.#put(row)
    const letSleep = runtime.keepAwake(row.serverId, 'backup')
    try {
      Object.assign(row, await makeBackup(this.#ports, row, this.storeOf(row), ports), { state: 'done' })
    } finally {
      letSleep()
    }
    this.#put(row)
    runtime.say(row.serverId, refusalText('console.backed-up', { bytes: row.bytes ?? 0 }))
  }

  /** What was canceled leaves the list. */
  #failed(row: BackupRow, error: unknown): void {
    const { store, runtime, log } = this.#ports
    if (row.state === 'done') return log.warn({ err: error, serverId: row.serverId }, 'old backups stay')
    if (error instanceof CanceledWork && !this.#isClosing) {
      store.backups.remove(row.serverId, row.id)
      return this.tell(row.serverId)
    }
    const why = error instanceof CanceledWork ? refusal(503, 'backups.interrupted') : error
    if (!(why instanceof Refusal)) log.error({ err: why, serverId: row.serverId }, 'a backup failed')
    Object.assign(row, { state: 'failed', error: reportOf(why) })
    this.#put(row)
    if (this.#isClosing) return
    runtime.say(row.serverId, refusalText('console.not-backed-up'), said(toldOf(why)))
    this.#ports.failed(row.serverId)
  }

  async #prune(serverId: string, ports: WorkPorts): Promise<void> {
    const rows = this.of(serverId)
    const ids = outdated(rows, this.settings(serverId).keep)
    await this.#erase(
      rows.filter(({ id }) => ids.includes(id)),
      ports,
    )
  }

  /** Rows go last: until then, an interrupted deletion is seen. */
  async #erase(rows: readonly BackupRow[], ports: WorkPorts): Promise<void> {
    const { store } = this.#ports
    for (const [engine, some] of Map.groupBy(rows, (row) => row.engine)) {
      const there = some.filter(({ state }) => state === 'done')
      const of = { serverId: some[0]!.serverId, engine }
      if (there.length > 0)
        await this.storeOf(of).remove(
          there.map(({ id }) => id),
          ports,
        )
      for (const { serverId, id } of some) {
        this.#ports.copies.unwanted(serverId, id)
        store.backups.remove(serverId, id)
      }
    }
  }

  /** Throws 409 `backups.locked`. */
  async remove(serverId: string, id: string): Promise<void> {
    const row = this.find(serverId, id)
    if (row.locked) throw refusal(409, 'backups.locked')
    if (row.state === 'waiting' || row.state === 'running') throw refusal(409, 'backups.not-whole')
    await this.works.run(serverId, { kind: 'delete', backupId: id }, (ports) => {
      const now = this.find(serverId, id)
      if (now.locked) throw refusal(409, 'backups.locked')
      return now.engine === 'copy' ? this.#ports.changes.forgetCopy(serverId, id) : this.#erase([now], ports)
    })
    this.#ports.copies.wanted(serverId)
  }

  change(serverId: string, id: string, change: { name?: string | null; locked?: boolean }): BackupRow {
    const row = { ...this.find(serverId, id), ...change }
    this.#store(row)
    return row
  }

  /** Has begun to wait on return; `ended` never rejects. Throws 404, 409 also for too little memory. */
  beginTrial(
    serverId: string,
    id: string,
    start: boolean,
    signal?: AbortSignal,
  ): { ended: Promise<BackupRow | null> } {
    const { row, store } = this.whole(serverId, id)
    if (start) requireRoom(this.#ports.runtime.find(serverId).spec)
    const ended = this.works
      .run(
        serverId,
        { kind: 'try', backupId: id },
        async (ports) => {
          const tried = await tryBackup(this.#ports, row, store, start, ports)
          this.#put({ ...this.find(serverId, id), tried })
        },
        signal,
      )
      .catch((error: unknown) => {
        // The runtime ends before we do.
        const isEnded = error instanceof CanceledWork || (error as Error).name === 'AbortError'
        if (!isEnded) this.#notTried(row, error)
      })
      .then(() => this.#byId(serverId, id))
    return { ended }
  }

  #notTried(row: BackupRow, error: unknown): void {
    const { log, runtime } = this.#ports
    if (!(error instanceof Refusal))
      log.error({ err: error, serverId: row.serverId }, 'a backup was not tried')
    runtime.say(row.serverId, refusalText('console.not-tried'), said(toldOf(error)))
  }

  /** Rejects with 404 `backups.not-found` if there is none. */
  async tryNewest(serverId: string, start: boolean, signal: AbortSignal): Promise<BackupRow> {
    const newest = this.of(serverId).find(({ state }) => state === 'done')
    if (!newest) throw refusal(404, 'backups.not-found')
    const row = await this.beginTrial(serverId, newest.id, start, signal).ended
    signal.throwIfAborted()
    if (!row) throw refusal(404, 'backups.not-found')
    return row
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.works.close()
  }

  /** While files are installed or replaced, nothing that fits together could be copied. */
  #requireQuiet(serverId: string): void {
    if (this.#ports.runtime.find(serverId).status().status === 'installing')
      throw refusal(409, 'server.installing.wait', { then: 'back-it-up' })
  }

  #newRow(serverId: string, { cause, change = null, name = null }: NewBackup): BackupRow {
    if (this.of(serverId).length >= BACKUPS_MOST)
      throw refusal(409, 'backups.too-many', { most: BACKUPS_MOST })
    return {
      ...{ id: randomUUID(), serverId, engine: this.settings(serverId).engine, name, cause, change },
      ...{ state: 'waiting', createdAt: this.#ports.clock.now(), bytes: null, addedBytes: null, files: null },
      ...{ locked: false, unpaused: false, tried: null, missing: [], missingCount: 0, software: null },
      error: null,
    }
  }

  /** What a person changed meanwhile stays. */
  #put(row: BackupRow): void {
    const now = this.#byId(row.serverId, row.id)
    this.#store(now ? { ...row, name: now.name, locked: now.locked } : row)
  }

  #store(row: BackupRow): void {
    if (row.engine === 'copy') this.#copies.put(row)
    else this.#ports.store.backups.put(row)
    this.tell(row.serverId)
  }
}

const toldOf = (error: unknown): Refusal =>
  error instanceof Refusal ? error : refusal(500, 'backups.unexpected')

const reportOf = (error: unknown): RefusalReport => toldOf(error).asTold
