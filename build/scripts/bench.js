// @ts-check
// npm run bench [NAME …] [-- --compare REF] [-- --profile]: builds what is stale and measures. Each bench is a file of
// tests/bench. --compare builds another commit too and alternates with it; --profile leaves profiles in out/bench/profiles.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compareWith } from './bench-compare.js'
import { apart, own, whyNoEngine } from './engines.js'
import { Plain, at, main, node24, nodeFlags, run } from './project.js'
import { ownRunFolder } from './run-folder.js'
import { buildStale } from './stale.js'

await main(async () => {
  const entry = 'tests/bench/main.ts'
  if (!existsSync(at(entry))) throw new Plain(`There is no ${entry}: nothing to measure.`)
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      compare: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      profile: { type: 'boolean', default: false },
    },
  })
  const rounds = Number(values.rounds)
  if (!Number.isSafeInteger(rounds) || rounds < 2) throw new Plain('--rounds is a whole number from 2 on.')
  if (values.compare !== undefined && positionals.length === 0)
    throw new Plain('Say which benches to compare, such as: npm run bench load -- --compare main')
  await buildStale()
  ownRunFolder()
  if (values.compare !== undefined) return compareWith(values.compare, positionals, rounds)
  const env = values.profile ? { WHEELHOUSE_PROFILES: at('out/bench/profiles') } : {}
  const isApart = positionals.includes('engines')
  const why = isApart ? await whyNoEngine() : null
  if (why !== null) throw new Plain(`engines: ${why}`)
  const command = [...nodeFlags, at(entry), ...positionals]
  return (await run(...(isApart ? apart : own)(node24(), command), { env: { ...process.env, ...env } })).code
})
