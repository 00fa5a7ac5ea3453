// @ts-check
// What failed, from the runners' reports: repeated at the end of a run, where a log that was cut off still has it.

import { readFileSync } from 'node:fs'

/** Characters of a message that are repeated; the whole of it stands further up. */
const MESSAGE = 1200
/** Characters of what a page held when its journey failed. */
const PAGE = 4000
/** Failures of a runner that are repeated. */
const SHOWN = 20

// eslint-disable-next-line no-control-regex -- colors of a terminal begin with one
const colors = /\u001b\[[0-9;]*m/g

/**
 * @param {string} where
 * @param {unknown[]} messages
 */
function told(where, messages) {
  const text = messages.map((one) => String(one ?? '').replace(colors, '')).join('\n')
  return `${where}\n${text.slice(0, MESSAGE)}`.trim()
}

/** @param {string[]} all */
const bounded = (all) =>
  all.length <= SHOWN ? all : [...all.slice(0, SHOWN), `and ${all.length - SHOWN} more`]

/**
 * @param {any} report what vitest's JSON reporter wrote
 * @returns {string[]} a text for each test that failed, and for each file that could not be loaded
 */
export function failuresOfVitest(report) {
  const failures = []
  for (const file of report.testResults) {
    const tests = file.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed')
    for (const test of tests)
      failures.push(told(`${file.name}: ${test.fullName}`, test.failureMessages ?? []))
    if (file.status === 'failed' && tests.length === 0) failures.push(told(file.name, [file.message]))
  }
  return bounded(failures)
}

/**
 * What the page held when a journey failed: a machine that ran it elsewhere keeps nothing but its log.
 * @param {any} result
 */
function page(result) {
  const file = result.attachments?.find((/** @type {any} */ one) => one.name === 'error-context')?.path
  if (!file) return []
  const [, snapshot] = /```yaml\n([\s\S]*?)\n```/.exec(readFileSync(file, 'utf8')) ?? []
  return snapshot ? [snapshot.slice(0, PAGE)] : []
}

/**
 * @param {any} report what Playwright's JSON reporter wrote
 * @returns {string[]} a text for each journey that failed, with its page, and for each fault outside of any
 */
export function failuresOfPlaywright(report) {
  /** @type {string[]} */
  const failures = []
  /** @param {any} suite */
  const look = (suite) => {
    for (const spec of suite.specs ?? [])
      for (const test of spec.tests)
        if (test.status === 'unexpected' || test.status === 'flaky')
          failures.push(
            [
              told(
                `${spec.file}: ${spec.title}`,
                test.results.flatMap((/** @type {any} */ result) =>
                  result.errors.map((/** @type {any} */ error) => error.message),
                ),
              ),
              ...test.results.flatMap(page),
            ].join('\n'),
          )
    for (const inner of suite.suites ?? []) look(inner)
  }
  for (const suite of report.suites ?? []) look(suite)
  for (const error of report.errors) failures.push(told('outside of any journey', [error.message]))
  return bounded(failures)
}

/**
 * @param {any} report what `npm run faults` wrote
 * @returns {string[]} a text for each kind of fault that something did not survive
 */
export function failuresOfFaults(report) {
  const failures = []
  for (const { name, ...found } of report.outcomes) {
    const lines = ['lost', 'doubled', 'half', 'wrong'].flatMap((kind) =>
      found[kind].map((/** @type {string} */ one) => `${kind}: ${one}`),
    )
    if (lines.length > 0) failures.push(told(`faults: ${name}, seed ${report.seed}`, lines))
  }
  return bounded(failures)
}
