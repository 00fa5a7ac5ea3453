// @ts-check
// npm run bench [console|load|files|memory …]: builds what is stale and measures. Each bench is a file of tests/bench.
import { existsSync } from 'node:fs'
import { Plain, at, main, runNode } from './project.js'
import { ownRunFolder } from './run-folder.js'
import { buildStale } from './stale.js'

await main(async () => {
  const entry = 'tests/bench/main.ts'
  if (!existsSync(at(entry))) throw new Plain(`There is no ${entry}: nothing to measure.`)
  await buildStale()
  ownRunFolder()
  return (await runNode(entry, process.argv.slice(2))).code
})
