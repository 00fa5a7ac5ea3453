import {
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { temporary } from '../../host/temporary.fixture.ts'
import { ServerFiles } from '../files/server-files.ts'
import { InstalledRecords } from '../software/installed.ts'
import type { PackRecord } from './pack-record.ts'
import { type CopyRecord, CopyRecords } from './copy-records.ts'
import type { SettleContext } from './settle.ts'
import { TouchedFiles } from './touched-files.ts'

const COPY = { id: `copy-${'a'.repeat(36)}`, installed: null } as CopyRecord
const STAGED = `install-${'0'.repeat(36)}`
const TEXTS = { 'config/a.toml': 'a = 1\n', 'mods/old.jar': 'old', 'notes.txt': 'mine' }

/** A server with its copy: `config/a.toml` is to be replaced, `mods/old.jar` to be removed and `mods/new.jar` to come. */
function prepared() {
  const folder = temporary()
  const root = path.join(folder, 'root')
  const put = (name: string, text: string, at = root) => {
    mkdirSync(path.dirname(path.join(at, name)), { recursive: true })
    writeFileSync(path.join(at, name), text)
  }
  for (const [name, text] of Object.entries(TEXTS)) put(name, text)
  const limits = { maxFileBytes: null, quotaBytes: null, running: () => false }
  const [staging, trash] = [path.join(folder, 'staging'), path.join(folder, 'trash')]
  const files = new ServerFiles({ serverId: 's', root, staging, trash, ...limits })
  const copies = new CopyRecords(path.join(folder, 'copies'))
  cpSync(root, copies.at(COPY), { recursive: true, preserveTimestamps: true })
  const records = new InstalledRecords(path.join(folder, 'installed'))
  const about = { software: 'fabric', version: '1.20.4', build: null, java: { major: 17, exact: false } }
  records.writeNext('s', { ...about, jar: 'server.jar', staged: STAGED })
  for (const name of ['config/a.toml', 'mods/new.jar']) put(name, 'of the pack', path.join(staging, STAGED))
  const settling = { serverId: 's', files, records, copies } as unknown as SettleContext
  const brought = { removed: ['mods/old.jar'] } as PackRecord
  const look = (signal = new AbortController().signal) =>
    TouchedFiles.of(settling, { copy: COPY, names: ['config', 'mods', 'notes.txt'], brought }, signal)
  return { at: (name: string) => path.join(root, name), put, look }
}

type Preparation = ReturnType<typeof prepared>
const EDITS: [string, string, (it: Preparation) => void][] = [
  ['edits what is replaced', 'config/a.toml', ({ put }) => put('config/a.toml', 'a = mine\n')],
  [
    'edits it so that size and time stay as they were',
    'config/a.toml',
    ({ put, at }) => {
      const { atime, mtime } = statSync(at('config/a.toml'))
      put('config/a.toml', 'a = 9\n')
      utimesSync(at('config/a.toml'), atime, mtime)
    },
  ],
  [
    'puts another file in its place',
    'config/a.toml',
    ({ put, at }) => {
      put('config/other', 'a = 2\n')
      renameSync(at('config/other'), at('config/a.toml'))
    },
  ],
  ['edits what is removed', 'mods/old.jar', ({ put }) => put('mods/old.jar', 'my own build')],
  ['removes it', 'mods/old.jar', ({ at }) => rmSync(at('mods/old.jar'))],
  ['brings what comes', 'mods/new.jar', ({ put }) => put('mods/new.jar', 'my own')],
  ['makes a link of it', 'config/a.toml', ({ at }) => (rmSync(at('config/a.toml')), symlinkSync('../notes.txt', at('config/a.toml')))], // prettier-ignore
]

it.each(EDITS)('where somebody %s, nothing is carried out', async (_what, named, edit) => {
  const later = prepared()
  const touched = await later.look()
  touched.requireUnchanged()
  edit(later)
  expect(() => touched.requireUnchanged()).toThrow(`“${named}”`)

  // Since the copy was made, and before it was looked at.
  const before = prepared()
  edit(before)
  await expect(before.look()).rejects.toMatchObject({
    ...{ status: 409, code: 'modpacks.changed' },
    message: expect.stringContaining(`“${named}”`),
  })
})

it('files that stay may be edited, and what is in the way is said by name', async () => {
  const { put, at, look } = prepared()
  const touched = await look()
  put('notes.txt', 'longer')
  put('config/b.toml', 'b = 1\n')
  touched.requireUnchanged()
  mkdirSync(at('mods/new.jar'))
  expect(() => touched.requireUnchanged()).toThrow('“mods/new.jar” is a folder, but a file is needed here.')
})

it('of many files the sentence names three', async () => {
  const { put, at, look } = prepared()
  const touched = await look()
  rmSync(at('mods'), { recursive: true })
  put('config/a.toml', 'longer than before\n')
  put('mods/new.jar', 'mine')
  expect(() => touched.requireUnchanged()).toThrow(
    '“config/a.toml”, “mods/new.jar”, “mods/old.jar”. Nothing was done',
  )
})
