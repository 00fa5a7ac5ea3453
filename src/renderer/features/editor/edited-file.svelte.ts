import type { Draft, ServerRef, TextFile } from '../../../contract/bridge/values.ts'
import { asProblem, call, type CallInput, type Problem } from '../../core/bridge.ts'
import { DraftSync } from './draft-at-main.ts'
import type { Drafts } from './drafts.ts'

export interface Code {
  text(): string
  replace(text: string): void
  /** Remembers the current text; the returned function marks it as saved. */
  mark(): () => void
}

export type EditedContent =
  | { kind: 'loading' }
  | { kind: 'failed'; problem: Problem }
  /** `draft`: unsaved text from earlier, applied over the file's text. */
  | { kind: 'text'; text: string; etag: string | null; draft: string | null }
  | { kind: 'pages'; why: 'binary' | 'large'; size: number }

export type Question =
  /** Changed elsewhere; `theirs` is the current text. */
  | { kind: 'changed'; theirs: string; etag: string | null }
  | { kind: 'deleted' }
  | { kind: 'no-text'; etag: string | null }

type Base = CallInput<'files.write-text'>['base']

/** A file in the editor. Never overwrites foreign changes or recreates a deleted file without asking. */
export class EditedFile {
  readonly #server: ServerRef
  readonly #path: string
  readonly #drafts: Drafts
  readonly #atMain: DraftSync
  #code: Code | null = null
  #standing = $state.raw<EditedContent>({ kind: 'loading' })
  #question = $state.raw<Question | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #saving = $state(false)
  #dirty = $state(false)
  #restored = $state(false)
  #savedAt = $state<number | null>(null)
  #unkept = $state(false)
  /** Null if the service gives no entity tag. */
  #etag: string | null = null
  /** The base text, used if there is no entity tag; null if unknown. */
  #grewFrom: string | null = null

  constructor(server: ServerRef, path: string, drafts: Drafts) {
    this.#server = { connectionId: server.connectionId, serverId: server.serverId }
    this.#path = path
    this.#drafts = drafts
    this.#atMain = new DraftSync(this.#server, path)
  }

  get standing(): EditedContent {
    return this.#standing
  }

  get question(): Question | null {
    return this.#question
  }

  get problem(): Problem | null {
    return this.#problem
  }

  get saving(): boolean {
    return this.#saving
  }

  get dirty(): boolean {
    return this.#dirty
  }

  get restored(): boolean {
    return this.#restored && this.#dirty
  }

  /** In ms since 1970. */
  get savedAt(): number | null {
    return this.#savedAt
  }

  /** The unsaved text is too long to outlive the window. */
  get unkept(): boolean {
    return this.#unkept && this.#dirty
  }

