import type { Connection, ServerRef } from '../../../contract/bridge/values.ts'
import { on } from '../../core/bridge.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ConsoleView } from './console-view.svelte.ts'

/** How long a console is kept after leaving, in ms: its terminal takes about 20 MB. */
export const KEPT_MS = 5 * 60_000

/** The console left last, until reopened or expired. */
let kept: { view: ConsoleView; end: () => void } | null = null

/** The kept console if it is this server's, else a new one. */
export function consoleOf(server: ServerRef): ConsoleView {
  const { view, end } = kept ?? {}
  end?.()
  if (view?.isOf(server)) return view
  view?.close()
  return new ConsoleView(server)
}

export function keepConsole(view: ConsoleView): void {
  letGo()
  const { connectionId } = view.server
  const now = panel.connections?.find(({ id }) => id === connectionId)
  if (!now || now.state.kind === 'signed-out') return view.close()
  const timer = setTimeout(letGo, KEPT_MS)
  const stop = on('connections', (connections) => {
    const next = connections.find(({ id }) => id === connectionId)
    // Never show one account's console to another.
    if (!next || next.state.kind === 'signed-out' || whoOf(next) !== whoOf(now)) letGo()
  })
  kept = {
    view,
    end() {
      clearTimeout(timer)
      stop()
      kept = null
    },
  }
}

function letGo(): void {
  const { view, end } = kept ?? {}
  end?.()
  view?.close()
}

const whoOf = ({ user }: Connection): string => JSON.stringify(user)
