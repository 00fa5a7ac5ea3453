import type { PageMeta } from '../message.ts'

/** Where a browser keeps the page's key for the panel's address. What is kept so reaches no other port, unlike a cookie. */
const KEPT = 'page-key'

/** The key of this page, for calls and uploads. Other tabs of the same address share it. */
export class PageKey {
  /** As it was when this page was loaded. Where the browser keeps nothing, it lasts until the page is closed. */
  #own = ''
  /** What the browser kept then. It may be of an earlier run, where nothing new could be written. */
  #kept = ''

  /**
   * Takes the key out of the document that answered the one-time code, which leaves the address. Answers whether there is
   * one for the panel that runs now: another tab may have been let in before.
   */
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

  /** The key as it is now: the panel may have been started again, and another tab let in. */
  get value(): string {
    const kept = read()
    return kept === this.#kept ? this.#own : (kept.split(' ')[1] ?? this.#own)
  }
}

function meta(name: PageMeta): string {
  const element = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)
  // It stays in nobody's way for longer than it is needed.
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
    // It is kept nowhere then.
  }
}
