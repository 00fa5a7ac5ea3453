// @ts-check
// npm run test:electron [-- arguments of Playwright]: the journeys in the real Electron, and in nothing else. Where it is not, it is fetched.
import { electronExecutable, PATIENT } from './electron-executable.js'
import { Plain, main, runNode, say } from './project.js'
import { buildStale } from './stale.js'

await main(async () => {
  const electron = await electronExecutable(undefined, PATIENT)
  if (!('file' in electron)) throw new Plain(`${electron.reason}: the journeys cannot run in Electron here.`)
  say(`Electron: ${electron.file}`)
  await buildStale()
  const given = process.argv.slice(2)
  return (await runNode('node_modules/@playwright/test/cli.js', ['test', '--project=electron', ...given]))
    .code
})
