import { describe, expect, it } from 'vitest'
import { carryOut } from './carry-out.ts'
import type { UpdateEngine } from './update-engine.ts'

describe('at the end of the panel', () => {
  const engine = (install: () => boolean): UpdateEngine => ({
    installs: 'quietly',
    check: () => Promise.resolve(null),
    download: () => Promise.resolve(),
    install,
  })
  const fails = engine(() => {
    throw new Error('no')
  })

  it('nothing is installed where the system ends it, which gives no time for that', () => {
    expect(carryOut('install', 'system', fails, () => expect.fail('It was tried.'))).toBe(false)
  })

  it('this version is started again where the new one could not be installed and was awaited', () => {
    const failed: unknown[] = []
    expect(carryOut('install-and-restart', 'person', fails, (error) => failed.push(error))).toBe(true)
    expect(carryOut('install', 'person', fails, (error) => failed.push(error))).toBe(false)
    expect(failed).toHaveLength(2)
    expect(
      carryOut(
        'install-and-restart',
        'person',
        engine(() => false),
        () => expect.fail(),
      ),
    ).toBe(false)
  })

  it('a new version that only whoever ends the program can start is started by that', () => {
    const left = engine(() => true)
    expect(carryOut('install-and-restart', 'person', left, () => expect.fail())).toBe(true)
  })

  it('nothing is installed where servers keep running, with the files of this version', () => {
    expect(carryOut('install', 'keeping', fails, () => expect.fail('It was tried.'))).toBe(false)
  })
})
