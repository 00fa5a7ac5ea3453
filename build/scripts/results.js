// @ts-check
// Counts of what the two test runners report.

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

/**
 * @param {any} report what vitest's JSON reporter wrote
 * @returns {Count} a file that could not even be loaded counts as one failed test
 */
export function countVitest(report) {
  const broken = report.testResults.filter(
    (/** @type {any} */ file) =>
      file.status === 'failed' &&
      file.assertionResults.every((/** @type {any} */ test) => test.status !== 'failed'),
  ).length
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  }
}

/**
 * @param {any} report what vitest's JSON reporter wrote
 * @returns {string[]} for each file how many of its tests were skipped, and the first of them
 */
export const skippedOfVitest = (report) =>
  report.testResults.flatMap((/** @type {any} */ file) => {
    const skipped = file.assertionResults.filter((/** @type {any} */ test) =>
      ['skipped', 'pending', 'todo'].includes(test.status),
    )
    return skipped.length > 0 ? [`${skipped.length} of ${file.name}: ${skipped[0].fullName}`] : []
  })

/**
 * @param {any} report what Playwright's JSON reporter wrote
 * @returns {Count} a fault outside of any test counts as a failed one
 */
export function countPlaywright(report) {
  return {
    passed: report.stats.expected,
    failed: report.stats.unexpected + report.stats.flaky + report.errors.length,
    skipped: report.stats.skipped,
  }
}

/**
 * @param {any} report what `npm run faults` wrote
 * @returns {Count} each kind of fault is one test; one that this machine cannot try in full is passed as far as it went
 */
export function countFaults(report) {
  const whole = report.outcomes.filter((/** @type {any} */ one) =>
    [one.lost, one.doubled, one.half, one.wrong].every((list) => list.length === 0),
  ).length
  return {
    passed: whole,
    failed: report.outcomes.length - whole,
    skipped: report.outcomes.filter((/** @type {any} */ one) => one.skipped.length > 0).length,
  }
}

/**
 * What one runner's run comes to: a run that ended badly has failed, whatever it reported.
 * @param {Count | null} count null where there is no report
 * @param {number} code the runner's exit code
 * @returns {Count}
 */
export function judge(count, code) {
  if (!count) return { passed: 0, failed: 1, skipped: 0 }
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
}
