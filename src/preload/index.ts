// Electron's way in: sets `window.panel`. Sandboxed, so it can load nothing but Electron.
import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { Outcome } from '../contract/bridge/problem.ts'
import type { Bridge } from '../contract/bridge/bridge.ts'

const listeners = new Map<string, Set<(value: never) => void>>()

ipcRenderer.on('panel:event', (_event, name: string, value: unknown, weight: number) => {
  try {
    for (const listener of listeners.get(name) ?? []) listener(value as never)
  } finally {
    // Flow control: main pauses while this window lags behind.
    if (weight > 0) ipcRenderer.send('panel:taken', weight)
  }
})

// Targets of links, notifications and the tray; restricted to addresses within this page.
ipcRenderer.on('panel:go', (_event, place: unknown) => {
  if (typeof place === 'string' && place.startsWith('#/')) location.hash = place
})
// Main keeps navigation that arrives while the page loads.
ipcRenderer.send('panel:ready')

const silent = (): Outcome<never> => ({
  ok: false,
  problem: { code: 'internal', message: 'The panel did not answer.', retryable: true },
})

const way = {
  call: (name, input) =>
    ipcRenderer.invoke('panel:call', name, input).catch(silent) as Promise<Outcome<never>>,
  upload({ to, files, folders }) {
    // Only a `File` that a person picked or dropped has a path; the page can't name one.
    const picked = files.map(({ file, path }) => ({ path, file: webUtils.getPathForFile(file) }))
    if (picked.some(({ file }) => file === ''))
      return Promise.resolve({
        ok: false,
        problem: {
          code: 'invalid',
          message: 'Only files on this computer can be uploaded.',
          // Importing `say` would load all sentences.
          text: { key: 'page.not-of-here' },
          retryable: false,
        },
      })
    return ipcRenderer.invoke('panel:upload', { to, files: picked, folders }).catch(silent) as Promise<
      Outcome<{ transferId: string }>
    >
  },
  on(event, listener) {
    const set = listeners.get(event) ?? new Set()
    listeners.set(event, set)
    set.add(listener)
    return () => void set.delete(listener)
  },
  // Always reachable: main and its window live and die together.
  onReach(listener) {
    listener(true)
    return () => undefined
  },
} satisfies Bridge

contextBridge.exposeInMainWorld('panel', way)
