import { MediaQuery } from 'svelte/reactivity'
import { IS_WIDE } from '../../ui/base/wide.ts'

export type EditorMode = 'text' | 'tree' | 'both'

const KEY = 'editor-shown-as'

export class EditorModeChoice {
  readonly #wide = new MediaQuery(IS_WIDE)
  #chosen = $state<EditorMode>('text')

  /** An address can ask for the tree, or for a line of the text. */
  constructor(asTree: boolean, line: number | null) {
    const kept = localStorage.getItem(KEY)
    if (asTree) this.#chosen = kept === 'both' ? 'both' : 'tree'
    else if (kept === 'both' || (kept === 'tree' && line === null)) this.#chosen = kept
  }

  get isWide(): boolean {
    return this.#wide.current
  }

  get now(): EditorMode {
    return this.#chosen === 'both' && !this.isWide ? 'tree' : this.#chosen
  }

  choose(as: EditorMode): void {
    this.#chosen = as
    localStorage.setItem(KEY, as)
  }
}
