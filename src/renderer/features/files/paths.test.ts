import { describe, expect, it } from 'vitest'
import {
  crumbsOf,
  freeName,
  isWithin,
  join,
  nameFault,
  nameOf,
  parentOf,
  stemLength,
  typedPath,
} from './paths.ts'

describe('paths', () => {
  it('come apart and together again', () => {
    expect(join('', 'a')).toBe('a')
    expect(join('a/b', 'c')).toBe('a/b/c')
    expect([parentOf('a/b/c'), parentOf('a'), nameOf('a/b'), nameOf('a')]).toEqual(['a/b', '', 'b', 'a'])
    expect(crumbsOf('世界/b')).toEqual([
      { name: '世界', path: '世界' },
      { name: 'b', path: '世界/b' },
    ])
  })

  it('know what lies within a folder, and not what is only called alike', () => {
    expect(isWithin('world/region', 'world')).toBe(true)
    expect(isWithin('world', 'world')).toBe(true)
    expect(isWithin('world_nether', 'world')).toBe(false)
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
    expect(nameFault(name)).toBe(fault)
  })

  it('are renamed up to their ending', () => {
    expect([
      stemLength('world.tar.gz'),
      stemLength('.bashrc'),
      stemLength('v1.2 notes'),
      stemLength('a.yml'),
    ]).toEqual([5, 7, 10, 1])
  })

  it('get a number where they are taken', () => {
    expect(freeName('world.zip', new Set(['world.zip', 'world (2).zip']))).toBe('world (3).zip')
    expect(freeName('world.zip', new Set())).toBe('world.zip')
  })
})
