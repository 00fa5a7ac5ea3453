import type { Transfer } from '../../contract/bridge/transfer-values.ts'
import { asProblem, call, Problem, send, upload } from '../core/bridge.ts'
import { dropTransfer, followTransfer, forgetSent, movingIn } from '../core/moving-in.svelte.ts'
import { t } from '../messages/t.svelte.ts'

export interface SentPack {
  importId: string
  path: string
  name: string
}

export type UploadStage =
  | { kind: 'choosing'; problem: Problem | null }
  | { kind: 'sending'; name: string; transfer: Transfer | null }
  | { kind: 'failed'; name: string; problem: Problem | null; transferId: string }

/** Uploads a `.mrpack` file. Never throws. */
export class PackUpload {
  readonly #connectionId: string
  readonly #creates: boolean
  readonly #sent: (pack: SentPack) => void
  #stage = $state.raw<UploadStage>({ kind: 'choosing', problem: null })
  #importId: string | null = null
  #turn = 0
  #stop: () => void = () => {}

  /** @param creates whether for a new server */
  constructor(connectionId: string, creates: boolean, sent: (pack: SentPack) => void) {
    this.#connectionId = connectionId
    this.#creates = creates
    this.#sent = sent
  }

  get stage(): UploadStage {
    return this.#stage
  }

  async begin(file: File): Promise<void> {
    const { name } = file
    if (!/\.mrpack$/i.test(name)) {
      const message = t(/\.zip$/i.test(name) ? 'modpacks.file-zip' : 'modpacks.file-wrong', { name })
      this.#stage = { kind: 'choosing', problem: new Problem({ code: 'invalid', message, retryable: false }) }
      return
    }
    const turn = ++this.#turn
    this.#stage = { kind: 'sending', name, transfer: null }
    try {
      const connectionId = this.#connectionId
      const query = { for: 'modpack', ...(this.#creates && { creates: 'server' as const }) } as const
      const begun = await send('servers.begin-import', { connectionId, query })
      if (!begun)
        throw new Problem({ code: 'incompatible', message: t('modpacks.file-unsent'), retryable: true })
      if (turn !== this.#turn) return void this.#forget(begun.id)
      this.#importId = begun.id
      movingIn.set(begun.id, null)
      const to = { connectionId, serverId: begun.id, folder: '' }
      const { transferId } = await upload({ to, files: [{ file, path: name }], folders: [] })
      if (turn !== this.#turn) return void call('transfers.cancel', { transferId }).catch(() => undefined)
      this.#follow(transferId, name, turn)
    } catch (thrown) {
      if (turn === this.#turn) this.#reset(asProblem(thrown))
    }
  }

  async retry(): Promise<void> {
    if (this.#stage.kind !== 'failed') return
    const { name, transferId } = this.#stage
    const turn = ++this.#turn
    this.#stage = { kind: 'sending', name, transfer: null }
    try {
      await call('transfers.retry', { transferId })
      if (turn === this.#turn) this.#follow(transferId, name, turn)
    } catch (thrown) {
      if (turn === this.#turn) this.#stage = { kind: 'failed', name, problem: asProblem(thrown), transferId }
    }
  }

  /** Stops and deletes the upload, so that another can be chosen. */
  async cancel(): Promise<void> {
    const { stage } = this
    const transferId =
      stage.kind === 'sending' ? stage.transfer?.id : stage.kind === 'failed' ? stage.transferId : null
    this.#reset(null)
    if (transferId) await dropTransfer(transferId)
  }

  #follow(transferId: string, name: string, turn: number): void {
    this.#stop()
    this.#stop = followTransfer(transferId, (transfer) => this.#moved(transfer, name, turn))
  }

  #moved(transfer: Transfer | undefined, name: string, turn: number): void {
    if (!transfer || turn !== this.#turn || this.#stage.kind !== 'sending') return
    const { id, state, problem } = transfer
    if (state === 'cancelled') return this.#reset(null)
    if (state !== 'done' && state !== 'failed') {
      this.#stage = { kind: 'sending', name, transfer }
      return
    }
    this.#stop()
    if (state === 'failed') {
      this.#stage = { kind: 'failed', name, problem: problem && new Problem(problem), transferId: id }
      return
    }
    // Keep it out of the history, where it would belong to an unknown server.
    void call('transfers.clear', { transferId: id }).catch(() => undefined)
    const importId = this.#importId!
    // From here on the receiver owns it.
    this.#importId = null
    this.#stage = { kind: 'choosing', problem: null }
    this.#sent({ importId, path: name, name: name.replace(/\.mrpack$/i, '') })
  }

  #reset(problem: Problem | null): void {
    this.#turn++
    this.#stop()
    this.#stop = () => {}
    const id = this.#importId
    this.#importId = null
    this.#stage = { kind: 'choosing', problem }
    if (id) void this.#forget(id)
  }

  #forget(importId: string): Promise<void> {
    return forgetSent(this.#connectionId, importId)
  }
}

/** An uploaded modpack that no server uses yet; deleted when its page is left. */
export class HeldPack {
  readonly #connectionId: string
  #importId: string | null = null
  #isGone = false

  constructor(connectionId: string) {
    this.#connectionId = connectionId
  }

  take(importId: string): void {
    this.letGo()
    this.#importId = importId
  }

  letGo(): void {
    if (this.#importId !== null) void forgetSent(this.#connectionId, this.#importId)
    this.#importId = null
  }

  end(): void {
    this.#isGone = true
    this.letGo()
  }

  /** Runs a request that hands the upload to a server. Afterwards it is ours again only if the service refused. */
  async giving<T>(request: () => Promise<T>): Promise<T> {
    const importId = this.#importId
    this.#importId = null
    try {
      return await request()
    } catch (thrown) {
      if (importId !== null && asProblem(thrown).serviceCode) {
        if (this.#isGone || this.#importId !== null) void forgetSent(this.#connectionId, importId)
        else this.#importId = importId
      }
      throw thrown
    }
  }
}
