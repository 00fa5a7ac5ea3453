// @ts-check
// npm run check:electron: opens the panel in Electron, tries what only Electron has, and prints what works on this computer.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { checkTable } from './check-table.js'
import { electronExecutable, PATIENT } from './electron-executable.js'
import { Plain, at, main, node24, programEnvironment, run, say } from './project.js'
import { buildStale } from './stale.js'

/** Milliseconds for all of it: each row has its own limit, but Electron may end or hang as a whole. */
const LIMIT = 150_000

await main(async () => {
  const electron = await electronExecutable(undefined, PATIENT)
  if (!('file' in electron))
    throw new Plain(
      `${electron.reason}, so nothing can be checked here. On a computer with a screen, \`npm ci\` and \`npx install-electron\` bring it; ELECTRON_OVERRIDE_DIST_PATH names the folder of one that is there already.`,
    )
  say(`Electron: ${electron.file}`)
  await buildStale()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'wheelhouse-check-'))
  try {
    const report = path.join(folder, 'report')
    const options = ['--data', path.join(folder, 'data'), '--node', node24(), '--report', report]
    const { code } = await run(electron.file, [at('out/main/check-electron.js'), ...options], {
      env: programEnvironment(),
      quiet: true,
      timeout: LIMIT,
    })
    const told = await readFile(report, 'utf8').catch(() => '')
    const { text, works } = checkTable(told, {
      platform: process.platform,
      arch: process.arch,
      release: os.release(),
    })
    say(text)
    if (code !== 0) say(`Electron ended with ${code}.`)
    return works && code === 0 ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
})
