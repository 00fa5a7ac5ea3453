import type { ServerRef } from '../../../../contract/bridge/values.ts'
import { asProblem, call, type Problem } from '../../../core/bridge.ts'
import { decodeBase64, wholeLength } from './page-bytes.ts'

/** Bytes per page. Hex is limited by what a document can draw at once. */
const PAGE = { text: 64 * 1024, hex: 4 * 1024 }
const FOLLOW_MS = 2000

export class Pages {
  readonly #server: ServerRef
  readonly #path: string
  #as = $state<'text' | 'hex'>('text')
  #page = $state.raw<{ offset: number; size: number; bytes: Uint8Array } | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #busy = $state(false)
  #following = $state(false)
  #asked = 0

  constructor(server: ServerRef, path: string, as: 'text' | 'hex') {
    this.#server = server
    this.#path = path
    this.#as = as
  }

  get as(): 'text' | 'hex' {
    return this.#as
  }

  /** `offset` and `size` (of the file) in bytes. */
  get page(): { offset: number; size: number; bytes: Uint8Array } | null {
    return this.#page
  }

  get problem(): Problem | null {
    return this.#problem
  }

  get busy(): boolean {
    return this.#busy
  }

  /** Whether the end is read again every two seconds, as for a log. */
  get following(): boolean {
    return this.#following
  }

  get atBegin(): boolean {
    return (this.#page?.offset ?? 0) === 0
  }

  get atEnd(): boolean {
    return this.#page === null || this.#page.offset + this.#page.bytes.length >= this.#page.size
  }

  async read(offset: number): Promise<void> {
    const asked = ++this.#asked
    this.#busy = true
    try {
      const { connectionId, serverId } = this.#server
      const { bytes, ...at } = await call('files.read-page', {
        connectionId,
        serverId,
        path: this.#path,
        offset: Math.max(0, offset),
        length: PAGE[this.#as],
      })
      // A later request wins.
      if (asked !== this.#asked) return
      this.#page = { ...at, bytes: decodeBase64(bytes) }
      this.#problem = null
    } catch (thrown) {
      if (asked === this.#asked) this.#problem = asProblem(thrown)
    } finally {
      if (asked === this.#asked) this.#busy = false
    }
  }

  again(): Promise<void> {
    return this.read(this.#page?.offset ?? 0)
  }

  first(): Promise<void> {
    return this.read(0)
  }

  next(): Promise<void> {
    if (!this.#page) return this.read(0)
    const { offset, bytes } = this.#page
    return this.read(offset + (this.#as === 'text' ? wholeLength(bytes, this.atEnd) : bytes.length))
  }

  previous(): Promise<void> {
    return this.read((this.#page?.offset ?? 0) - PAGE[this.#as])
  }

  /** The file may have grown since, so this asks for the end again. */
  async last(): Promise<void> {
    const before = this.#page?.size ?? 0
    await this.read(endOf(before, PAGE[this.#as]))
    const now = this.#page?.size ?? 0
    if (now !== before && !this.atEnd) await this.read(endOf(now, PAGE[this.#as]))
  }

  async show(as: 'text' | 'hex'): Promise<void> {
    this.#as = as
    const offset = this.#page?.offset ?? 0
    await this.read(as === 'hex' ? offset - (offset % 16) : offset)
  }

  /** Follows the end until the returned function is called. */
  follow(): () => void {
    this.#following = true
    let timer: ReturnType<typeof setTimeout> | undefined
    let stopped = false
    const turn = async (): Promise<void> => {
      await this.last()
      if (!stopped) timer = setTimeout(() => void turn(), FOLLOW_MS)
    }
    void turn()
    return () => {
      stopped = true
      clearTimeout(timer)
      this.#following = false
    }
  }
}

function endOf(size: number, length: number): number {
  // Aligned to 16-byte rows, but late enough for the page to reach the end.
  return Math.ceil(Math.max(0, size - length) / 16) * 16
}
