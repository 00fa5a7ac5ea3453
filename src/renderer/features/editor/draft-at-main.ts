import type { Draft, ServerRef } from '../../../contract/bridge/values.ts'
import { call } from '../../core/bridge.ts'

/**
 * The draft of one file as main keeps it: it is there again after the window was closed, killed, or opened elsewhere.
 * One thing is sent at a time, and only the newest: what is typed meanwhile is sent afterwards.
 */
export class DraftAtMain {
  readonly #file: ServerRef & { path: string }
  /** The text main has; null where it has none. */
  #text: string | null = null
  #next: { draft: Draft | null } | null = null
  #sending: Promise<boolean> | null = null

  constructor(server: ServerRef, path: string) {
    this.#file = { ...server, path }
  }

  /** Null where there is none, or main does not answer. */
  async read(): Promise<Draft | null> {
    const draft = await call('files.draft', this.#file).catch(() => null)
    this.#text = draft?.text ?? null
    return draft
  }

  /** Whether main has it now. */
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
