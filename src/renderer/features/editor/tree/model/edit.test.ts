import { describe, expect, it } from 'vitest'
import { type Edit, edit } from './edit.ts'
import { loadReader } from './read-tree.ts'
import { type Format, type NewValue, type Scalar, type Tree, type TreeNode, walk } from './tree.ts'

const readers = {
  yaml: await loadReader('yaml'),
  toml: await loadReader('toml'),
  json: await loadReader('json'),
}

function tree(format: Format, text: string): Tree {
  const read = readers[format](text)
  if (!read.ok) throw new Error(JSON.stringify(read.why))
  return read.tree
}

/** The node under a path such as `a/b/0`. */
function at(of: Tree, path: string): TreeNode {
  const keys = path === '' ? [] : path.split('/')
  let node = of.root
  for (const key of keys) {
    const child = node.children.find((one) => one.key === key)
    if (!child) throw new Error(`Nothing at ${path}`)
    node = child
  }
  return node
}

function done(format: Format, text: string, wanted: (of: Tree) => Edit): string {
  const of = tree(format, text)
  const edited = edit(of, readers[format], wanted(of))
  return edited.ok ? edited.text : `refused: ${edited.why}`
}

const set = (format: Format, text: string, path: string, value: Scalar) =>
  done(format, text, (of) => ({ act: 'set', node: at(of, path), value }))
const say = (text: string): Scalar => ({ kind: 'text', text })
const number = (text: string): Scalar => ({ kind: 'number', text })
const yes: Scalar = { kind: 'boolean', text: 'true' }
const no: Scalar = { kind: 'boolean', text: 'false' }
const add = (format: Format, text: string, path: string, key: string, value: NewValue) =>
  done(format, text, (of) => ({ act: 'add', node: at(of, path), key, value }))
const remove = (format: Format, text: string, path: string) =>
  done(format, text, (of) => ({ act: 'remove', node: at(of, path) }))
const rename = (format: Format, text: string, path: string, key: string) =>
  done(format, text, (of) => ({ act: 'rename', node: at(of, path), key }))
const move = (format: Format, text: string, path: string, by: 1 | -1) =>
  done(format, text, (of) => ({ act: 'move', node: at(of, path), by }))

