// @ts-check
// npm run check: format, lint (import arrows among it) and types, those of components too. Prints each step with its
// seconds. Files that have not changed since the last time are not linted again; `npm test` lints all of them, since the
// types that a rule goes by may have changed elsewhere.
import { pathToFileURL } from 'node:url'
import { main, node24, run, say, seconds, at } from './project.js'

const cache = 'node_modules/.cache'

/** @type {{ name: string, script: string, args: string[], cached?: string[] }[]} */
const steps = [
  // The longest first: it runs beside all others.
  {
    name: 'lint',
    script: 'node_modules/eslint/bin/eslint.js',
    args: ['--max-warnings', '0', '.'],
    cached: ['--cache', '--cache-strategy', 'content', '--cache-location', `${cache}/wheelhouse-lint.json`],
  },
  {
    // Of all that tsconfig.json names, not of components alone: the TypeScript compiler by itself would find nothing more.
    name: 'types',
    script: 'node_modules/svelte-check/bin/svelte-check',
    args: ['--tsconfig', './tsconfig.json', '--fail-on-warnings', '--output', 'human-verbose'],
  },
  {
    name: 'format',
    script: 'node_modules/prettier/bin/prettier.cjs',
    args: [
      '--check',
      '--log-level',
      'warn',
      '--cache',
      '--cache-location',
      `${cache}/wheelhouse-format.json`,
      '.',
    ],
  },
]

/**
 * Runs all steps, two at a time.
 * @param {{ whole: boolean }} of whole: what has not changed is linted too
 * @returns {Promise<number>} how many failed
 */
export async function check({ whole }) {
  let failed = 0
  const waiting = [...steps]
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const began = performance.now()
      const args = whole ? step.args : [...step.args, ...(step.cached ?? [])]
      const { code, output } = await run(node24(), [at(step.script), ...args], { quiet: true })
      say(`check ${step.name}: ${code === 0 ? 'passed' : 'FAILED'} (${seconds(began)})`)
      if (code === 0) continue
      failed += 1
      say(output.trimEnd())
    }
  }
  await Promise.all([worker(), worker()])
  return failed
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => ((await check({ whole: false })) === 0 ? 0 : 1))
}
