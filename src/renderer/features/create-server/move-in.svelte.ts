import type { FoundServer, Import } from '../../../contract/bridge/values.ts'
import type { Transfer } from '../../../contract/bridge/transfer-values.ts'
import type { NameEncoding } from '../../../contract/rules/names.ts'
import { localizedError } from '../../../contract/messages/error-report.ts'
import type { CopyToMoveIn } from '../../core/asked.svelte.ts'
import { asProblem, call, Problem, readOnce, send, upload } from '../../core/bridge.ts'
import type { LiveView } from '../../core/live-view.svelte.ts'
import { dropTransfer, followTransfer, movingIn } from '../../core/moving-in.svelte.ts'
import { t } from '../../messages/t.svelte.ts'
import { announce } from '../../ui/feedback/notices.svelte.ts'
import { memoryMostAt } from '../../core/panel.svelte.ts'
import { ImportForm } from './found-fields.svelte.ts'

/** Polling interval in ms. */
const ASK_EVERY = 700

/** Failed polls in a row before an error is shown. */
const MISSES_MOST = 20

/** Error codes that lie in the service and can pass. */
const PASSES = new Set(['files.disk-full', 'service.disk-full', 'service.failed'])

/** Never a valid ID. Tells a service that knows imports from one without the endpoint. */
const NO_IMPORT = 'none'

const ARCHIVE = /\.(?:zip|tar|tar\.gz|tgz)$/i

export type Stage =
  | { kind: 'choosing'; problem: Problem | null }
  | { kind: 'sending'; transfer: Transfer | null }
  /** Sizes in bytes; `total` is null if unknown. */
  | { kind: 'extracting' | 'looking'; done: number; total: number | null }
  | { kind: 'found'; found: FoundServer }
  /** `transferId`: some files were not sent. `canLook`: all were, and the service can inspect them again. */
  | { kind: 'failed'; problem: Problem | null; transferId: string | null; canLook?: true }

/** Moves a server in: upload, inspect, create. Continues when its page is left. Never throws. */
export class ServerImport {
  readonly connectionId: string
  #stage = $state.raw<Stage>({ kind: 'choosing', problem: null })
  #importId: string | null = null
  #archive: string | null = null
  #names = $state.raw<NameEncoding | null>(null)
  /** Counts the runs; results of earlier ones are ignored. */
  #turn = 0
  #stop: () => void = () => {}
  #fields: ImportForm | null = null
  name = $state('')

  constructor(connectionId: string) {
    this.connectionId = connectionId
  }

  get stage(): Stage {
    return this.#stage
  }

  get importId(): string | null {
    return this.#stage.kind === 'found' ? this.#importId : null
  }

  /** Encoding of names in the archive; null lets the service guess. */
  get names(): NameEncoding | null {
    return this.#names
  }

