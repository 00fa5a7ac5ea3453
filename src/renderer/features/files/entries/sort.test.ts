import { describe, expect, it } from 'vitest'
import type { FileEntry } from '../../../../contract/bridge/values.ts'
import { filtered, nameOrder, sorted } from './sort.ts'

const entry = (name: string, more: Partial<FileEntry> = {}): FileEntry => ({ name, kind: 'file', ...more })
const names = (entries: readonly FileEntry[]) => entries.map((one) => one.name)
const en = nameOrder('en')

describe('sorting', () => {
  it('puts folders first, whichever way round', () => {
    const entries = [entry('a'), entry('z', { kind: 'folder' }), entry('b'), entry('y', { kind: 'folder' })]
    expect(names(sorted(entries, { key: 'name', descending: false }, en))).toEqual(['y', 'z', 'a', 'b'])
    expect(names(sorted(entries, { key: 'name', descending: true }, en))).toEqual(['z', 'y', 'b', 'a'])
  })

  it('counts numbers and follows the language', () => {
    const entries = ['r.10.mca', 'r.9.mca', 'Öl', 'Zeh', 'ola'].map((name) => entry(name))
    const order = { key: 'name', descending: false } as const
    expect(names(sorted(entries, order, nameOrder('de')))).toEqual([
      'Öl',
      'ola',
      'r.9.mca',
      'r.10.mca',
      'Zeh',
    ])
    expect(names(sorted(entries, order, nameOrder('sv'))).at(-1)).toBe('Öl')
  })

  it('leaves what has no size or time at the end', () => {
    const entries = [entry('none'), entry('big', { size: 9 }), entry('small', { size: 1 })]
    expect(names(sorted(entries, { key: 'size', descending: false }, en))).toEqual(['small', 'big', 'none'])
    expect(names(sorted(entries, { key: 'size', descending: true }, en))).toEqual(['big', 'small', 'none'])
  })

  it('compares times as times, whatever their zone', () => {
    const entries = [
      entry('later', { modifiedAt: '2026-01-01T00:00:00Z' }),
      entry('earlier', { modifiedAt: '2026-01-01T01:00:00+02:00' }),
    ]
    expect(names(sorted(entries, { key: 'modified', descending: false }, en))).toEqual(['earlier', 'later'])
  })
})

describe('filtering', () => {
  it('looks at neither case nor how an accent is composed', () => {
    const entries = [entry('Cafe\u0301.txt'), entry('other')]
    expect(names(filtered(entries, ' CAFÉ '))).toEqual(['Cafe\u0301.txt'])
    expect(filtered(entries, ' ')).toBe(entries)
  })
})
