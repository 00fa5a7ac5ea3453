import '../messages/en/modpacks.ts'
import type { Transfer } from '../../contract/bridge/transfer-values.ts'
import { asProblem, call, on, Problem, send, upload } from '../core/bridge.ts'
import { forgetSent, movingIn } from '../core/moving-in.svelte.ts'
import { t } from '../messages/t.svelte.ts'

/** A modpack that lies at the service: it was sent there from this computer. */
export interface SentPack {
  importId: string
  path: string
  /** What it is called on this computer. */
  name: string
}

/** How far sending a modpack is. `transfer` is null until it is known. */
export type UploadStage =
  | { kind: 'choosing'; problem: Problem | null }
  | { kind: 'sending'; name: string; transfer: Transfer | null }
  /** `transferId`: what can be sent again. */
  | { kind: 'failed'; name: string; problem: Problem | null; transferId: string }

/** Sends a `.mrpack` file to the service. Nothing of it throws. */
export class PackUpload {
  readonly #connectionId: string
  readonly #creates: boolean
  readonly #sent: (pack: SentPack) => void
  #stage = $state.raw<UploadStage>({ kind: 'choosing', problem: null })
  #importId: string | null = null
  /** What was begun last: what was begun before that has nothing to say any more. */
  #turn = 0
  #stop: () => void = () => {}

  /**
   * @param creates whether a server is created from it, and not changed
   * @param sent is told when it is there
   */
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

  /** Sends again what could not be sent. */
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

  /** Stops what goes on and deletes what was sent, so that something else can be chosen. */
  async cancel(): Promise<void> {
    const { stage } = this
    const transferId =
      stage.kind === 'sending' ? stage.transfer?.id : stage.kind === 'failed' ? stage.transferId : null
    this.#reset(null)
    // A transfer that has ended cannot be canceled, and need not be.
    if (transferId) await call('transfers.cancel', { transferId }).catch(() => undefined)
    if (transferId) await call('transfers.clear', { transferId }).catch(() => undefined)
  }

  #follow(transferId: string, name: string, turn: number): void {
    this.#stop()
    const moved = ({ items }: { items: readonly Transfer[] }) =>
      this.#moved(
        items.find(({ id }) => id === transferId),
        name,
        turn,
      )
    this.#stop = on('transfers', moved)
    void call('transfers.list').then(moved, () => undefined)
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
    // In the history it would be an upload to a server that nobody knows.
    void call('transfers.clear', { transferId: id }).catch(() => undefined)
    const importId = this.#importId!
    // From here on it belongs to whoever is told of it.
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

/** A modpack that was sent, as long as no server has it: with the place that holds it, it goes. */
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

  /** The place is left. */
  end(): void {
    this.#isGone = true
    this.letGo()
  }

  /**
   * Sends a request that makes the modpack a server's. Meanwhile, and where nobody knows what came of it, it is not deleted from
   * here: only what its service has refused is still ours.
   */
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
