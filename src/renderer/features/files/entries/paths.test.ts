import { describe, expect, it } from 'vitest'
import { crumbsOf, freeName, typedFault, typedPath } from './paths.ts'

describe('paths', () => {
  it('are a row of folders from the top down', () => {
    expect(crumbsOf('世界/b')).toEqual([
      { name: '世界', path: '世界' },
      { name: 'b', path: '世界/b' },
    ])
  })

  it.each([
    ['/world//region/', 'world/region'],
    ['  plugins\\Essentials ', 'plugins/Essentials'],
    ['../../etc/../world/./x', 'world/x'],
    ['/', ''],
  ])('are read as they are typed: %j', (typed, path) => {
    expect(typedPath(typed)).toBe(path)
  })
})

describe('names', () => {
  it.each([
    ['', 'empty'],
    [' ', 'empty'],
    ['a/b', 'slash'],
    ['..', 'dots'],
    ['a\u0000', 'control'],
    ['世'.repeat(86), 'long'],
    ['世界 🌍 #%?.yml', null],
  ])('%j are %j', (name, fault) => {
    expect(typedFault(name)).toBe(fault)
  })

  it('get a number where they are taken', () => {
    expect(freeName('world.zip', new Set(['world.zip', 'world (2).zip']))).toBe('world (3).zip')
    expect(freeName('world.zip', new Set())).toBe('world.zip')
  })
})
