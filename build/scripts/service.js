// @ts-check
// npm run service -- [--host H] [--port N] --data DIR …: the built-in service as a program of its own.
import { main, programEnvironment, programFlags, runNode } from './project.js'
import { buildStale } from './stale.js'

await main(async () => {
  await buildStale()
  const how = { flags: programFlags, env: programEnvironment() }
  return (await runNode('out/main/service.js', process.argv.slice(2), how)).code
})
