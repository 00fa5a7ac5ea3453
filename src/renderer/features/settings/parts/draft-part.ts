import type { Problem } from '../../../core/bridge.ts'
import type { Words } from '../../../messages/t.svelte.ts'
import type { AnyConflict } from './unsaved-settings.svelte.ts'

interface PartDraft {
  readonly dirty: boolean
  readonly saving: boolean
  readonly problem: Problem | null
  readonly wrong: ReadonlyMap<string, Words>
  readonly conflicts: readonly AnyConflict[]
  resolve(key: string, whose: 'mine' | 'theirs'): void
  discard(): void
}

/** What a part of the settings takes from its draft as it is. */
export abstract class DraftPart<D extends PartDraft> {
  readonly draft: D

  constructor(draft: D) {
    this.draft = draft
  }

  get dirty(): boolean {
    return this.draft.dirty
  }

  get saving(): boolean {
    return this.draft.saving
  }

  get problem(): D['problem'] {
    return this.draft.problem
  }

  get wrong(): D['wrong'] {
    return this.draft.wrong
  }

  get conflicts(): D['conflicts'] {
    return this.draft.conflicts
  }

  resolve(key: string, whose: 'mine' | 'theirs'): void {
    this.draft.resolve(key, whose)
  }

  discard(): void {
    this.draft.discard()
  }
}
