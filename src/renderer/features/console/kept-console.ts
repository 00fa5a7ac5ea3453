import type { Connection, ServerRef } from '../../../contract/bridge/values.ts'
import { on } from '../../core/bridge.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ConsoleView } from './console-view.svelte.ts'

/** Milliseconds a console is kept after it was left: its terminal takes some twenty megabytes. */
export const KEPT_MS = 5 * 60_000

/** The console that was left last, until it is seen again or its time is over. */
let kept: { view: ConsoleView; end: () => void } | null = null

/** The console of a server: the one that was left last where it is its, else a new one. */
export function consoleOf(server: ServerRef): ConsoleView {
  const { view, end } = kept ?? {}
  end?.()
  if (view?.isOf(server)) return view
  view?.close()
  return new ConsoleView(server)
}

/** Keeps a console that was left, in place of the one before. */
export function keepConsole(view: ConsoleView): void {
  letGo()
  const { connectionId } = view.server
  const now = panel.connections?.find(({ id }) => id === connectionId)
  if (!now || now.state.kind === 'signed-out') return view.close()
  const timer = setTimeout(letGo, KEPT_MS)
  const stop = on('connections', (connections) => {
    const next = connections.find(({ id }) => id === connectionId)
    // What was shown to one account is not to be shown to another.
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
