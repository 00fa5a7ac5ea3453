import { localized } from '../../contract/messages/localized-text.ts'
import type { Ports } from '../base/ports.ts'
import { problem } from '../base/problem.ts'
import type { SystemFiles } from './system-files.ts'

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
