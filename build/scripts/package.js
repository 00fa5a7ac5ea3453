// @ts-check
// npm run package [-- arguments of electron-builder]: builds what is stale and makes the installers of this system, or what the
// arguments ask for. Updates come from the place that WHEELHOUSE_UPDATE_FEED or GITHUB_REPOSITORY names.
import { readFile } from 'node:fs/promises'
import { feedArguments, feedOf, machineArguments, signingArguments } from '../packaging/feed.js'
import { at, main, node24, run, say } from './project.js'
import { buildStale } from './stale.js'

await main(async () => {
  const { version, homepage } = JSON.parse(await readFile(at('package.json'), 'utf8'))
  const feed = feedOf(process.env, version)
  const machine = machineArguments(process.platform, process.arch)
  const args = [...machine, ...feedArguments(feed), ...signingArguments(process.env)]
  await buildStale()
  if (!feed) say('No place of updates is named: what is built does not update itself.')
  // A name that nobody can own: catalogs that want to know who asks would be told a lie.
  if (new URL(homepage).hostname.endsWith('.example'))
    say('"homepage" in package.json is nobody’s address yet: requests to catalogs name it as their contact.')
  const program = at('node_modules/electron-builder/cli.js')
  // Nothing is uploaded from here: releases are drafted by .github/workflows/release.yml, once everything is there.
  const fixed = ['--config', at('build/electron-builder.yml'), '--publish', 'never']
  return (await run(node24(), [program, ...fixed, ...args, ...process.argv.slice(2)])).code
})
