import { localized } from '../../contract/messages/localized-text.ts'
import { problem } from '../base/problem.ts'
import type { AreaHandlers } from '../bridge/handlers.ts'
import type { Ports } from '../base/ports.ts'
import type { WindowLink } from '../base/windows.ts'
import type { ChoicesStore } from './choices.ts'
import { FURTHER_MOST } from './windows/window-state.ts'

export interface DesktopDependencies {
  ports: Ports
  choices: ChoicesStore
}

function severalOf({ several }: WindowLink): NonNullable<WindowLink['several']> {
  if (!several) throw problem('unavailable', localized('desktop.not-here'))
  return several
}

export function desktopCalls({ ports, choices }: DesktopDependencies): AreaHandlers<'desktop'> {
  return {
    'desktop.choices': () => choices.read(),
    'desktop.choose'(change) {
      if (ports.way !== 'electron') throw problem('unavailable', localized('desktop.not-here'))
      return choices.change(change)
    },
    'desktop.tear-off'(_nothing, window) {
      if (!severalOf(window).tearOff())
        throw problem('conflict', localized('desktop.windows-most', { most: FURTHER_MOST }), {
          retryable: false,
        })
    },
    'desktop.put-back': (_nothing, window) => severalOf(window).putBack(),
  }
}