describe('YAML', () => {
  it('changes a value and nothing around it', () => {
    const text = '# Head\r\n\r\na:   1 # one\r\nb:\r\n    - "x"   # two\r\n    - \'y\'\r\n'
    expect(set('yaml', text, 'a', number('2'))).toBe(text.replace('1 #', '2 #'))
    expect(set('yaml', text, 'b/0', say('it’s "z"'))).toBe(text.replace('"x"', '"it’s \\"z\\""'))
    expect(set('yaml', text, 'b/1', say("it's"))).toBe(text.replace("'y'", "'it''s'"))
  })

  it('writes a switch in the words the file has for it', () => {
    expect(set('yaml', 'a: yes\n', 'a', no)).toBe('a: no\n')
    expect(set('yaml', 'a: Off # b\n', 'a', yes)).toBe('a: On # b\n')
    expect(set('yaml', 'a: TRUE\n', 'a', no)).toBe('a: FALSE\n')
  })

  it('keeps a text a text where a server would take it for something else', () => {
    const kinds = [...walk(tree('yaml', 'a: "yes"\nb: yes\nc: "1"\nd: 0x1F\ne: 1e3\nf: 2020-01-01\n').root)]
    expect(kinds.slice(1).map((node) => [node.kind, node.text])).toEqual([
      ['text', 'yes'],
      ['boolean', 'true'],
      ['text', '1'],
      ['number', '0x1F'],
      ['number', '1e3'],
      ['text', '2020-01-01'],
    ])
    for (const word of ['yes', 'on', 'Y', 'null', '~', '1', '0777', '1_000', '12:30', '2020-01-01', '']) {
      expect(set('yaml', 'a: word\n', 'a', say(word))).toBe(`a: '${word}'\n`)
    }
    expect(set('yaml', 'a: "yes"\n', 'a', say('no'))).toBe('a: "no"\n')
    // What a server read as a time of day before, it still does.
    expect(set('yaml', 'a: 12:30\n', 'a', say('12:45'))).toBe('a: 12:45\n')
    expect(set('yaml', 'a: word\n', 'a', say('a: b # c'))).toBe("a: 'a: b # c'\n")
    expect(set('yaml', 'a: word\n', 'a', say('\u0007'))).toBe('a: "\\u0007"\n')
  })

  it('writes numbers as they are typed, and only numbers', () => {
    const large = '123456789012345678901234567890'
    expect(set('yaml', `a: ${large}\n`, 'a', number(`${large}1`))).toBe(`a: ${large}1\n`)
    expect(set('yaml', 'a: 1\n', 'a', number('1e3'))).toBe('a: 1e3\n')
    expect(set('yaml', 'a: 1\n', 'a', number('one'))).toBe('refused: not-a-number')
    expect(set('yaml', 'a: 1\n', 'a', number('1 # 2'))).toBe('refused: not-a-number')
  })

  it('keeps a text of several lines in its style, with the comment at its head', () => {
    const text = 'a: |- # why\n    one\n    two\nb: 1\n'
    expect(set('yaml', text, 'a', say('three\n\nfour'))).toBe('a: |- # why\n    three\n\n    four\nb: 1\n')
    expect(set('yaml', text, 'a', say('three\n'))).toBe('a: | # why\n    three\nb: 1\n')
    expect(set('yaml', text, 'a', say(' odd'))).toBe("a: ' odd' # why\nb: 1\n")
    expect(set('yaml', 'a: |\n  # no comment\n', 'a', say('x\n'))).toBe('a: |\n  x\n')
    expect(set('yaml', 'a: >-\n  one\n  two\n', 'a', say('x\ny'))).toBe('a: >-\n  x\n\n  y\n')
    expect(set('yaml', 'x:\n  a: word\n', 'x/a', say('one\ntwo'))).toBe('x:\n  a: |-\n    one\n    two\n')
    expect(set('yaml', 'x: [word]\n', 'x/0', say('one\ntwo'))).toBe('x: ["one\\ntwo"]\n')
  })

  it('fills in what stands empty', () => {
    expect(set('yaml', 'a:   # none\nb:\n', 'a', say('x'))).toBe('a: x   # none\nb:\n')
    expect(set('yaml', 'a:\n  -\n  - b\n', 'a/0', say('x'))).toBe('a:\n  - x\n  - b\n')
  })

  it('adds at the end, on a line as the others have', () => {
    expect(add('yaml', 'a:\n    b: 1 # one\nc: 2\n', 'a', 'd', say('x'))).toBe(
      'a:\n    b: 1 # one\n    d: x\nc: 2\n',
    )
    expect(add('yaml', 'a:\n- 1\n- 2', 'a', '', number('3'))).toBe('a:\n- 1\n- 2\n- 3')
    expect(add('yaml', 'a: {}\nb: 1\n', 'a', 'c', yes)).toBe('a:\n  c: true\nb: 1\n')
    expect(add('yaml', 'a: [] # none\r\n', 'a', '', say('x'))).toBe('a: # none\r\n- x\r\n')
    expect(add('yaml', 'a: [1, 2]\n', 'a', '', number('3'))).toBe('a: [1, 2, 3]\n')
    expect(add('yaml', 'l:\n  - k: 1\n  - k: 2\n', 'l/0', 'm', { kind: 'list' })).toBe(
      'l:\n  - k: 1\n    m: []\n  - k: 2\n',
    )
    expect(add('yaml', '# nothing yet\n', '', 'a', number('1'))).toBe('# nothing yet\na: 1\n')
    expect(add('yaml', 'a: |\n  text\n\n', '', 'b', number('1'))).toBe('a: |\n  text\nb: 1\n\n')
    expect(add('yaml', 'a: 1\n', '', 'a', yes)).toBe('refused: key-taken')
    expect(add('yaml', 'a: 1\n', '', 'on', yes)).toBe("a: 1\n'on': true\n")
  })

  it('takes an entry out with the comments that are its own', () => {
    const text = '# Head\n\n# of a\na: 1 # too\n# of b\nb:\n  # of c\n  c: 1\n  d: 2\n'
    expect(remove('yaml', text, 'a')).toBe('# Head\n\n# of b\nb:\n  # of c\n  c: 1\n  d: 2\n')
    expect(remove('yaml', text, 'b/c')).toBe(text.replace('  # of c\n  c: 1\n', ''))
    expect(remove('yaml', text, 'b')).toBe('# Head\n\n# of a\na: 1 # too\n')
    expect(remove('yaml', '# Head\na: 1\nb: 2\n', 'a')).toBe('# Head\nb: 2\n')
    expect(remove('yaml', 'a:  # why\n  b: 1\nc: 2\n', 'a/b')).toBe('a: {}  # why\nc: 2\n')
    expect(remove('yaml', 'a:\n- 1\n', 'a/0')).toBe('a: []\n')
    expect(remove('yaml', '- a: 1\n  b: 2\n', '0/a')).toBe('- b: 2\n')
    expect(remove('yaml', '- a: 1\n- c\n', '0/a')).toBe('- {}\n- c\n')
    expect(remove('yaml', 'a: 1\nb: 2', 'b')).toBe('a: 1')
    expect(remove('yaml', 'a: 1\n', 'a')).toBe('{}\n')
    expect(remove('yaml', 'a: |+\n  x\n\n\nb: 1\n', 'b')).toBe('a: |+\n  x\n\n\n')
    expect(remove('yaml', 'a:\n  - 1\n\n  # free\n\n  - 2\n', 'a/0')).toBe('a:\n  # free\n\n  - 2\n')
    expect(remove('yaml', 'a: [1, 2, 3]\n', 'a/1')).toBe('a: [1, 3]\n')
    expect(remove('yaml', 'a: {x: 1}\n', 'a/x')).toBe('a: {}\n')
  })

  it('renames and moves', () => {
    expect(rename('yaml', '"a b": 1 # c\n', 'a b', 'x y')).toBe('"x y": 1 # c\n')
    expect(rename('yaml', 'a: 1\n', 'a', 'yes')).toBe("'yes': 1\n")
    expect(rename('yaml', 'a: 1\nb: 2\n', 'a', 'b')).toBe('refused: key-taken')
    expect(move('yaml', 'l:\n  # one\n  - 1\n  - k: 2\n    m: 3 # two\n  - 4\n', 'l/0', 1)).toBe(
      'l:\n  - k: 2\n    m: 3 # two\n  # one\n  - 1\n  - 4\n',
    )
    expect(move('yaml', 'l: [1, "b", 3]\n', 'l/2', -1)).toBe('l: [1, 3, "b"]\n')
  })

  it('leaves to the text what stands elsewhere or has a type of its own', () => {
    const text = 'base: &b\n  x: 1\nuse:\n  <<: *b\n  y: !!js/function z\n? [a, b]\n: c\n'
    expect(set('yaml', text, 'use/<<', say('q'))).toBe('refused: not-here')
    expect(set('yaml', text, 'use/y', say('q'))).toBe('refused: not-here')
    expect(set('yaml', text, 'base/x', number('2'))).toBe(text.replace('x: 1', 'x: 2'))
    expect(remove('yaml', text, 'base')).toBe('refused: not-here')
    expect(rename('yaml', text, '[a, b]', 'q')).toBe('refused: not-here')
  })
})

