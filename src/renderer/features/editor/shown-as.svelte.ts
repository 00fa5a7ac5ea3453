import { MediaQuery } from 'svelte/reactivity'

/** How a file of values is shown. */
export type As = 'text' | 'tree' | 'both'

const KEY = 'editor-shown-as'

/** How files of values are shown: as it was last chosen, unless an address says otherwise. */
export class ShownAs {
  readonly #wide = new MediaQuery('(width >= 53.8125rem)')
  #chosen = $state<As>('text')

  /**
   * @param asTree the address asks for the tree
   * @param line the address asks for a line, which is one of the text
   */
  constructor(asTree: boolean, line: number | null) {
    const kept = localStorage.getItem(KEY)
    if (asTree) this.#chosen = kept === 'both' ? 'both' : 'tree'
    else if (kept === 'both' || (kept === 'tree' && line === null)) this.#chosen = kept
  }

  /** Whether both have room beside each other. */
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