  async read(): Promise<void> {
    this.#standing = { kind: 'loading' }
    // The window's own draft is available immediately after a reload; main's also survives the window.
    const here = this.#drafts.read(this.#server, this.#path)
    const kept = this.#atMain.read()
    const newest = async () => {
      const there = await kept
      return there && there.at > (here?.at ?? 0) ? there : here
    }
    let draft: Draft | null = null
    try {
      const file = await this.#readFile()
      draft = await newest()
      const { content } = file
      if (content.kind !== 'text') {
        this.#standing = { kind: 'pages', why: content.kind, size: file.size }
        return
      }
      const left = draft !== null && draft.text !== content.text ? draft : null
      if (draft && !left) this.#discardDraft()
      this.#etag = left ? left.etag : file.etag
      this.#grewFrom = left && left.etag === null ? null : content.text
      this.#restored = left !== null
      this.#standing = {
        kind: 'text',
        text: content.text,
        etag: file.etag,
        draft: left?.text ?? null,
      }
    } catch (thrown) {
      const problem = asProblem(thrown)
      if (problem.code === 'not-found') draft = await newest()
      if (problem.code === 'not-found' && draft) {
        this.#restored = true
        this.#standing = { kind: 'text', text: '', etag: null, draft: draft.text }
        this.#question = { kind: 'deleted' }
      } else this.#standing = { kind: 'failed', problem }
    }
  }

  /** Applies an earlier draft to the editor. Returns a function for when the editor is closed. */
  show(code: Code): () => void {
    this.#code = code
    if (this.#standing.kind === 'text' && this.#standing.draft !== null) code.replace(this.#standing.draft)
    return () => {
      this.keepDraft()
      this.#code = null
    }
  }

  changed(dirty: boolean): void {
    this.#dirty = dirty
    if (!dirty) this.#discardDraft()
  }

  keepDraft(): void {
    if (!this.#dirty || !this.#code) return
    const draft = { text: this.#code.text(), etag: this.#etag, at: Date.now() }
    if (this.#drafts.keep(this.#server, this.#path, draft)) this.#unkept = false
    void this.#atMain.keep(draft).then((kept) => {
      // Main can store texts that are too long for browser storage.
      this.#unkept = !kept && this.#drafts.read(this.#server, this.#path) === null
    })
  }

  #discardDraft(): void {
    this.#drafts.remove(this.#server, this.#path)
    this.#atMain.discard()
  }

  /** Returns false if nothing was saved; `question` or `problem` say why. */
  async save(): Promise<boolean> {
    if (this.#saving || !this.#code) return false
    if (this.#etag !== null) return this.#write({ kind: 'etag', etag: this.#etag })
    return this.#whileSaving(async () => {
      // Without an entity tag, comparing texts is the only way to detect foreign changes.
      const now = await this.#readFile()
      if (now.content.kind !== 'text' || now.content.text !== this.#grewFrom) return this.#ask(now)
      return this.#writeNow({ kind: 'overwrite' })
    })
  }

  createAgain(): Promise<boolean> {
    return this.#write({ kind: 'create' })
  }

  /** Overwrites the version shown next to the text; asks again if there is a newer one. */
  async saveOver(text?: string): Promise<boolean> {
    const question = this.#question
    if (question?.kind !== 'changed' && question?.kind !== 'no-text') return false
    if (text !== undefined && text !== this.#code?.text()) this.#code?.replace(text)
    this.#etag = question.etag
    return this.#write(question.etag === null ? { kind: 'overwrite' } : { kind: 'etag', etag: question.etag })
  }

  /** Replaces the text with the current file; undo brings the own text back. */
  takeTheirs(): void {
    const question = this.#question
    if (question?.kind !== 'changed' || !this.#code) return
    this.#code.replace(question.theirs)
    this.#code.mark()()
    this.#etag = question.etag
    this.#grewFrom = question.theirs
    this.#question = null
    this.#problem = null
    this.#restored = false
  }

  /** Drops the draft and shows the file as read; undo brings the draft back. */
  discardDraft(): void {
    if (this.#standing.kind !== 'text' || !this.#code) return
    this.#code.replace(this.#standing.text)
    this.#code.mark()()
    this.#etag = this.#standing.etag
    this.#grewFrom = this.#standing.text
    this.#restored = false
  }

  editOn(text?: string): void {
    if (text !== undefined && text !== this.#code?.text()) this.#code?.replace(text)
    this.#question = null
  }

  discard(): void {
    this.#discardDraft()
    this.#dirty = false
    this.#question = null
  }

  #readFile(): Promise<TextFile> {
    return call('files.read-text', { ...this.#server, path: this.#path })
  }

  #write(base: Base): Promise<boolean> {
    return this.#whileSaving(() => this.#writeNow(base))
  }

  async #whileSaving(work: () => Promise<boolean>): Promise<boolean> {
    if (this.#saving) return false
    this.#saving = true
    this.#problem = null
    try {
      return await work()
    } catch (thrown) {
      return this.#failed(asProblem(thrown))
    } finally {
      this.#saving = false
    }
  }

  async #writeNow(base: Base): Promise<boolean> {
    const code = this.#code
    if (!code) return false
    const text = code.text()
    const saved = code.mark()
    try {
      const { etag } = await call('files.write-text', { ...this.#server, path: this.#path, text, base })
      this.#etag = etag
    } catch (thrown) {
      const problem = asProblem(thrown)
      // A file to be created exists by now, or the file changed.
      const other = problem.code === 'changed' || (base.kind === 'create' && problem.code === 'conflict')
      if (!other) throw problem
      const now = await this.#readFile()
      // If the contents match, an earlier save succeeded but its response was lost.
      if (now.content.kind !== 'text' || now.content.text !== text) return this.#ask(now)
      this.#etag = now.etag
    }
    this.#grewFrom = text
    this.#question = null
    this.#restored = false
    this.#savedAt = Date.now()
    saved()
    return true
  }

  #ask(now: TextFile): false {
    const { content, etag } = now
    this.#question =
      content.kind === 'text' ? { kind: 'changed', theirs: content.text, etag } : { kind: 'no-text', etag }
    this.keepDraft()
    return false
  }

  #failed(problem: Problem): false {
    if (problem.code === 'not-found') this.#question = { kind: 'deleted' }
    else this.#problem = problem
    this.keepDraft()
    return false
  }
}
