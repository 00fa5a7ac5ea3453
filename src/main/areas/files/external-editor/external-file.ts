import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  ExternalFile as Shown,
  ExternalFileState,
} from '../../../../contract/bridge/external-editor-calls.ts'
import type { ServerRef } from '../../../../contract/bridge/values.ts'
import { localized } from '../../../../contract/messages/localized-text.ts'
import { Lanes } from '../../../../contract/rules/lanes.ts'
import type { ApiClient } from '../../../api/client.ts'
import { PanelProblem, problem } from '../../../base/problem.ts'
import { backoffMs } from '../../../base/retry.ts'
import type { Log } from '../../../logging/log.ts'
import { fsProblem } from '../../../base/fs-problem.ts'
import { away, passes } from '../../../base/backoff.ts'
import { hashTag, readWhole, TEXT_MOST_BYTES, textOf } from '../contents.ts'
import type { PreviousVersions } from '../previous-versions.ts'
import { saveText } from '../save.ts'
import { type LocalContent, hashOf, putBack, readHere } from './local-copy.ts'
import { type ExternalFileRecord, keepRecord } from './record.ts'
import { watchFolder } from './watch-folder.ts'

/** Quiet time before a save counts as finished: editors write in several steps. */
const SETTLE_MS = 400
const RETRY_FIRST_MS = 1000
const RETRY_MOST_MS = 30_000

export interface ExternalEditorPorts {
  root: string
  client: (connectionId: string) => ApiClient
  former: PreviousVersions
  writing: <T>(server: ServerRef, work: () => Promise<T>) => Promise<T>
  toProblem: (thrown: unknown) => PanelProblem['problem']
  log: Log
  now: () => number
  isGone: (server: ServerRef) => boolean
  changed: () => void
  settleMs?: number
}

/** A file open in an external editor. Operations run one at a time; saves stay here until the server has them. */
export class ExternalFile {
  readonly id: string
  readonly #ports: ExternalEditorPorts
  #record: ExternalFileRecord
  #state: ExternalFileState
  readonly #turns = new Lanes({ atOnce: 1 })
  #stopWatching: (() => void) | null = null
  #settling: NodeJS.Timeout | null = null
  #retrying: NodeJS.Timeout | null = null
  /** Consecutive refused attempts, and the hash of that content; it is retried later. */
  #tries = 0
  #refused: string | null = null
  /** Editors truncate before writing, so an empty file counts only the second time. */
  #emptyOnce = false
  #closed = false

  constructor(id: string, record: ExternalFileRecord, ports: ExternalEditorPorts) {
    this.id = id
    this.#record = record
    this.#ports = ports
    this.#state = { kind: record.readOnly ? 'read-only' : 'watched' }
  }

