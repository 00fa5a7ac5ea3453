/**
 * Texts that cost a reader far more than their size suggests, made to any size. What the service or the panel reads from
 * strangers is tried with all of them, so a reader needs no attack of its own.
 */
export interface Shape {
  name: string
  /** A text of about so many characters. */
  text: (size: number) => string
}

const filled = (size: number, piece: string): string =>
  piece.repeat(Math.max(1, Math.floor(size / piece.length)))

/** Pieces that differ by their number, joined until they have the size. */
function numbered(size: number, join: string, piece: (at: number) => string): string {
  const pieces: string[] = []
  for (let [at, length] = [0, 0]; length < size; at++) {
    const next = piece(at)
    pieces.push(next)
    length += next.length + join.length
  }
  return pieces.join(join)
}

const nested = (size: number, open: string, inner: string, close: string): string => {
  const depth = Math.max(1, Math.floor(size / (open.length + close.length)))
  return open.repeat(depth) + inner + close.repeat(depth)
}

export const jsonShapes: readonly Shape[] = [
  { name: 'arrays in arrays', text: (size) => nested(size, '[', '', ']') },
  { name: 'objects in objects', text: (size) => nested(size, '{"a":', '0', '}') },
  { name: 'brackets that never close', text: (size) => filled(size, '[{"a":') },
  { name: 'many empty arrays', text: (size) => `[${filled(size, '[],')}[]]` },
  { name: 'many empty objects', text: (size) => `[${filled(size, '{},')}{}]` },
  { name: 'many small numbers', text: (size) => `[${filled(size, '0,')}0]` },
  { name: 'arrays of arrays of arrays', text: (size) => `[${filled(size, '[[0],[0]],')}[]]` },
  { name: 'many keys', text: (size) => `{${numbered(size, ',', (at) => `"k${at}":0`)}}` },
  { name: 'one key again and again', text: (size) => `{${filled(size, '"id":0,')}"id":0}` },
  {
    name: 'objects with many keys',
    text: (size) => `[${filled(size, '{"a":0,"b":0,"c":0,"d":0,"e":0},')}{}]`,
  },
  { name: 'one long text', text: (size) => `"${filled(size, 'a')}"` },
  { name: 'escapes', text: (size) => `"${filled(size, '\\u0000')}"` },
  { name: 'one long number', text: (size) => filled(size, '9') },
  { name: 'one long key', text: (size) => `{"${filled(size, 'k')}":0}` },
  { name: 'blanks', text: (size) => `${filled(size, ' ')}[]` },
]

export const yamlShapes: readonly Shape[] = [
  { name: 'many empty lists', text: (size) => `k: [${filled(size, '[],')}[]]\n` },
  { name: 'lists in lists', text: (size) => `k: ${nested(size, '[', '', ']')}\n` },
  { name: 'brackets that never close', text: (size) => `k: ${filled(size, '[')}` },
  { name: 'many keys', text: (size) => numbered(size, '\n', (at) => `k${at}: 0`) },
  { name: 'many items', text: (size) => `k:\n${filled(size, '- a\n')}` },
  {
    name: 'blocks in blocks',
    text: (size) => numbered(size, '\n', (at) => `${' '.repeat(at)}k:`),
  },
  { name: 'comments', text: (size) => filled(size, '#\n') },
  { name: 'documents', text: (size) => filled(size, '---\n') },
  { name: 'one error a line', text: (size) => filled(size, '\t: :\n') },
  {
    name: 'anchors',
    text: (size) => numbered(size, '\n', (at) => `k${at}: &a${at} [*a${Math.max(0, at - 1)}]`),
  },
  {
    name: 'aliases of aliases',
    text: (size) =>
      `a0: &a0 [x,x,x,x,x,x,x,x]\n${numbered(size, '\n', (at) => `a${at + 1}: &a${at + 1} [${Array(8).fill(`*a${at}`).join(',')}]`)}`,
  },
  { name: 'merges', text: (size) => `a: &a {x: 0}\n${numbered(size, '\n', (at) => `k${at}: {<<: *a}`)}` },
  { name: 'tags', text: (size) => filled(size, '- !!map {}\n') },
  { name: 'one long text', text: (size) => `k: ${filled(size, 'a')}\n` },
  { name: 'quoted escapes', text: (size) => `k: "${filled(size, '\\x00')}"\n` },
]

