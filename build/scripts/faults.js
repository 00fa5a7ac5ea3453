// @ts-check
// npm run faults [-- --seed N] [--long] [fault …]: builds what is stale, breaks what can break while files are on their way,
// and counts what is lost. The faults are in tests/faults.
import { runWithKeyring } from './keyring.js'
import { at, main, node24, nodeFlags } from './project.js'
import { ownRunFolder } from './run-folder.js'
import { buildStale } from './stale.js'

await main(async () => {
  await buildStale()
  ownRunFolder()
  // A panel that is killed keeps its sign-in in the keychain, as people's does.
  return runWithKeyring(node24(), [...nodeFlags, at('tests/faults/main.ts'), ...process.argv.slice(2)])
})
