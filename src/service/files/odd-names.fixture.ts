import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'

/** A path whose bytes are given as a string of Latin-1. */
export const bytePath = (folder: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')])

/** Names that a Linux disk has and a Windows disk has not, by how contract paths have them. */
export const ODD = [
  ...[
    'con.yml',
    'AUX',
    'nul.dat',
    'trail.',
    'trail ',
    'back\\slash',
    '\\leading',
    'C:\\server',
    'c:file',
    'a\\..\\b',
  ],
  ...['two\nlines', 'tab\t', 'del\u007f', '  ', 'what?*<>|"', ':'],
]
/** Names that are not valid UTF-8: their bytes as Latin-1, and how contract paths have them. */
export const RAW = {
  'l\x82o.txt': 'l\uf782o.txt',
  '\xff': '\uf7ff',
  'Stra\xdfe.yml': 'Stra\uf7dfe.yml',
  // Shift-JIS: the last byte of the letter is that of a backslash.
  '\x83\x5c\x81\x5b': '\uf783\\\uf781[',
  // A character that stands for a byte, as valid UTF-8.
  'x\xef\x9e\x82': 'x\uf7ef\uf79e\uf782',
}

/** Makes a tree whose names are not valid UTF-8: a folder with a file, a link and a folder in it. */
export function makeRawTree(folder: string): void {
  mkdirSync(bytePath(folder, 'pl\xfcgins/\x80\x81'), { recursive: true })
  writeFileSync(bytePath(folder, 'pl\xfcgins/l\x82o.txt'), 'x')
  writeFileSync(bytePath(folder, 'pl\xfcgins/\x80\x81/\xfe'), 'deeper')
  symlinkSync(Buffer.from('l\x82o.txt', 'latin1'), bytePath(folder, 'pl\xfcgins/li\x8ek'))
}

/** Everything below a folder of the system: paths as Latin-1, and what is there. */
export function bytesBelow(folder: string | Buffer, within = ''): Record<string, string> {
  const all: Record<string, string> = {}
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const at = Buffer.concat([Buffer.from(folder), Buffer.from('/'), entry.name])
    const name = within + entry.name.toString('latin1')
    if (entry.isDirectory()) Object.assign(all, { [name]: 'folder' }, bytesBelow(at, `${name}/`))
    else if (entry.isSymbolicLink())
      all[name] = `→ ${readlinkSync(at, { encoding: 'buffer' }).toString('latin1')}`
    else all[name] = readFileSync(at, 'latin1')
  }
  return all
}
