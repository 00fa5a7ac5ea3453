import { expect, test } from 'vitest'
import { propertiesIn, withProperties } from './properties-text.ts'

test('escapes of Java properties are taken back, and a value that is written is read as it was', () => {
  expect(propertiesIn('a=\\u00a7b\\t\\:\\=\\\\u0041\nb=one\\\n   two')).toEqual(
    new Map([
      ['a', '§b\t:=\\u0041'],
      ['b', 'onetwo'],
    ]),
  )
  for (const value of ['§aHi', ' two  ', 'a\\u0041', 'line\nline', '', '🐻', '#!=:']) {
    const text = withProperties('x=1\n', new Map([['key', value]]))!
    expect(propertiesIn(text).get('key')).toBe(value)
    expect(text).toMatch(/^[\x20-\x7e\n]*$/)
  }
})

test('many changes of a long text take one pass', () => {
  const text = Array.from({ length: 20_000 }, (_, at) => `key${at}=1\n`).join('')
  const changes = new Map(Array.from({ length: 300 }, (_, at) => [`key${at * 50}`, '2'] as const))
  const changed = withProperties(text, changes)!
  expect(changed).toHaveLength(text.length)
  expect([...propertiesIn(changed).values()].filter((value) => value === '2')).toHaveLength(300)
  expect(withProperties(changed, changes)).toBeNull()
})
