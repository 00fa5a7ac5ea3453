// @ts-check
// npm run pictures: makes the README's pictures from the running program.
import { main, runNode } from './project.js'
import { buildStale } from './stale.js'

await main(async () => {
  await buildStale()
  return (await runNode('tests/pictures/main.ts', process.argv.slice(2))).code
})
