// Electron's way in: sets `window.panel`. Sandboxed, so this is one small file that can load nothing but Electron.
import { contextBridge, ipcRenderer } from 'electron'
import type { Outcome } from '../contract/bridge/problem.ts'
import type { Way } from '../contract/bridge/way.ts'

const listeners = new Map<string, Set<(value: never) => void>>()

ipcRenderer.on('panel:event', (_event, name: string, value: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(value as never)
})

const way = {
  call: (name, input) =>
    ipcRenderer.invoke('panel:call', name, input).catch((): Outcome<never> => ({
      ok: false,
      problem: { code: 'internal', message: 'The panel did not answer.', retryable: true },
    })) as Promise<Outcome<never>>,
  on(event, listener) {
    const set = listeners.get(event) ?? new Set()
    listeners.set(event, set)
    set.add(listener)
    return () => void set.delete(listener)
  },
  // Main and its window live and die together.
  onReach(listener) {
    listener(true)
    return () => undefined
  },
} satisfies Way

contextBridge.exposeInMainWorld('panel', way)
