import { MediaQuery } from 'svelte/reactivity'

export type As = 'text' | 'tree' | 'both'

const KEY = 'editor-shown-as'

/** The last choice, unless an address says otherwise. */
export class ShownAs {
  readonly #wide = new MediaQuery('(width >= 53.8125rem)')
  #chosen = $state<As>('text')

  /** @param asTree the address asks for the tree @param line a line of the text that the address asks for */
  constructor(asTree: boolean, line: number | null) {
    const kept = localStorage.getItem(KEY)
    if (asTree) this.#chosen = kept === 'both' ? 'both' : 'tree'
    else if (kept === 'both' || (kept === 'tree' && line === null)) this.#chosen = kept
  }

  /** Both fit side by side. */
  get isWide(): boolean {
    return this.#wide.current
  }

  get now(): As {
    return this.#chosen === 'both' && !this.isWide ? 'tree' : this.#chosen
  }

  choose(as: As): void {
    this.#chosen = as
    localStorage.setItem(KEY, as)
  }
}
