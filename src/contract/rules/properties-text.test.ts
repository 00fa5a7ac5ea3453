import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JavaSettings, openJavaSettings } from '../../../tests/fixtures/java-settings.ts'
import { propertiesIn, readProperties, withProperties } from './properties-text.ts'

let java: JavaSettings
beforeAll(async () => {
  java = await openJavaSettings()
})
afterAll(() => java.close())

const javaReads = async (text: string) => java.file(Buffer.from(text))

/** Everything that has a meaning in such a text, much that only seems to have one, and keys that are written in several ways. */
const text = fc
  .array(
    fc.constantFrom(
      ...[' ', '\t', '\f', '\n', '\r', '\r\n', '\\', '\\\n', '\\\r', '\\\r\n  ', '=', ':', '#', '!', '\n\n'],
      ...[
        '\\u0041',
        '\\u00e9',
        '\\u',
        '\\U',
        'u',
        'n',
        't',
        '\v',
        '\0',
        '\u0085',
        '\u00a0',
        '\ufeff',
        '\u2028',
        'é',
        '🐻',
      ],
      ...[
        'key=1\n',
        'k\\ey 2\r',
        '\\u006bey\t3\n',
        'key\\\n: 4\n',
        'other=5\n',
        'other = 6',
        'key',
        'true ',
        '\\ x',
      ],
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''))

const RUNS = { numRuns: 2000 }

test('every text is read as java.util.Properties reads it', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (said) => {
      const expected = await javaReads(said)
      const { values, malformed } = readProperties(said)
      expect(malformed.size > 0).toBe(expected === null)
      if (expected !== null) expect(values).toEqual(new Map(expected))
    }),
    RUNS,
  )
})

test('after a change Java reads what was wanted, once, and everything else as before', async () => {
  const changes = fc.dictionary(
    fc.constantFrom('key', 'other', 'new', '\ufeffkey', 'a b', ' #x', '\\U0041=', 'é', 'k=:\\'),
    fc.option(fc.oneof(text, fc.constantFrom('', ' two  ', '127.0.0.1'))),
    { minKeys: 1, maxKeys: 3, noNullPrototype: true },
  )
  await fc.assert(
    fc.asyncProperty(text, changes, async (said, wanted) => {
      const before = await javaReads(said)
      fc.pre(before !== null)
      const map = new Map(Object.entries(wanted))
      const next = withProperties(said, map) ?? said
      const after = await javaReads(next)
      // An escaped line end that ends the text is a key of no characters to Java; a line behind it takes that away.
      const others = (all: typeof after) => all?.filter(([key]) => !map.has(key) && key !== '')
      expect(others(after)).toEqual(others(before))
      for (const [key, value] of map)
        expect(after?.filter((one) => one[0] === key)).toEqual(value === null ? [] : [[key, value]])
      expect(withProperties(next, map)).toBeNull()
    }),
    RUNS,
  )
})

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

test.each([
  ['a blank', 'server-ip 0.0.0.0\n', 'server-ip=127.0.0.1\n'],
  ['a tab and a colon', '\tserver-ip\t:0.0.0.0', 'server-ip=127.0.0.1'],
  ['a form feed', 'motd=x\n\fserver-ip\f0.0.0.0\n', 'motd=x\nserver-ip=127.0.0.1\n'],
  ['an escape in the key', 'server\\-ip=0.0.0.0\r\nmotd=x\r\n', 'server-ip=127.0.0.1\r\nmotd=x\r\n'],
  ['an escape by number', '\\u0073erver-ip=0.0.0.0\n', 'server-ip=127.0.0.1\n'],
  ['a key over two lines', 'server-\\\n   ip=0.0.0.0\nmotd=x', 'server-ip=127.0.0.1\nmotd=x'],
  ['a carriage return', 'motd=x\rserver-ip=0.0.0.0\rpvp=true\r', 'motd=x\rserver-ip=127.0.0.1\rpvp=true\r'],
  ['a comment before a carriage return', '#c\rserver-ip=0.0.0.0', '#c\rserver-ip=127.0.0.1'],
  ['twice', 'server-ip=0.0.0.0\n#c\nserver\\-ip 0.0.0.0\n', '#c\nserver-ip=127.0.0.1\n'],
  ['twice, the last one right', 'server-ip=0.0.0.0\nserver-ip: 127.0.0.1\n', 'server-ip: 127.0.0.1\n'],
  ['in the value of another key', 'motd=\\\nserver-ip=1', 'motd=\\\nserver-ip=1\nserver-ip=127.0.0.1\n'],
  ['a backslash at the end', 'motd=x\\', 'motd=x\\\n\nserver-ip=127.0.0.1\n'],
  ['an escaped line end at the end', '#c\r\nmotd=x\\\r', '#c\r\nmotd=x\\\r\rserver-ip=127.0.0.1\r\n'],
  ['a comment that ends in a backslash', '#c\\', '#c\\\nserver-ip=127.0.0.1\n'],
  ['a byte order mark', '\ufeffserver-ip=1\n', '\ufeffserver-ip=1\nserver-ip=127.0.0.1\n'],
  ['a no-break space', '\u00a0server-ip=1\n', '\u00a0server-ip=1\nserver-ip=127.0.0.1\n'],
  ['nothing', '', 'server-ip=127.0.0.1\n'],
])('a setting is written over with %s before it, and nothing else is', async (_, before, after) => {
  expect(withProperties(before, new Map([['server-ip', '127.0.0.1']]))).toBe(after)
  expect(new Map(await javaReads(after)).get('server-ip')).toBe('127.0.0.1')
})

test('a value with a blank behind it is another value', () => {
  expect(withProperties('a=true \n', new Map([['a', 'true']]))).toBe('a=true\n')
  expect(withProperties('a=\n', new Map([['a', '']]))).toBeNull()
})

test('a malformed escape is found by its key, read without its backslash, and gone once the key is set', () => {
  const { values, malformed } = readProperties('a=\\u12\nb=\\u00e9\n# \\u\n')
  expect(values).toEqual(new Map(Object.entries({ a: 'u12', b: 'é' })))
  expect([...malformed]).toEqual(['a'])
  expect(withProperties('a=\\u12\n', new Map([['a', 'u12']]))).toBe('a=u12\n')
})

test('what Java 8 and later versions read differently is noticed', () => {
  const isAmbiguous = (said: string) => readProperties(said).isAmbiguous
  for (const said of ['\\\n#c\\\nserver-ip=1\n', '#c\\\n\\\\\\\\\nserver-ip=1\n', ' \\'])
    expect(isAmbiguous(said), said).toBe(true)
  for (const said of ['', 'a=\\\\\n', 'a\\\n b=1\n', '# \\\n', '\\u0061=1'])
    expect(isAmbiguous(said), said).toBe(false)
})

test('many changes of a long text take one pass', () => {
  const text = Array.from({ length: 20_000 }, (_, at) => `key${at}=1\n`).join('')
  const changes = new Map(Array.from({ length: 300 }, (_, at) => [`key${at * 50}`, '2'] as const))
  const changed = withProperties(text, changes)!
  expect(changed).toHaveLength(text.length)
  expect([...propertiesIn(changed).values()].filter((value) => value === '2')).toHaveLength(300)
  expect(withProperties(changed, changes)).toBeNull()
})

test('one line of a quarter of a megabyte is read, whatever it consists of', () => {
  for (const part of ['\\', '\\\n', 'a', ' ', '\\u', '=', '\r', '\f\\\r\n'])
    expect(readProperties(`x=1\n${part.repeat(262_144 / part.length)}`).values.get('x')).toBe('1')
})
