// Tests only: a panel that begins to download an update, as a program that can be killed. Its argument is the adapter as JSON.
import { noLog } from '../../../src/main/logging/log.ts'
import { LibraryEngine, updaterFor } from '../../../src/main/updates/library-engine.ts'
import { NodeHttp } from '../../../src/main/updates/node-http.fixture.ts'

const adapter = JSON.parse(process.argv[2] ?? '{}') as object
const never = async () => {}
const updater = updaterFor('appimage', {
  ...adapter,
  ...{ whenReady: never, relaunch: never, quit: never, onQuit: never },
} as unknown as Parameters<typeof updaterFor>[1])
Object.assign(updater, { httpExecutor: new NodeHttp() })
const engine = new LibraryEngine({ updater, installer: 'appimage', log: noLog })
await engine.check('stable')
await engine.download(() => undefined, new AbortController().signal)
