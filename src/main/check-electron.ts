// Entry of `npm run check:electron`: the panel as it is, and beside it what tries it. `--report` names the file of results.
import { parseArgs } from 'node:util'
import { app } from 'electron'

app.enableSandbox()
const { boot } = await import('./electron/boot.ts')
boot()
const { values } = parseArgs({
  strict: false,
  options: { report: { type: 'string' } },
  args: process.argv.slice(2),
})
const { checkElectron } = await import('./electron/check.ts')
void app.whenReady().then(() => checkElectron(String(values['report'])))
