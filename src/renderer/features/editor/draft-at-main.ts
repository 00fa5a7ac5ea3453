import type { Draft, ServerRef } from '../../../contract/bridge/values.ts'
import { call } from '../../core/bridge.ts'

/** One file's draft in main; it survives the window. Only the newest is sent, one at a time. */
export class DraftSync {
  readonly #file: ServerRef & { path: string }
  #text: string | null = null
  #next: { draft: Draft | null } | null = null
  #sending: Promise<boolean> | null = null

  constructor(server: ServerRef, path: string) {
    this.#file = { ...server, path }
  }

  async read(): Promise<Draft | null> {
    const draft = await call('files.draft', this.#file).catch(() => null)
    this.#text = draft?.text ?? null
    return draft
  }

  /** Returns true if main has stored it. */
  keep(draft: Draft): Promise<boolean> {
    if (this.#sending === null && this.#text === draft.text) return Promise.resolve(true)
    return this.#send(draft)
  }

  discard(): void {
    if (this.#sending !== null || this.#text !== null) void this.#send(null)
  }

  #send(draft: Draft | null): Promise<boolean> {
    this.#next = { draft }
    this.#sending ??= this.#run().finally(() => (this.#sending = null))
    return this.#sending
  }

  async #run(): Promise<boolean> {
    let done = false
    while (this.#next) {
      const { draft } = this.#next
      this.#next = null
      try {
        if (draft) await call('files.keep-draft', { ...this.#file, ...draft })
        else await call('files.discard-draft', this.#file)
        this.#text = draft?.text ?? null
        done = true
      } catch {
        done = false
      }
    }
    return done
  }
}
