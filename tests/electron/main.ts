// Entry of `npm run check:electron`: the panel as it is, and beside it what tries it. `--report` names the file of results.
import { parseArgs } from 'node:util'
import { app } from 'electron'
// Not loaded later: it would be a file of its own, and packed.
import { checkElectron } from './check.ts'

app.enableSandbox()
const { boot } = await import('../../src/main/electron/boot.ts')
boot()
const { values } = parseArgs({
  strict: false,
  options: { report: { type: 'string' } },
  args: process.argv.slice(2),
})
void app.whenReady().then(() => checkElectron(String(values['report'])))