export const tomlShapes: readonly Shape[] = [
  { name: 'many empty lists', text: (size) => `k = [${filled(size, '[],')}[]]\n` },
  { name: 'lists in lists', text: (size) => `k = ${nested(size, '[', '', ']')}\n` },
  { name: 'inline tables in inline tables', text: (size) => `k = ${nested(size, '{a=', '0', '}')}\n` },
  { name: 'many tables', text: (size) => numbered(size, '\n', (at) => `[t${at}]`) },
  { name: 'many entries of one list', text: (size) => filled(size, '[[mods]]\n') },
  { name: 'one deep table', text: (size) => `[${filled(size, 'a.')}a]\n` },
  { name: 'dotted keys', text: (size) => numbered(size, '\n', (at) => `a.b.c.d.k${at} = 0`) },
  { name: 'comments', text: (size) => filled(size, '#\n') },
  { name: 'one long number', text: (size) => `k = ${filled(size, '9')}\n` },
  { name: 'one long text', text: (size) => `k = """${filled(size, 'a')}"""\n` },
]

export const propertiesShapes: readonly Shape[] = [
  { name: 'many keys', text: (size) => numbered(size, '\n', (at) => `k${at}=0`) },
  { name: 'one key again and again', text: (size) => filled(size, 'white-list=true\n') },
  { name: 'lines that go on', text: (size) => `motd=${filled(size, '\\\n')}` },
  { name: 'backslashes', text: (size) => `motd=${filled(size, '\\')}` },
  { name: 'escapes', text: (size) => `motd=${filled(size, '\\u0061')}` },
  { name: 'blanks', text: (size) => `${filled(size, ' \t\f')}white-list ${filled(size, ' ')}true` },
  { name: 'carriage returns', text: (size) => filled(size, '\r') },
  { name: 'one long line', text: (size) => filled(size, 'a') },
]

/** What a server writes to its console and its logs. */
export const logShapes: readonly Shape[] = [
  { name: 'one long line', text: (size) => filled(size, 'a') },
  { name: 'empty lines', text: (size) => filled(size, '\n') },
  { name: 'carriage returns', text: (size) => filled(size, '> \r') },
  { name: 'erase sequences', text: (size) => filled(size, '\u001b[K') },
  { name: 'colors that never end', text: (size) => filled(size, '\u001b[38;5;') },
  {
    name: 'joins',
    text: (size) =>
      numbered(size, '\n', (at) => `[12:00:00] [Server thread/INFO]: Player${at} joined the game`),
  },
  { name: 'brackets', text: (size) => filled(size, '[12:00:00] [') },
  { name: 'blanks', text: (size) => `[12:00:00] [Server thread/INFO]:${filled(size, ' ')}joined the game` },
  { name: 'dots and digits', text: (size) => filled(size, '1.') },
  {
    name: 'frames of a trace',
    text: (size) => `java.lang.Error: x\n${filled(size, '\tat a.b.C.d(C.java:1) ~[x.jar:?]\n')}`,
  },
]

/** Start scripts of servers that are moved in. Each line is as long as any that is read. */
export const scriptShapes: readonly Shape[] = [
  { name: 'variables that never end', text: (size) => filled(size, `\${a${'-'.repeat(4000)}\n`) },
  { name: 'substitutions', text: (size) => filled(size, '$(') },
  { name: 'backquotes', text: (size) => filled(size, '`') },
  { name: 'quotes', text: (size) => `java -jar ${filled(size, '"\'')}` },
  { name: 'assignments', text: (size) => filled(size, 'A=$A$A\n') },
  { name: 'files of variables', text: (size) => filled(size, '. a;') },
  { name: 'files of arguments', text: (size) => filled(size, '@a ') },
  { name: 'lines that go on', text: (size) => filled(size, '\\\n') },
  { name: 'jars', text: (size) => filled(size, '-jar a.jar ') },
  { name: 'empty lines', text: (size) => filled(size, '\n') },
]

/** Names of what lies in an archive or is asked for, `/` between them. */
export const pathShapes: readonly Shape[] = [
  { name: 'a thousand folders', text: (size) => filled(Math.min(size, 2000), 'd/') + 'f' },
  { name: 'one long name', text: (size) => filled(Math.min(size, 4000), 'n') },
  { name: 'slashes', text: (size) => `${filled(size, '/')}f` },
  { name: 'dots', text: (size) => `${filled(size, './')}f` },
  { name: 'steps up', text: (size) => `${filled(size, 'a/../')}f` },
  { name: 'backslashes', text: (size) => `${filled(size, 'd\\')}f` },
  { name: 'combining marks', text: (size) => `e${filled(Math.min(size, 4000), '\u0301')}` },
]
