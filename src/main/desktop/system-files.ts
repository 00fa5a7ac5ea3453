/** Paths come from main, never from a page. */
export interface SystemFiles {
  /** Opens a file in its default program; returns the error, or an empty string. */
  open: (path: string) => Promise<string>
  reveal: (path: string) => void
  pickFolder: (from: string) => Promise<string | null>
  /** Save dialog, which confirms overwriting; null if canceled. */
  pickPlace: (suggested: string) => Promise<string | null>
  pickThere: (what: 'files' | 'folders') => Promise<string[]>
}
