import type { FileEntry, ServerRef } from '../../../../contract/bridge/values.ts'
import { movesFiles } from '../../../../contract/rules/hosts.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { LiveView } from '../../../core/live-view.svelte.ts'
import { locale } from '../../../messages/t.svelte.ts'
import { joined } from '../../../../contract/rules/paths.ts'
import { Selection } from '../../../ui/list/selection.svelte.ts'
import { filtered, nameOrder, plainText, sorted, type Order, type SortKey } from '../entries/sort.ts'

/** Letters typed within this many ms form one word. */
const WORD_MS = 900

/** Shared by all folders of the window. */
let order = $state.raw<Order>({ key: 'name', descending: false })

export class FolderList {
  readonly server: ServerRef
  readonly path: string
  readonly view: LiveView<'files.list'>
  readonly selection = new Selection(() => this.names)
  filter = $state('')
  renaming = $state.raw<string | null>(null)
  /** Scroll position in pixels, restored after closing a file. */
  top = 0
  /** Names to select once they appear. */
  #expected: string[] = []
  /** Where the cursor goes if its entry disappears. */
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
  readonly gone = $derived.by(() => this.view.problem?.code === 'not-found' && this.path !== '')
  readonly #all = $derived.by(() => (this.gone ? [] : (this.view.value?.items ?? [])))
  readonly #sorted = $derived(sorted(this.#all, order, this.#names))

  readonly rows: readonly FileEntry[] = $derived(filtered(this.#sorted, this.filter))
  readonly names: readonly string[] = $derived(this.rows.map((entry) => entry.name))

  /** Whether its host can rename and move. */
  get moves(): boolean {
    return movesFiles(panel.connection(this.server.connectionId)?.baseUrl ?? '')
  }

  get count(): number {
    return this.#all.length
  }

  get taken(): ReadonlySet<string> {
    return new Set(this.#all.map((entry) => entry.name))
  }

  get order(): Order {
    return order
  }

  sortBy(key: SortKey): void {
    order = { key, descending: order.key === key && !order.descending }
  }

  get selected(): FileEntry[] {
    const names = new Set(this.selection.names)
    if (names.size === 0) return []
    return this.rows.filter((entry) => names.has(entry.name))
  }

  get paths(): string[] {
    return this.selection.names.map((name) => joined(this.path, name))
  }

  async deleteSelected(remove: (paths: readonly string[]) => Promise<void>): Promise<void> {
    const { selection, names } = this
    const last = names.indexOf(selection.names.at(-1) ?? '')
    const before = names.slice(0, Math.max(0, last))
    this.#next = names[last + 1] ?? before.findLast((name) => !selection.has(name)) ?? null
    await remove(this.paths)
  }

  expect(names: string[]): void {
    this.#expected = names
    this.takeExpected()
  }

  /** Selects expected entries that appeared, and moves the cursor on if its entry is gone. */
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

  /** Moves to the next name starting with the typed word. `now` in ms. Returns the row, or -1. */
  typeAhead(letter: string, now: number): number {
    const goesOn = now - this.#typedAt < WORD_MS
    this.#typed = goesOn ? this.#typed + letter : letter
    this.#typedAt = now
    const letters = [...this.#typed]
    const same = letters.every((one) => one === letters[0])
    const needle = plainText(same ? (letters[0] ?? '') : this.#typed)
    const count = this.names.length
    // Repeating a letter goes to the next match; a longer word may stay.
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

  endTyping(): void {
    this.#typed = ''
  }

  isTyping(now: number): boolean {
    return this.#typed !== '' && now - this.#typedAt < WORD_MS
  }
}
