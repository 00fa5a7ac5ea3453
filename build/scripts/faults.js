// @ts-check
// npm run faults [-- --seed N] [--long] [fault …]: builds what is stale, breaks what can break while files are on their way,
// and counts what is lost. The faults are in tests/faults.
import { apart, own, whyNoEngine } from './engines.js'
import { runWithKeyring } from './keyring.js'
import { Plain, at, main, node24, nodeFlags } from './project.js'
import { ownRunFolder } from './run-folder.js'
import { buildStale } from './stale.js'

await main(async () => {
  await buildStale()
  ownRunFolder()
  // A panel that is killed keeps its sign-in in the keychain, as people's does.
  const given = process.argv.slice(2)
  const isApart = given.includes('engines') || given.includes('machines')
  const why = isApart ? await whyNoEngine() : null
  if (why !== null) throw new Plain(`engines: ${why}`)
  const command = [...nodeFlags, at('tests/faults/main.ts'), ...given]
  return runWithKeyring(...(isApart ? apart : own)(node24(), command))
})
