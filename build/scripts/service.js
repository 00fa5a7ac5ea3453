// @ts-check
// npm run service -- [--host H] [--port N] --data DIR …: the built-in service as a program of its own.
import { main, runNode } from './project.js'
import { buildStale } from './stale.js'

await main(async () => {
  await buildStale()
  // As the panel starts it: V8 would let garbage grow to tens of megabytes under a fast console.
  const flags = ['--max-semi-space-size=8']
  return (await runNode('out/main/service.js', process.argv.slice(2), { flags })).code
})
