import { describe, expect, it } from 'vitest'
import { Selection } from './selection.svelte.ts'

let list = $state.raw(['a', 'b', 'c', 'd', 'e'])
const selection = () => {
  list = ['a', 'b', 'c', 'd', 'e']
  return new Selection(() => list)
}

describe('a selection', () => {
  it('reaches from where it began, in both directions', () => {
    const one = selection()
    one.go(2, 'only')
    one.go(4, 'range')
    expect(one.names).toEqual(['c', 'd', 'e'])
    one.go(0, 'range')
    expect(one.names).toEqual(['a', 'b', 'c'])
    expect(one.cursor).toBe(0)
  })

  it('adds a range to what was selected before', () => {
    const one = selection()
    one.go(0, 'only')
    one.go(3, 'toggle')
    one.go(4, 'add-range')
    expect(one.names).toEqual(['a', 'd', 'e'])
  })

  it('takes out what is toggled twice', () => {
    const one = selection()
    one.go(1, 'only')
    one.go(1, 'toggle')
    expect(one.size).toBe(0)
    expect(one.cursor).toBe(1)
  })

  it('moves its cursor without selecting', () => {
    const one = selection()
    one.go(1, 'only')
    one.point(3)
    expect(one.names).toEqual(['b'])
    expect(one.cursorName).toBe('d')
  })

  it('counts only what is there', () => {
    const one = selection()
    one.take(['a', 'gone'])
    expect(one.size).toBe(1)
    expect(one.names).toEqual(['a'])
    one.take(['gone'])
    expect(one.cursor).toBe(-1)
  })

  it('finds its cursor again when names come before it', () => {
    let names = $state.raw(['b', 'c'])
    const one = new Selection(() => names)
    one.go(1, 'only')
    expect(one.cursor).toBe(1)
    names = ['a', 'b', 'c']
    expect(one.cursor).toBe(2)
    expect(one.names).toEqual(['c'])
    names = ['a', 'b']
    expect(one.cursor).toBe(-1)
    expect(one.size).toBe(0)
  })
})
