import { localized } from '../../contract/messages/localized-text.ts'
import type { Ports } from '../base/ports.ts'
import { problem } from '../base/problem.ts'

/** The system's dialogs for files, one at a time: a page could open any number. Problem `unavailable` in a browser. */
export function fileDialogs({ systemFiles }: Pick<Ports, 'systemFiles'>) {
  let isOpen = false
  const system = (): SystemFiles => {
    if (!systemFiles) throw problem('unavailable', localized('desktop.not-here'))
    return systemFiles
  }
  return {
    system,
    asking: async <T>(ask: (files: SystemFiles) => Promise<T>): Promise<T> => {
      const files = system()
      if (isOpen) throw problem('conflict', localized('computer.dialog-open'))
      isOpen = true
      try {
        return await ask(files)
      } finally {
        isOpen = false
      }
    },
  }
}

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