  get server(): ServerRef {
    const { connectionId, serverId } = this.#record
    return { connectionId, serverId }
  }
  get path(): string {
    return this.#record.path
  }
  get name(): string {
    return this.#record.name
  }
  get folder(): string {
    return join(this.#ports.root, this.id)
  }
  get file(): string {
    return join(this.folder, this.#record.name)
  }
  get shown(): Shown {
    const { connectionId, serverId, path, sentAt } = this.#record
    const isGone = this.#ports.isGone(this.server)
    return { id: this.id, connectionId, serverId, path, sentAt, state: this.#state, isGone }
  }

  /** Handles saves made before the panel started, then watches, even if the file is unreadable now. */
  async resume(): Promise<void> {
    try {
      await this.#turns.run('', async () => {
        // The panel may have been killed in the middle of an ending.
        await putBack(this.folder)
        if (!this.#record.readOnly) await this.#find()
      })
    } catch (error) {
      this.#become({ kind: 'failed', problem: this.#ports.toProblem(fsProblem(error, this.name)) })
      throw error
    } finally {
      this.watch()
    }
  }

  async #find(): Promise<void> {
    const here = await readHere(this.file)
    if (here.kind === 'nothing' || (here.kind === 'bytes' && here.hash === this.#record.hash)) return
    if (here.kind !== 'moving') this.#refused = keyOf(here)
    this.#become({ kind: 'found' })
  }

  /** Applies changed permissions. Earlier saves are still sent. */
  async permit(readOnly: boolean): Promise<void> {
    if (readOnly === this.#record.readOnly || (readOnly && (await this.isUnsent()))) return
    await chmod(this.file, readOnly ? 0o400 : 0o600).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    })
    this.#keep({ readOnly })
    if (readOnly) {
      this.#stopWatching?.()
      this.#stopWatching = null
      this.#forgetTimers()
    }
    this.#state = { kind: readOnly ? 'read-only' : 'watched' }
    this.watch()
    if (!readOnly) await this.#find()
    this.#ports.changed()
  }

  watch(): void {
    if (!this.#record.readOnly) this.#stopWatching ??= watchFolder(this.folder, () => this.#settle())
  }

  /** Whether a save here, or at `file`, isn't on the server. Throws if unreadable. */
  async isUnsent(file = this.file): Promise<boolean> {
    const here = await readHere(file)
    return here.kind !== 'nothing' && !(here.kind === 'bytes' && here.hash === this.#record.hash)
  }

  async isHere(): Promise<boolean> {
    return (await readHere(this.file)).kind !== 'nothing'
  }

  reached(): void {
    if (this.#state.kind === 'waiting') void this.#look(true)
  }

  /** Sends on the user's request; `overwrite` ignores the server's version. */
  send(overwrite: boolean): Promise<void> {
    return this.#turns.run('', async () => {
      if (this.#record.readOnly) throw problem('forbidden', localized('external-editor.read-only'))
      const here = await readHere(this.file)
      if (here.kind === 'moving') return this.#settle()
      if (here.kind === 'nothing')
        throw problem('not-found', localized('external-editor.gone', { name: this.name }))
      await this.#send(here, overwrite)
    })
  }

  async text(): Promise<string> {
    const here = await readHere(this.file)
    const text = here.kind === 'bytes' ? textOf(here.bytes) : null
    if (text === null) throw problem('invalid', localized('external-editor.no-text', { name: this.name }))
    return text
  }

  isAgreed(bytes: Uint8Array): boolean {
    return hashOf(bytes) === this.#record.hash
  }

  agree(etag: string, bytes: Uint8Array): void {
    this.#keep({ etag, hash: hashOf(bytes) })
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run('', work)
  }

  /** Stops watching after pending work. */
  async close(): Promise<void> {
    this.#stopWatching?.()
    this.#stopWatching = null
    // Check a recent save now: nobody will later.
    const isPending = this.#settling !== null
    this.#forgetTimers()
    if (isPending) await this.#look(false)
    this.#closed = true
    this.#forgetTimers()
    await this.#turns.run('', () => undefined)
  }

  #forgetTimers(): void {
    for (const timer of [this.#settling, this.#retrying]) if (timer) clearTimeout(timer)
    this.#settling = null
  }

  #settle(): void {
    if (this.#settling) clearTimeout(this.#settling)
    if (this.#closed) return
    this.#settling = setTimeout(() => {
      this.#settling = null
      void this.#look(false)
    }, this.#ports.settleMs ?? SETTLE_MS).unref()
  }

  /** Sends a save unless the user has to decide first; `again` retries refused content. Never rejects. */
  #look(again: boolean): Promise<void> {
    return this.#turns
      .run('', async () => {
        if (this.#closed || this.#record.readOnly) return
        const here = await readHere(this.file)
        if (here.kind === 'moving') return this.#settle()
        if (here.kind === 'nothing') return
        if (here.kind === 'bytes' && here.hash === this.#record.hash) {
          // Also if the user has undone the change that was in the way.
          return this.#state.kind === 'watched' ? undefined : this.#become({ kind: 'watched' })
        }
        const isEmpty = here.kind === 'bytes' && here.bytes.length === 0
        const isFirst = isEmpty && !this.#emptyOnce
        this.#emptyOnce = isEmpty
        if (isFirst) return this.#settle()
        if (!again && keyOf(here) === this.#refused) return
        if (this.#state.kind !== 'conflict') await this.#send(here, false)
      })
      .catch((error: unknown) => {
        this.#ports.log.warn('what an editor saved could not be sent', { error })
        this.#become({ kind: 'failed', problem: this.#ports.toProblem(error) })
      })
  }

  async #send(here: Extract<LocalContent, { kind: 'bytes' | 'large' }>, overwrite: boolean): Promise<void> {
    // Clear only this timer: newer saves are checked separately.
    if (this.#retrying) clearTimeout(this.#retrying)
    this.#refused = keyOf(here)
    const text = here.kind === 'bytes' ? textOf(here.bytes) : null
    if (here.kind === 'large' || text === null) {
      const why =
        here.kind === 'large'
          ? problem(
              'too-large',
              localized('external-editor.too-large', { name: this.name, most: TEXT_MOST_BYTES }),
            )
          : problem('invalid', localized('external-editor.no-text', { name: this.name }))
      return this.#become({ kind: 'failed', problem: { ...why.problem, retryable: false } })
    }
    this.#become({ kind: 'sending' })
    const { former, client, writing } = this.#ports
    const { serverId, connectionId } = this.server
    const base = overwrite
      ? ({ kind: 'overwrite' } as const)
      : ({ kind: 'etag', etag: this.#record.etag } as const)
    try {
      const { etag } = await writing(this.server, () => {
        const at = { client: client(connectionId), serverId, path: this.path }
        return saveText(at, this.server, text, base, former)
      })
      this.#sent(etag, here)
    } catch (thrown) {
      await this.#notSent(thrown, here)
    }
  }

  #sent(etag: string | null, here: Extract<LocalContent, { kind: 'bytes' }>): void {
    this.#tries = 0
    this.#refused = null
    this.#keep({
      etag: etag ?? this.#record.etag,
      hash: here.hash,
      sentAt: new Date(this.#ports.now()).toISOString(),
    })
    this.#become({ kind: 'watched' })
  }

  async #notSent(thrown: unknown, here: Extract<LocalContent, { kind: 'bytes' }>): Promise<void> {
    const why = thrown instanceof PanelProblem ? thrown.problem : this.#ports.toProblem(thrown)
    if (why.code === 'changed') {
      const now = await this.#atServer()
      // An earlier attempt arrived, but its answer was lost.
      if (now?.hash === here.hash) return this.#sent(now.etag ?? hashTag(here.bytes), here)
      return this.#become({ kind: 'conflict', why: 'changed' })
    }
    // The file is missing, as opposed to the connection.
    const isDeleted = why.code === 'not-found' && why.text?.key !== 'account.gone'
    if (isDeleted) return this.#become({ kind: 'conflict', why: 'deleted' })
    if (!away.has(why.code) && !passes(why)) return this.#become({ kind: 'failed', problem: why })
    this.#become({ kind: 'waiting', problem: why })
    const pause =
      why.retryAfter === undefined
        ? backoffMs(this.#tries++, RETRY_FIRST_MS, RETRY_MOST_MS, Math.random())
        : why.retryAfter * 1000
    if (!this.#closed) this.#retrying = setTimeout(() => void this.#look(true), pause).unref()
  }

  async #atServer(): Promise<{ etag: string | null; hash: string } | null> {
    const { connectionId, serverId } = this.server
    try {
      const whole = await readWhole({ client: this.#ports.client(connectionId), serverId, path: this.path })
      return whole.kind === 'bytes' ? { etag: whole.etag, hash: hashOf(whole.bytes) } : null
    } catch {
      return null
    }
  }

  #keep(change: Partial<ExternalFileRecord>): void {
    this.#record = { ...this.#record, ...change }
    try {
      keepRecord(this.#ports.root, this.id, this.#record)
    } catch (error) {
      // Harmless: after a restart it counts as unsent and the user is asked again.
      this.#ports.log.warn('what was sent of a file could not be noted down', { error })
    }
  }

  #become(state: ExternalFileState): void {
    if (this.#record.readOnly) return
    this.#state = state
    this.#ports.changed()
  }
}

const keyOf = (here: Extract<LocalContent, { kind: 'bytes' | 'large' }>) =>
  here.kind === 'bytes' ? here.hash : 'large'
