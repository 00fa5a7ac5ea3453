// @ts-check
// npm run check: format, lint (import arrows among it) and types, those of components too. Prints each step with its
// seconds. What has not changed since the last time is not checked again. `npm test` checks everything, since the types
// that a lint rule goes by may have changed elsewhere.
import { pathToFileURL } from 'node:url'
import { at, environment, main, node24, run, say, seconds } from './project.js'

const cache = 'node_modules/.cache'
const eslint = 'node_modules/eslint/bin/eslint.js'

/** What is linted without types: beside the rest, which has to wait for them. */
const withoutTypes = ['**/*.svelte', '**/*.js']

/** @type {{ name: string, script: string, args: string[], cached?: string[] }[]} */
const steps = [
  // The longest first: it runs beside all others.
  {
    name: 'lint',
    script: eslint,
    args: ['--max-warnings', '0', '.', ...withoutTypes.flatMap((files) => ['--ignore-pattern', files])],
    cached: ['--cache', '--cache-strategy', 'content', '--cache-location', `${cache}/wheelhouse-lint.json`],
  },
  {
    // Of all that tsconfig.json names, not of components alone: the TypeScript compiler by itself would find nothing more.
    name: 'types',
    script: 'node_modules/svelte-check/bin/svelte-check',
    args: [
      ...['--tsgo', '--tsconfig', './tsconfig.types.json'],
      ...['--fail-on-warnings', '--output', 'human-verbose'],
    ],
    cached: ['--incremental'],
  },
  {
    name: 'lint without types',
    script: eslint,
    args: ['--max-warnings', '0', ...withoutTypes],
    cached: [
      '--cache',
      '--cache-strategy',
      'content',
      '--cache-location',
      `${cache}/wheelhouse-lint-untyped.json`,
    ],
  },
  { name: 'components', script: 'build/scripts/components.js', args: [] },
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

/** TypeScript 7 is a Go program: with its garbage collected half as often, it takes a fifth less time. */
const variables = { GOGC: '200' }

/**
 * Runs all steps, two at a time.
 * @param {{ whole: boolean, last?: () => Promise<void> }} of whole: what has not changed is checked too; last: begun when
 *   no step is left to begin
 * @returns {Promise<number>} how many failed
 */
export async function check({ whole, last }) {
  let failed = 0
  const waiting = [...steps]
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const began = performance.now()
      const args = whole ? step.args : [...step.args, ...(step.cached ?? [])]
      const { code, output } = await run(node24(), [at(step.script), ...args], {
        quiet: true,
        env: { ...environment(), ...variables },
      })
      say(`check ${step.name}: ${code === 0 ? 'passed' : 'FAILED'} (${seconds(began)})`)
      if (code === 0) continue
      failed += 1
      say(output.trimEnd())
    }
  }
  const workers = [worker(), worker()]
  await Promise.all([...workers, Promise.race(workers).then(() => last?.())])
  return failed
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => ((await check({ whole: false })) === 0 ? 0 : 1))
}
