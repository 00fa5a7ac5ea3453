// @ts-check
// npm start -- [--web] [--no-open] [--data DIR] [--port N]: builds what is stale and opens the panel.
import { panelProgram } from './panel-program.js'
import { main, run } from './project.js'
import { buildStale } from './stale.js'

await main(async () => {
  await buildStale()
  const { file, args, env } = await panelProgram(process.argv.slice(2))
  return (await run(file, args, { env })).code
})
