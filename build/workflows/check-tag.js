// @ts-check
// A tag names the version that is built, and nothing else: else the feed would tell of a version that nobody gets.
import { readFile } from 'node:fs/promises'
import { Plain, at, main, say } from '../scripts/project.js'

await main(async () => {
  const { version } = JSON.parse(await readFile(at('package.json'), 'utf8'))
  const tag = process.env.TAG ?? ''
  if (tag !== `v${version}`)
    throw new Plain(`The tag is ${tag || 'missing'}, and package.json has ${version}.`)
  say(`Version ${version}`)
  return 0
})
