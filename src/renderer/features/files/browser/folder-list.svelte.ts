import type { FileEntry, ServerRef } from '../../../../contract/bridge/values.ts'
import { LiveView } from '../../../core/live-view.svelte.ts'
import { locale } from '../../../messages/t.svelte.ts'
import { joined } from '../../../../contract/rules/paths.ts'
import { Selection } from '../../../ui/list/selection.svelte.ts'
import { filtered, nameOrder, plainText, sorted, type Order, type SortKey } from '../entries/sort.ts'

/** Letters typed within this time are one word, in ms. */
const WORD_MS = 900

/** The order a person chose holds for every folder of the window. */
let order = $state.raw<Order>({ key: 'name', descending: false })

/** A folder as its list shows it: sorted, filtered, with what is selected in it. */
export class FolderList {
  readonly server: ServerRef
  readonly path: string
  readonly view: LiveView<'files.list'>
  readonly selection = new Selection(() => this.names)
  /** What rows are filtered by, as it was typed. */
  filter = $state('')
  /** The name that is being changed in its row. */
  renaming = $state.raw<string | null>(null)
  /** How far it is scrolled, in pixels: a file is opened, closed again, and the list stands where it stood. */
  top = 0
  /** A name that will be there in a moment; it is selected when it comes. */
  #expected: string[] = []
  /** Where the cursor goes when its name is gone. */
  #next: string | null = null
  #typed = ''
  #typedAt = 0

  constructor(server: ServerRef, path: string) {
    this.server = server
    this.path = path
    this.view = new LiveView('files.list', {
      connectionId: server.connectionId,
      params: { serverId: server.serverId },
      query: { path },
    })
  }

  readonly #names = $derived(nameOrder(locale()))
  /** The folder was deleted or moved away, whatever was seen of it before. */
  readonly gone = $derived.by(() => this.view.problem?.code === 'not-found' && this.path !== '')
  readonly #all = $derived.by(() => (this.gone ? [] : (this.view.value?.items ?? [])))
  readonly #sorted = $derived(sorted(this.#all, order, this.#names))

  /** The entries that are shown, in order. */
  readonly rows: readonly FileEntry[] = $derived(filtered(this.#sorted, this.filter))
  readonly names: readonly string[] = $derived(this.rows.map((entry) => entry.name))

  /** How many entries there are, whatever the filter. */
  get count(): number {
    return this.#all.length
  }

  /** Every name in the folder. */
  get taken(): ReadonlySet<string> {
    return new Set(this.#all.map((entry) => entry.name))
  }

  get order(): Order {
    return order
  }

  /** Sorts by a column; by the same one again, the other way round. */
  sortBy(key: SortKey): void {
    order = { key, descending: order.key === key && !order.descending }
  }

  /** The selected entries, in their order. */
  get selected(): FileEntry[] {
    const names = new Set(this.selection.names)
    if (names.size === 0) return []
    return this.rows.filter((entry) => names.has(entry.name))
  }

  /** Paths of the selected entries. */
  get paths(): string[] {
    return this.selection.names.map((name) => joined(this.path, name))
  }

  /** Does away with what is selected; the cursor goes to what comes after it. */
  async deleteSelected(remove: (paths: readonly string[]) => Promise<void>): Promise<void> {
    const { selection, names } = this
    const last = names.indexOf(selection.names.at(-1) ?? '')
    const before = names.slice(0, Math.max(0, last))
    this.#next = names[last + 1] ?? before.findLast((name) => !selection.has(name)) ?? null
    await remove(this.paths)
  }

  /** Selects these names now, or when they have come. */
  expect(names: string[]): void {
    this.#expected = names
    this.takeExpected()
  }

  /** Selects what was expected and has come; where the cursor's name has gone, it goes on. */
  takeExpected(): void {
    if (this.#next !== null && this.selection.cursor === -1) {
      this.selection.point(this.names.indexOf(this.#next))
      this.#next = null
    }
    const [first] = this.#expected
    if (first === undefined || !this.names.includes(first)) return
    this.selection.take(this.#expected)
    this.#expected = []
  }

  /** Goes to the next name that begins with what is typed. `now` in ms. Answers the row, or -1. */
  typeAhead(letter: string, now: number): number {
    const goesOn = now - this.#typedAt < WORD_MS
    this.#typed = goesOn ? this.#typed + letter : letter
    this.#typedAt = now
    const letters = [...this.#typed]
    const same = letters.every((one) => one === letters[0])
    const needle = plainText(same ? (letters[0] ?? '') : this.#typed)
    const count = this.names.length
    // The same letter again goes on to the next name; a longer word may stay where it is.
    const begin = this.selection.cursor + (same ? 1 : 0)
    for (let step = 0; step < count; step += 1) {
      const index = (Math.max(0, begin) + step) % count
      if (plainText(this.names[index] ?? '').startsWith(needle)) {
        this.selection.go(index, 'only')
        return index
      }
    }
    return -1
  }

  /** The word that was typed is over. */
  endTyping(): void {
    this.#typed = ''
  }

  /** Whether a key would go on with a word that is being typed. `now` in ms. */
  isTyping(now: number): boolean {
    return this.#typed !== '' && now - this.#typedAt < WORD_MS
  }
}
