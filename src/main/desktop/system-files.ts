/** What the system itself does with files of this computer. Paths are main's own: none comes from a page. */
export interface SystemFiles {
  /** Opens a file with the program that the person has for it; answers why not, empty where it did. */
  open: (path: string) => Promise<string>
  /** Shows a file in its folder. */
  reveal: (path: string) => void
  /** Lets a person choose a folder; null where they chose none. */
  pickFolder: (from: string) => Promise<string | null>
  /** Lets a person choose where a file goes, and agree that it takes the place of one; null where they chose none. */
  pickPlace: (suggested: string) => Promise<string | null>
  /** Lets a person choose what is there; empty where they chose nothing. */
  pickThere: (what: 'files' | 'folders') => Promise<string[]>
}
