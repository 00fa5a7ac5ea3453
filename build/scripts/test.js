// @ts-check
// npm test [-- --unit | --engines [--long] | --faults | [--engines] --e2e] [arguments of the runner]: sets the machine up, checks, runs unit and
// contract tests, those with a container engine, the short form of the faults, then the journeys. What failed is repeated at the end; the last line is `N passed, N failed`.
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { check } from './check.js'
import { runWithKeyring } from './keyring.js'
import { apart, isOnPath, own, whyNoEngine } from './engines.js'
import { Plain, at, environment, main, node24, nodeFlags, say, seconds } from './project.js'
import { ownRunFolder } from './run-folder.js'
import { failuresOfFaults, failuresOfPlaywright, failuresOfVitest } from './failures.js'
import { countFaults, countPlaywright, countVitest, judge, skippedOfVitest } from './results.js'
import { setUp } from './set-up.js'
import { buildStale } from './stale.js'

/**
 * @param {string} name
 * @param {string[]} command
 * @param {{ count: (report: any) => import('./results.js').Count, failures: (report: any) => string[], skips?: (report: any) => string[] }} reader of its report
 * @param {(file: string, args: string[]) => [string, string[]]} wrap
 */
async function runner(name, command, { count, failures, skips = () => [] }, wrap = own) {
  say(`\n${name}`)
  const began = performance.now()
  const report = at('test-results', `${name}.json`)
  await rm(report, { force: true })
  const [script = '', ...args] = command
  const code = await runWithKeyring(...wrap(node24(), [at(script), ...args]), {
    // Nothing is fetched from elsewhere: tests that need a catalog bring their own.
    WHEELHOUSE_CATALOGS: 'off',
    // What tests start inherits it; hundreds of the same warning would hide what matters.
    NODE_OPTIONS: [process.env.NODE_OPTIONS, ...nodeFlags].filter(Boolean).join(' '),
    // So does this, and hundreds of programs and workers start with what the first of them has compiled.
    NODE_COMPILE_CACHE: at('node_modules/.cache/wheelhouse-compiled'),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...withCheapKeys(),
  })
  const read = await readFile(report, 'utf8').then(
    (text) => JSON.parse(text),
    () => null,
  )
  const result = judge(read && count(read), code)
  const skipped = result.skipped > 0 ? `, ${result.skipped} skipped` : ''
  say(`${name}: ${result.passed} passed, ${result.failed} failed${skipped} (${seconds(began)})`)
  for (const one of read ? skips(read) : []) say(`  skipped: ${one.replace(`${at('')}${path.sep}`, '')}`)
  return { ...result, failures: result.failed > 0 ? namedFailures(name, read ? failures(read) : []) : [] }
}

/** Where restic is: with one before it whose repositories cost less to open. It is a script, which Windows does not run. */
function withCheapKeys() {
  if (process.platform === 'win32' || !isOnPath('restic')) return {}
  return { PATH: [at('tests/fixtures/cheap-keys'), environment().PATH].join(path.delimiter) }
}

/**
 * @param {string} name
 * @param {string[]} failures
 */
const namedFailures = (name, failures) =>
  failures.length > 0 ? failures : [`${name}: it ended badly, though no test of its report failed: see above`]

/** @param {string} name @param {string[]} more @param {Parameters<typeof runner>[3]} [wrap] */
const vitest = (name, more, wrap) =>
  runner(
    name,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${at(`test-results/${name}.json`)}`,
      ...more,
    ],
    { count: countVitest, failures: failuresOfVitest, skips: skippedOfVitest },
    wrap,
  )

/** @param {string[]} more */
const unit = (more) =>
  vitest('unit', [...['engines', 'swarm', 'containers'].flatMap((one) => ['--project', `!${one}`]), ...more])

/** `--long`: also on several machines, and all tests of servers, in containers. @param {string[]} more */
const engines = async (more) => {
  const why = await whyNoEngine()
  const results = [{ passed: 0, failed: 0, skipped: 0, failures: /** @type {string[]} */ ([]) }]
  if (why !== null) say(`\nengines: none of these tests ran: ${why}`)
  // One after another: each engine sets up the networks of the namespace.
  const projects = ['engines', ...(more.includes('--long') ? ['swarm', 'containers'] : [])]
  for (const project of why === null ? projects : []) {
    const given = more.filter((arg) => arg !== '--long')
    results.push(await vitest(project, ['--project', project, ...given], apart))
  }
  return results.reduce((all, { passed, failed, skipped, failures }) => ({
    ...{ passed: all.passed + passed, failed: all.failed + failed, skipped: all.skipped + skipped },
    failures: [...all.failures, ...failures],
  }))
}

// The same faults each time (a seed that once found a fault), so that a red run is about the change; `npm run faults` takes
// a new seed by itself.
/** @param {string[]} more */
const faults = (more) =>
  runner('faults', ['tests/faults/main.ts', '--seed', '1716715088', ...more], {
    count: countFaults,
    failures: failuresOfFaults,
  })

/** @param {string[]} more @param {Parameters<typeof runner>[3]} [wrap] */
const journeys = (more, wrap) =>
  runner(
    'journeys',
    ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...more],
    { count: countPlaywright, failures: failuresOfPlaywright },
    wrap,
  )

/** Those whose servers run in containers. @param {string[]} more */
const journeysInContainers = async (more) => {
  const why = await whyNoEngine()
  if (why !== null) throw new Plain(`Journeys can't run in containers here: ${why}.`)
  process.env.WHEELHOUSE_JOURNEYS_ENGINE = 'own'
  return journeys(more, apart)
}

await main(async () => {
  ownRunFolder({ inMemory: true })
  const given = process.argv.slice(2)
  const inContainers = ['--engines', '--e2e'].every((arg) => given.includes(arg))
  const parts = {
    ...{ '--unit': unit, '--engines': engines, '--faults': faults },
    '--e2e': inContainers ? journeysInContainers : (/** @type {string[]} */ more) => journeys(more),
  }
  const only = inContainers ? '--e2e' : given.find((arg) => arg in parts)
  const more = given.filter((arg) => !(arg in parts))
  const began = performance.now()
  let passed = 0
  let failed = 0
  let failedSteps = 0
  /** @type {string[]} */
  const failures = []
  /** How long each part took. @type {string[]} */
  const times = []
  /** @param {string} name @param {() => Promise<number>} step answers how many of its parts failed */
  const take = async (name, step) => {
    const start = performance.now()
    try {
      failedSteps += await step()
    } catch (error) {
      say(error instanceof Plain ? error.message : `${/** @type {Error} */ (error).stack}`)
      failedSteps += 1
    }
    times.push(`${name} ${seconds(start)}`)
  }
  await take('set up', () => setUp().then(() => 0))
  // Tests start built programs too.
  const build = () => take('build', () => buildStale().then(() => 0))
  if (only) await build()
  else await take('check', () => check({ whole: true, last: build }))
  for (const [name, part] of Object.entries(parts)) {
    if (only && name !== only) continue
    const start = performance.now()
    const result = await part(only ? more : [])
    times.push(`${name.slice(2)} ${seconds(start)}`)
    passed += result.passed
    failed += result.failed
    failures.push(...result.failures)
  }
  if (failedSteps > 0)
    say(`\n${failedSteps} ${failedSteps === 1 ? 'step' : 'steps'} before the tests failed: see above`)
  for (const failure of failures) say(`\nFailed: ${failure}`)
  say(`\nTook ${seconds(began)}: ${times.join(', ')}`)
  say(`${passed} passed, ${failed + failedSteps} failed`)
  return failed + failedSteps === 0 ? 0 : 1
})
