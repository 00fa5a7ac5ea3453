import { describe, expect, it } from 'vitest'
import { plainNotes } from './plain-notes.ts'

describe('release notes', () => {
  it('are plain text, and no longer than anybody reads', () => {
    expect(plainNotes('- a < b\n- c')).toBe('- a < b\n- c')
    expect(plainNotes('<p>One<script>x</script></p><p>Two</p>')).toBe('Onex\nTwo')
    expect(plainNotes([{ note: 'first' }, { note: null }])).toBe('first')
    expect(plainNotes({})).toBe('')
    expect(plainNotes('a'.repeat(100_000)).length).toBeLessThan(11_000)
  })

  it('are looked at in a bounded part, however much a feed sends', () => {
    // Each names the one before twice, as aliases of YAML allow: read whole, they would be four million texts.
    let nested: unknown = 'deep'
    for (let depth = 0; depth < 22; depth++) nested = [{ note: nested }, { note: nested }]
    expect(plainNotes(nested)).toBe('')
    let read = 0
    const notes = Array.from({ length: 1000 }, () => ({
      get note() {
        read++
        return 'new'
      },
    }))
    expect(plainNotes(notes).split('\n\n')).toHaveLength(20)
    expect(read).toBe(20)
  })

  it('with long rows of spaces are read at once', () => {
    // Whoever looks at each space anew takes fifteen seconds, which is more than a test has.
    expect(plainNotes(`a${' '.repeat(49_000)}b`)).toMatch(/^a +…$/)
  })
})