describe('TOML', () => {
  const text =
    '# Head\r\n\r\ntitle = \'a\' # why\r\n\r\n[server]\r\n  port = 0x1F\r\n  # many\r\n  names = [\r\n    "a", # first\r\n    "b",\r\n  ]\r\n\r\n[server.tls]\r\non = false\r\nsince = 2026-01-01\r\n'

  it('changes a value and nothing around it', () => {
    expect(set('toml', text, 'title', say('b'))).toBe(text.replace("'a'", "'b'"))
    expect(set('toml', text, 'title', say("it's"))).toBe(text.replace("'a'", '"it\'s"'))
    expect(set('toml', text, 'server/port', number('0xFF'))).toBe(text.replace('0x1F', '0xFF'))
    expect(set('toml', text, 'server/names/1', say('c\\'))).toBe(text.replace('"b"', '"c\\\\"'))
    expect(set('toml', text, 'server/tls/on', yes)).toBe(text.replace('false', 'true'))
    expect(set('toml', text, 'server/tls/since', { kind: 'date', text: '2026-02-02' })).toBe(
      text.replace('2026-01-01', '2026-02-02'),
    )
    expect(set('toml', text, 'server/port', number('many'))).toBe('refused: not-a-number')
    expect(set('toml', text, 'server/port', { kind: 'null', text: '' })).toBe('refused: not-here')
    expect(set('toml', 'a = """\nx\ny"""\n', 'a', say('x\n"""z'))).toBe('a = """\nx\n\\"\\"\\"z"""\n')
  })

  it('adds where the table has its values', () => {
    expect(add('toml', text, '', 'new', yes)).toBe(text.replace('# why\r\n', '# why\r\nnew = true\r\n'))
    expect(add('toml', text, 'server', 'new', number('1'))).toBe(
      text.replace('  ]\r\n', '  ]\r\n  new = 1\r\n'),
    )
    expect(add('toml', text, 'server/names', '', say('c'))).toBe(
      text.replace('"b",\r\n', '"b",\r\n    "c",\r\n'),
    )
    expect(add('toml', text, 'server/tls', 'a b', say('c'))).toBe(`${text}"a b" = "c"\r\n`)
    expect(add('toml', 'a.b = 1\n', 'a', 'c', number('2'))).toBe('a.b = 1\na.c = 2\n')
    expect(add('toml', 'a = {}\n', 'a', 'c', number('2'))).toBe('a = { c = 2 }\n')
    expect(add('toml', '# Head\n\n# of t\n[t]\n', '', 'a', number('2'))).toBe(
      '# Head\na = 2\n\n# of t\n[t]\n',
    )
    expect(add('toml', '[[t]]\na = 1\n', 't', '', { kind: 'map' })).toBe('[[t]]\na = 1\n\n[[t]]\n')
  })

  it('takes out, renames and moves all that a table is made of', () => {
    expect(remove('toml', text, 'server')).toBe("# Head\r\n\r\ntitle = 'a' # why\r\n\r\n")
    expect(remove('toml', text, 'server/names/0')).toBe(text.replace('"a", # first\r\n    ', ''))
    expect(rename('toml', text, 'server', 'host')).toBe(
      text.replace('[server]', '[host]').replace('[server.tls]', '[host.tls]'),
    )
    expect(move('toml', '[[t]]\na = 1 # one\n\n# of two\n[[t]]\na = 2\n', 't/0', 1)).toBe(
      '# of two\n[[t]]\na = 2\n\n[[t]]\na = 1 # one\n',
    )
    expect(move('toml', text, 'server/names/1', -1)).toBe(
      text.replace('"a", # first\r\n    "b",', '"b",\r\n    "a", # first'),
    )
  })
})

