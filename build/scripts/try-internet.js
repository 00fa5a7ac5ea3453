// @ts-check
// npm run try:internet [-- --only KIND,…]: tries real server software from the internet. It is in tests/internet.
import { main, runNode } from './project.js'
import { buildStale } from './stale.js'

await main(async () => {
  await buildStale()
  return (await runNode('tests/internet/main.ts', process.argv.slice(2))).code
})
