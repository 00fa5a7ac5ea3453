/* A panel as Electron runs it, without its window: files are queued by their paths. Its parent process asks it. */
import { join } from 'node:path'
import { lockFolder } from '../../src/host/folder-lock.ts'
import { prepareFolder } from '../../src/host/data-folder.ts'
import { memoryStore } from '../../src/main/accounts/secret-store.ts'
import { nodeLauncher } from '../../src/main/local/node-launcher.ts'
import { openLog } from '../../src/main/logging/open-log.ts'
import { createPanel } from '../../src/main/panel/panel.ts'
import type { WindowLink } from '../../src/main/base/windows.ts'

/** What the parent asks: a call of the bridge, or files by their paths. */
export type Asked = { id: number } & (
  { kind: 'call'; name: string; input: unknown } | { kind: 'upload'; input: unknown }
)

const dataDir = prepareFolder(process.argv[2] ?? '', 'cache.db', ['logs'])
await lockFolder(dataDir, 'panel')
const panel = await createPanel({
  dataDir,
  version: 'bench',
  way: 'electron',
  local: { kind: 'ready' },
  nodePath: process.execPath,
  secrets: memoryStore('A bench keeps no secrets.'),
  launcher: nodeLauncher,
  log: openLog({ folder: join(dataDir, 'logs') }),
  openExternal: async () => undefined,
  now: Date.now,
})
const window: WindowLink = {
  // Its parent may be gone while it saves; without a callback that ends the program.
  send: (event, value) => void process.send?.({ event, value }, () => undefined),
  pressure: () => 0,
}
panel.attach(window)
process.on('message', (asked: Asked) => {
  const answer =
    asked.kind === 'call' ? panel.call(asked.name, asked.input, window) : panel.upload(asked.input)
  void answer.then((outcome) => process.send?.({ id: asked.id, outcome }))
})
process.on('disconnect', () => void panel.close().then(() => process.exit(0)))
process.send?.({ event: 'started', value: null })