  extractAgain(names: NameEncoding | null): void {
    if (this.#stage.kind !== 'found') return
    this.#names = names
    void this.#look(++this.#turn)
  }

  /** The same object for the same findings, even after the page was left. */
  fieldsOf(found: FoundServer, catalog: LiveView<'software.list'>, name: () => string): ImportForm {
    if (this.#fields?.found === found) this.#fields.catalog = catalog
    else this.#fields = new ImportForm(found, catalog, name(), memoryMostAt(this.connectionId))
    return this.#fields
  }

  /** Checks that the service supports imports before the user chooses files. */
  async ask(): Promise<void> {
    if (this.#stage.kind !== 'choosing') return
    const turn = this.#turn
    const answer = await this.#asked(NO_IMPORT)
    const isNotOffered = answer instanceof Problem && answer.code === 'unavailable'
    if (turn === this.#turn && isNotOffered) this.#stage = { kind: 'choosing', problem: answer }
  }

  async begin(files: readonly { file: File; path: string }[]): Promise<void> {
    const [first] = files
    if (!first) return
    const name = first.path.split('/')[0] ?? ''
    const archive = files.length === 1 && ARCHIVE.test(first.path) ? first.path : null
    const { connectionId } = this
    await this.#begin(name, archive, (serverId) =>
      upload({ to: { connectionId, serverId, folder: '' }, files: [...files], folders: [] }),
    )
  }

  /** Another server or a copy of it, which main sends. */
  beginCopy({ name, id, ...from }: CopyToMoveIn): Promise<void> {
    const { connectionId } = this
    return this.#begin(name, null, (importId) =>
      id === undefined
        ? call('relocations.send', { from, to: { connectionId, importId } })
        : call('copies.send', { ...from, id, importId }),
    )
  }

  async #begin(
    name: string,
    archive: string | null,
    sendTo: (importId: string) => Promise<{ transferId: string }>,
  ): Promise<void> {
    if (this.#stage.kind !== 'choosing') return
    const turn = ++this.#turn
    this.name = name
    this.#archive = archive
    this.#stage = { kind: 'sending', transfer: null }
    try {
      const begun = await send('servers.begin-import', { connectionId: this.connectionId })
      if (!begun) throw new Problem({ code: 'incompatible', message: t('move-in.unread'), retryable: true })
      if (turn !== this.#turn) return void this.#forget(begun.id)
      this.#importId = begun.id
      movingIn.set(begun.id, null)
      const { transferId } = await sendTo(begun.id)
      if (turn !== this.#turn) return void call('transfers.cancel', { transferId }).catch(() => undefined)
      this.#follow(transferId, turn)
    } catch (thrown) {
      if (turn === this.#turn) this.#reset(asProblem(thrown))
    }
  }

  async cancel(): Promise<void> {
    const { stage } = this
    const transferId =
      stage.kind === 'sending' ? stage.transfer?.id : stage.kind === 'failed' ? stage.transferId : null
    this.#reset(null)
    if (transferId) await dropTransfer(transferId)
  }

  async retry(): Promise<void> {
    if (this.#stage.kind !== 'failed') return
    const { transferId, canLook } = this.#stage
    if (transferId === null && !canLook) return
    const turn = ++this.#turn
    if (transferId === null) return this.#look(turn, true)
    this.#stage = { kind: 'sending', transfer: null }
    try {
      await call('transfers.retry', { transferId })
      if (turn === this.#turn) this.#follow(transferId, turn)
    } catch (thrown) {
      if (turn === this.#turn) this.#stage = { kind: 'failed', problem: asProblem(thrown), transferId }
    }
  }

  made(): void {
    if (this.#importId) movingIn.delete(this.#importId)
    this.#importId = null
    this.#reset(null)
  }

  #follow(transferId: string, turn: number): void {
    this.#stop()
    this.#stop = followTransfer(transferId, (transfer) => this.#moved(transfer, turn))
  }

  #moved(transfer: Transfer | undefined, turn: number): void {
    if (!transfer || turn !== this.#turn || this.#stage.kind !== 'sending') return
    const { id, state, problem } = transfer
    if (state === 'cancelled') return this.#reset(null)
    if (state !== 'done' && state !== 'failed') {
      this.#stage = { kind: 'sending', transfer }
      return
    }
    this.#stop()
    if (state === 'failed') {
      this.#stage = { kind: 'failed', problem: problem && new Problem(problem), transferId: id }
      return
    }
    // In the history it would show as an upload to an unknown server.
    void call('transfers.clear', { transferId: id }).catch(() => undefined)
    void this.#look(turn)
  }

  /** @param isAgain an earlier request may have reached the service */
  async #look(turn: number, isAgain = false): Promise<void> {
    const importId = this.#importId ?? ''
    const kind = this.#archive === null ? 'looking' : 'extracting'
    this.#stage = { kind, done: 0, total: null }
    let [misses, wasFailed] = [0, isAgain]
    try {
      if (!isAgain) await this.#beginToLook(importId)
      while (turn === this.#turn) {
        const now = await this.#asked(importId)
        if (turn !== this.#turn) return
        if (now instanceof Problem) {
          if (!now.retryable || (now.code !== 'offline' && ++misses > MISSES_MOST)) throw now
        } else {
          misses = 0
          // The service restarted and lost its findings.
          if (now.state === 'waiting' || (now.state === 'failed' && wasFailed))
            await this.#beginToLook(importId)
          else if (!this.#took(now)) return
          wasFailed = false
        }
        const wanted = now instanceof Problem ? Math.min(now.retryAfter ?? 0, 60) * 1000 : 0
        await new Promise((resolve) => setTimeout(resolve, Math.max(ASK_EVERY, wanted)))
      }
    } catch (thrown) {
      if (turn !== this.#turn) return
      const problem = asProblem(thrown)
      // The upload is still there, unless the service no longer knows it.
      const canLook = problem.code !== 'not-found' && { canLook: true as const }
      this.#stage = { kind: 'failed', problem, transferId: null, ...canLook }
    }
  }

  /** Throws a `Problem`. */
  async #beginToLook(importId: string): Promise<void> {
    const names = this.#names && { names: this.#names }
    const body = this.#archive === null ? {} : { archive: this.#archive, ...names }
    const { connectionId } = this
    try {
      await send('servers.look-at-import', { connectionId, params: { importId }, body })
    } catch (thrown) {
      // An earlier request arrived and is in progress.
      if (asProblem(thrown).serviceCode !== 'imports.busy') throw thrown
    }
  }

  async #asked(importId: string): Promise<Import | Problem> {
    const { connectionId } = this
    try {
      return await readOnce('servers.read-import', { connectionId, params: { importId } }, true)
    } catch (thrown) {
      return asProblem(thrown)
    }
  }

  /** Returns true while the import is in progress. */
  #took({ state, doneBytes, totalBytes, found, error }: Import): boolean {
    if (state === 'ready' && found) {
      this.#stage = { kind: 'found', found }
      announce(() => t('move-in.ready'))
      return false
    }
    if (state === 'waiting') return true
    if (state === 'extracting' || state === 'looking') {
      this.#stage = { kind: state, done: doneBytes ?? 0, total: totalBytes ?? null }
      return true
    }
    const told = error
      ? { ...localizedError(error), serviceCode: error.code }
      : { message: t('move-in.unread') }
    const problem = new Problem({ code: 'invalid', retryable: false, ...told })
    // Errors in the files themselves would only repeat.
    const canLook = PASSES.has(error?.code ?? '') && { canLook: true as const }
    this.#stage = { kind: 'failed', problem, transferId: null, ...canLook }
    return false
  }

  #reset(problem: Problem | null): void {
    this.#turn++
    this.#stop()
    this.#stop = () => {}
    const id = this.#importId
    this.#importId = null
    this.#names = null
    this.#fields = null
    this.#stage = { kind: 'choosing', problem }
    if (id) void this.#forget(id)
  }

  /** The service cleans up later if this fails. */
  async #forget(importId: string): Promise<void> {
    await send('servers.remove-import', { connectionId: this.connectionId, params: { importId } }).catch(
      () => undefined,
    )
    movingIn.delete(importId)
  }
}

const all = new Map<string, ServerImport>()

export function moveInAt(connectionId: string): ServerImport {
  const there = all.get(connectionId) ?? new ServerImport(connectionId)
  all.set(connectionId, there)
  return there
}
