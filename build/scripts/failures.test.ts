import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failuresOfFaults, failuresOfPlaywright, failuresOfVitest } from './failures.js'

describe('what is repeated at the end of a run', () => {
  it('names each unit test that failed with its message, and a file that could not be loaded', () => {
    const report = {
      testResults: [
        {
          name: 'a.test.ts',
          status: 'failed',
          assertionResults: [
            { status: 'passed', fullName: 'is fine' },
            {
              status: 'failed',
              fullName: 'is wrong',
              failureMessages: ['\u001b[31mexpected 1\u001b[39m to be 2'],
            },
          ],
        },
        { name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      ],
    }
    expect(failuresOfVitest(report)).toEqual([
      'a.test.ts: is wrong\nexpected 1 to be 2',
      'b.test.ts\nno such module',
    ])
  })
  it('names journeys that failed, however deep they lie, and faults outside of any', () => {
    const failed = {
      file: 'files.spec.ts',
      title: 'a file is saved',
      tests: [{ status: 'unexpected', results: [{ errors: [{ message: 'not visible' }] }] }],
    }
    const fine = { file: 'files.spec.ts', title: 'is fine', tests: [{ status: 'expected', results: [] }] }
    const report = { suites: [{ suites: [{ specs: [fine, failed] }] }], errors: [{ message: 'no port' }] }
    expect(failuresOfPlaywright(report)).toEqual([
      'files.spec.ts: a file is saved\nnot visible',
      'outside of any journey\nno port',
    ])
  })
  it('repeats what the page of a journey that failed held', () => {
    const context = join(mkdtempSync(join(tmpdir(), 'failures-')), 'error-context.md')
    writeFileSync(
      context,
      '# Error\n\n```\nnot visible\n```\n\n```yaml\n- main "Main":\n```\n\n# Test source\n',
    )
    const attachments = [{ name: 'error-context', path: context }]
    const test = { status: 'unexpected', results: [{ errors: [{ message: 'not visible' }], attachments }] }
    const report = { suites: [{ specs: [{ file: 'a.spec.ts', title: 'a', tests: [test] }] }], errors: [] }
    expect(failuresOfPlaywright(report)).toEqual(['a.spec.ts: a\nnot visible\n- main "Main":'])
  })
  it('names what a fault cost, with the seed that shows it again', () => {
    const fine = { name: 'cuts', lost: [], doubled: [], half: [], wrong: [] }
    const report = { seed: 7, outcomes: [fine, { ...fine, name: 'big', lost: ['a'], wrong: ['It hangs.'] }] }
    expect(failuresOfFaults(report)).toEqual(['faults: big, seed 7\nlost: a\nwrong: It hangs.'])
  })
  it('repeats neither endless messages nor hundreds of failures', () => {
    const test = { status: 'failed', fullName: 'is wrong', failureMessages: ['x'.repeat(1e6)] }
    const report = { testResults: [{ name: 'a', status: 'failed', assertionResults: Array(300).fill(test) }] }
    const failures = failuresOfVitest(report)
    expect(failures).toHaveLength(21)
    expect(failures.at(-1)).toBe('and 280 more')
    expect(failures[0]?.length).toBeLessThan(2000)
  })
})
