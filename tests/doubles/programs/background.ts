// What the system starts in the background, in plain Node: `node … --service --data FOLDER`.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { endingSignals } from '../../../src/host/crash-handler.ts'
import { nodeLauncher } from '../../../src/main/local/node-launcher.ts'
import { BackgroundHost } from '../../../src/main/local/background/background-host.ts'

const { data, version } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    service: { type: 'boolean' },
    version: { type: 'string', default: 'test' },
  },
}).values
const host = new BackgroundHost({
  launcher: nodeLauncher,
  dataDir: data,
  args: ['--data', join(data, 'service'), '--port', '0', '--parent'],
  version,
})
for (const signal of endingSignals) process.on(signal, () => host.stop())
process.exitCode = await host.run()