describe('JSON', () => {
  const text = '{\n  // of a\n  "a": 1.0, // one\n  "b": ["x", "y"],\n  "c": { "d": null }\n}\n'

  it('changes a value and nothing around it', () => {
    expect(set('json', text, 'a', number('12345678901234567890'))).toBe(
      text.replace('1.0', '12345678901234567890'),
    )
    expect(set('json', text, 'b/0', say('"'))).toBe(text.replace('"x"', '"\\""'))
    expect(set('json', text, 'c/d', yes)).toBe(text.replace('null', 'true'))
    expect(set('json', text, 'a', number('0x1'))).toBe('refused: not-a-number')
  })

  it('adds, takes out, renames and moves with commas and comments', () => {
    expect(add('json', text, '', 'e', { kind: 'list' })).toBe(text.replace('null }', 'null },\n  "e": []'))
    expect(add('json', text, 'b', '', say('z'))).toBe(text.replace('"y"', '"y", "z"'))
    expect(add('json', '{\n  "a": {}\n}', 'a', 'b', yes)).toBe('{\n  "a": {\n    "b": true\n  }\n}')
    expect(add('json', '[\n\t1 // one\n]', '', '', number('2'))).toBe('[\n\t1, // one\n\t2\n]')
    expect(remove('json', text, 'a')).toBe(text.replace('// of a\n  "a": 1.0, // one\n  ', ''))
    expect(remove('json', text, 'c')).toBe(text.replace(',\n  "c": { "d": null }', ''))
    expect(remove('json', text, 'c/d')).toBe(text.replace('{ "d": null }', '{}'))
    expect(rename('json', text, 'b', 'B')).toBe(text.replace('"b"', '"B"'))
    expect(move('json', '[\n  1, // one\n  2\n]', '0', 1)).toBe('[\n  2,\n  1 // one\n]')
  })
})
