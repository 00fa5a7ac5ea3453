import type { PageMeta } from '../message.ts'

/** localStorage key. Unlike a cookie, localStorage isn't shared with other ports. */
const KEPT = 'page-key'

/** The page's key for calls and uploads, shared by tabs of the same address. */
export class PageKey {
  #own = ''
  /** What was stored then, possibly by an earlier run if storage isn't writable. */
  #kept = ''

  /** Takes the key after a one-time code, or one that another tab has stored. False if there is none for this run. */
  take(): boolean {
    const run = meta('panel-run')
    const given = meta('page-key')
    if (given !== '') {
      this.#own = given
      write(`${run} ${given}`)
      this.#kept = read()
      history.replaceState(null, '', `/${location.hash}`)
      return true
    }
    this.#kept = read()
    const [keptOf, kept = ''] = this.#kept.split(' ')
    this.#own = kept
    return keptOf === run && kept !== ''
  }

  /** The current key: the panel may have restarted and another tab authenticated since. */
  get value(): string {
    const kept = read()
    return kept === this.#kept ? this.#own : (kept.split(' ')[1] ?? this.#own)
  }
}

function meta(name: PageMeta): string {
  const element = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)
  element?.remove()
  return element?.content ?? ''
}

function read(): string {
  try {
    return localStorage.getItem(KEPT) ?? ''
  } catch {
    return ''
  }
}

function write(value: string): void {
  try {
    localStorage.setItem(KEPT, value)
  } catch {
    // Storage is unavailable.
  }
}
