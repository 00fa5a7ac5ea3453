import { describe, expect, it } from 'vitest'
import { countFaults, countPlaywright, countVitest, judge, skippedOfVitest } from './results.js'

const file = (status: string, tests: string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
})

describe('the count of tests', () => {
  it('takes passed, failed and skipped tests from the report of the unit tests', () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 1,
      numPendingTests: 2,
      testResults: [file('passed', ['passed', 'passed']), file('failed', ['failed', 'passed'])],
    }
    expect(countVitest(report)).toEqual({ passed: 3, failed: 1, skipped: 2 })
  })
  it('names the files whose tests were skipped', () => {
    const tests = ['passed', 'skipped', 'pending'].map((status) => ({ status, fullName: `is ${status}` }))
    const report = {
      testResults: [
        { name: 'a', assertionResults: tests },
        { name: 'b', assertionResults: [] },
      ],
    }
    expect(skippedOfVitest(report)).toEqual(['2 of a: is skipped'])
  })
  it('counts a test file that could not be loaded as failed', () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 0,
      numPendingTests: 0,
      testResults: [file('failed', [])],
    }
    expect(countVitest(report).failed).toBe(1)
  })
  it('counts a journey that passed only at a second try, and a fault outside of any journey, as failed', () => {
    const report = {
      stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 },
      errors: [{ message: 'no such file' }],
    }
    expect(countPlaywright(report)).toEqual({ passed: 5, failed: 3, skipped: 2 })
  })
  it('counts a kind of fault as failed where anything was lost, doubled, half or wrong afterwards', () => {
    const fine = { lost: [], doubled: [], half: [], wrong: [], skipped: [] }
    const outcomes = [
      fine,
      { ...fine, lost: ['a'] },
      { ...fine, doubled: ['a (2)'] },
      { ...fine, half: ['a'] },
      { ...fine, wrong: ['It says nothing.'] },
      { ...fine, skipped: ['There is no small disk.'] },
    ]
    expect(countFaults({ outcomes })).toEqual({ passed: 2, failed: 4, skipped: 1 })
  })
  it('lets no runner that ended badly, or wrote no report, look like success', () => {
    expect(judge({ passed: 9, failed: 0, skipped: 0 }, 1).failed).toBe(1)
    expect(judge(null, 0).failed).toBe(1)
    expect(judge({ passed: 9, failed: 0, skipped: 0 }, 0).failed).toBe(0)
  })
})
