import { describe, expect, it } from 'vitest'
import { explained } from './own-comments.ts'
import { formatOf, loadReader } from './read-tree.ts'
import { type Format, MOST_LINES, walk } from './tree.ts'

const readers = {
  yaml: await loadReader('yaml'),
  toml: await loadReader('toml'),
  json: await loadReader('json'),
}
const why = (format: Format, text: string) => {
  const read = readers[format](text)
  return read.ok ? null : read.why
}
const all = (format: Format, text: string) => {
  const read = readers[format](text)
  return read.ok ? [...walk(read.tree.root)] : []
}

it('knows by its name what a file is read as', () => {
  expect(['a.YML', 'a/b.yaml', 'a.toml', 'a.json', 'a.json5', 'a.txt', 'server'].map(formatOf)).toEqual(
    ['yaml', 'yaml', 'toml', 'json', 'json', null, null], // prettier-ignore
  )
})

describe('what a stranger wrote', () => {
  it('is told with its place where it cannot be read', () => {
    expect(why('yaml', 'a: 1\nb: [1\n')).toMatchObject({ kind: 'syntax', at: 11 })
    expect(why('yaml', 'a:\n\tb: 1\n')).toMatchObject({ kind: 'syntax' })
    expect(why('toml', 'a = \n')).toMatchObject({ kind: 'syntax' })
    expect(why('json', '{"a": }')).toMatchObject({ kind: 'syntax', at: 6 })
    expect(why('json', '')).toMatchObject({ kind: 'syntax' })
    expect(why('yaml', 'a: *b\n')).toMatchObject({ kind: 'syntax', at: 3 })
  })

  it('is left to the text where a key stands twice, or several documents do', () => {
    expect(why('yaml', 'a: 1\n"a": 2\n')).toEqual({ kind: 'duplicate', key: 'a', at: 5 })
    expect(why('json', '{"a": 1, "a": 2}')).toEqual({ kind: 'duplicate', key: 'a', at: 9 })
    expect(why('toml', 'a = 1\na = 2\n')).toMatchObject({ kind: 'syntax' })
    expect(why('yaml', 'a: 1\n---\nb: 2\n')).toMatchObject({ kind: 'documents' })
    expect(why('yaml', 'yes: 1\non: 2\n')).toBeNull()
  })

  it('has a bound in size, values and depth', () => {
    expect(why('yaml', `a: ${'x'.repeat(600_000)}`)).toEqual({ kind: 'large' })
    expect(why('json', `[${'1,'.repeat(6000)}1]`)).toEqual({ kind: 'large' })
    const lines = (count: number) => Array.from({ length: count }, (_, n) => `key-${n}: ${n}\n`).join('')
    expect(why('yaml', lines(1499))).toBeNull()
    expect(why('yaml', lines(1500))).toEqual({ kind: 'large' })
    expect(why('toml', lines(4000).replaceAll(':', ' ='))).toEqual({ kind: 'large' })
    for (const list of [`[${'1, '.repeat(40_000)}1]`, `[\n${'  "a",\n'.repeat(10_000)}]`]) {
      expect(why('yaml', `a: ${list}`)).toEqual({ kind: 'large' })
      expect(why('toml', `a = ${list}`)).toEqual({ kind: 'large' })
    }
    // Commas within texts are no values.
    expect(
      why('yaml', `a: [x, "${', '.repeat(3000)}"]\nb: [one] ${'#, '.repeat(3000)}\nc: ${'d, '.repeat(3000)}`),
    ).toBeNull()
    expect(why('yaml', `a: '[${', '.repeat(3000)}'\n`)).toBeNull()
    for (const depth of [100, 20_000]) {
      expect(why('json', '['.repeat(depth) + ']'.repeat(depth))).toEqual({ kind: 'deep' })
      expect(why('yaml', '['.repeat(depth) + ']'.repeat(depth))).toEqual({ kind: 'deep' })
      expect(why('toml', `a = ${'['.repeat(depth)}${']'.repeat(depth)}`)).toEqual({ kind: 'deep' })
    }
  })

  it('takes no longer than its length, whatever is left open in it', () => {
    const long = 80_000
    for (const within of ['"' + '\\"'.repeat(long), ' '.repeat(2 * long), `'${" '".repeat(long)}`]) {
      expect(why('toml', `a = [${within}`)).toMatchObject({ kind: 'syntax' })
      expect(why('yaml', `a: [${within}`)).not.toBeNull()
    }
  })

  it('has a bound in lines, of which most may be comments or nothing', () => {
    const key = { yaml: 'a: 1', toml: 'a = 1', json: '{"a": 1}' }
    const sign = { yaml: '#', toml: '#', json: '//' }
    for (const format of ['yaml', 'toml', 'json'] as const) {
      const most = MOST_LINES[format]
      for (const line of [sign[format], `${sign[format]} c`, '']) {
        const lines = `${line}\n`.repeat(most)
        expect(why(format, lines + key[format])).toBeNull()
        expect(why(format, `${lines}\n${key[format]}`)).toEqual({ kind: 'large' })
      }
    }
  })

  it('is told as too large where a long text, and not its depth, is too much for the parser', () => {
    expect(why('toml', `a = "${'x'.repeat(250_000)}"`)).toEqual({ kind: 'large' })
    expect(why('yaml', `a: "${'x'.repeat(120_000)}"`)).toBeNull()
    expect(why('json', `{"a": "${'x'.repeat(500_000)}"}`)).toBeNull()
    for (const sign of ['"', '!a ', '& ', '- ', ': '])
      expect(why('yaml', sign.repeat(120_000 / sign.length))).toEqual({ kind: 'large' })
    expect(why('yaml', '*{'.repeat(60_000))).toEqual({ kind: 'deep' })
    expect(why('yaml', '&'.repeat(120_000))).toBeNull()
    expect(why('yaml', `a:\n${'- ['.repeat(100)}`)).toMatchObject({
      kind: expect.stringMatching(/deep|syntax/),
    })
  })

  it('expands nothing and runs nothing', () => {
    const lines = Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}]`)
    const nodes = all('yaml', `a0: &a0 x\n${lines.join('\n')}\n`)
    expect(nodes).toHaveLength(1 + 1 + 30 * 4)
    expect(nodes.at(-1)).toMatchObject({ kind: 'alias', text: 'a29', fixed: 'alias' })
    expect(all('yaml', 'a: !!js/function "() => 1"\n')[1]).toMatchObject({ kind: 'text', fixed: 'tag' })
    expect(all('yaml', '__proto__:\n  a: 1\n')[1]).toMatchObject({ key: '__proto__', kind: 'map' })
  })
})

it('gives each value the comments above it and those behind it, and keeps the two apart', () => {
  const of = (format: 'yaml' | 'json' | 'toml', text: string) =>
    all(format, text).map((node) => [node.key, ...Object.values(explained(text, node))])
  const text =
    '# Head\n\n# One\n#  two\na: # three\n  # four\n  b: 1 # five\n\n  # six\n\n  c: |\n    # text\n'
  expect(of('yaml', text)).toEqual([
    ['', '', ''],
    ['a', 'One\n two', 'three'],
    ['b', 'four', 'five'],
    ['c', '', ''],
  ])
  expect(of('json', '{\n  /* One\n   * two */\n  "a": 1 // three\n}')).toEqual([
    ['', '', ''],
    ['a', 'One\ntwo', 'three'],
  ])
  expect(of('toml', '# of s\n[s]\n# of t\n[s.t] # too\na = 1\n')).toEqual([
    ['', '', ''],
    ['s', 'of s', ''],
    ['t', 'of t', 'too'],
    ['a', '', ''],
  ])
})

it('gives a value thousands of lines of comments, of which the begin is shown', () => {
  const line = '# a line of the license of this file\n'
  for (const format of ['yaml', 'toml'] as const) {
    const text = `${line.repeat(3000)}a${format === 'yaml' ? ':' : ' ='} 1 # ${' '.repeat(20_000)}*/ x\n`
    const node = all(format, text)[1]
    expect(node?.comments).toHaveLength(3001)
    const { above, beside } = explained(text, node!)
    expect(above).toMatch(/^(?:a line of the license of this file\n){40}.* …$/s)
    expect(above.length).toBeLessThan(2100)
    expect(beside.length).toBeLessThan(2100)
  }
  const text = `{\n${'// a line\n'.repeat(15_000)}"a": 1}`
  expect(all('json', text)[1]?.comments).toHaveLength(15_000)
})
