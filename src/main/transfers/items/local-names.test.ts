import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { hindered } from '../line.fixture.ts'
import { clashing, isUsable, faultHere, safeName, unusableName } from './local-names.ts'
import { openRoom, put, startTarget, temporary } from '../transfers.fixture.ts'

const ended = ({ endedAt }: { endedAt: string | null }) => endedAt !== null

describe('a name that a service gives', () => {
  it('may lead nowhere else', () => {
    for (const name of ['..', '.', '', 'a/b', '..\\x', 'a\0b', 'a\nb', 'x'.repeat(300)])
      expect(isUsable(name)).toBe(false)
    for (const name of ['level.dat', '世界', '🙂', '...', ' a']) expect(faultHere(name, 'linux')).toBe(null)
  })

  it('has to be one that Windows can hold, on Windows', () => {
    const faults = {
      'aux.txt': 'device',
      Com1: 'device',
      'a:b': 'windows-character',
      'a.': 'ending',
      'a ': 'ending',
    }
    for (const [name, fault] of Object.entries(faults)) {
      expect(faultHere(name, 'win32'), name).toBe(fault)
      expect(faultHere(name, 'linux'), name).toBe(null)
    }
    expect(faultHere('auxiliary.txt', 'win32')).toBe(null)
  })

  it('is told with its reason, and without what would spoil the sentence', () => {
    expect(unusableName('download', 'a\nb').problem.message).toBe(
      '“a�b” cannot be used as a name on this computer: it contains characters that are not allowed in names here. Rename it on its server, then download it again.',
    )
    expect(unusableName('download', 'world').problem.message).toMatch(
      /differs from it only in capital letters/,
    )
    expect(unusableName('copy', '..').problem.message).toMatch(
      /on the other server: it would lead to another place/,
    )
  })
})

describe('names that look alike', () => {
  const names = ['World', 'readme', 'world', 'WORLD', 'other']

  it('are as many as the disk takes them for, and nothing of the trial stays', async () => {
    const folder = await temporary()
    const trial = path.join(folder, '.trial')
    // What this disk says by itself is the measure.
    await mkdir(path.join(folder, 'measure'))
    for (const name of names) await writeFile(path.join(folder, 'measure', name), '')
    const kept = await readdir(path.join(folder, 'measure'))
    await mkdir(trial)
    await writeFile(path.join(trial, 'World'), 'left by a panel that was killed')
    const found = await clashing(names, trial)
    expect(names.length - found.size).toBe(kept.length)
    expect(await readdir(folder)).toEqual(['measure'])
  })

  it('clash on a disk that is blind to capital letters, all but the first', async () => {
    const folder = await temporary()
    const taken = new Set<string>()
    const blind = async (file: string) => {
      const name = path.basename(file).toLowerCase()
      if (taken.has(name)) throw Object.assign(new Error('it is there'), { code: 'EEXIST' })
      taken.add(name)
    }
    expect(await clashing(names, path.join(folder, '.trial'), blind)).toEqual(new Set(['world', 'WORLD']))
    expect([...taken], 'only those that look alike are tried').toEqual(['world'])
  })
})

describe('a folder with names that cannot be here', () => {
  const listing = (names: string[], kind = 'file') => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items: names.map((name) => ({ name, kind, size: 3 })), nextCursor: null }),
  })

  it('is downloaded without them, and each is told with its reason', async () => {
    const target = await startTarget()
    await put(target.folder, 'world/level.dat', 3)
    const long = 'x'.repeat(250)
    // The names are such that a service on another system may well have.
    const line = await hindered(target.service.baseUrl, (method, at) =>
      method === 'GET' && at.startsWith(`/servers/files/${target.serverId}?path=world`)
        ? listing(['level.dat', 'back\\slash', 'two\nlines', long, '..', 'a/b'])
        : 'pass',
    )
    const opened = await openRoom({ here: { baseUrl: line.baseUrl, token: target.token } })
    const { transferId } = await opened.room.download({
      connectionId: 'here',
      serverId: target.serverId,
      paths: ['world'],
    })
    expect(await opened.until(ended)).toMatchObject({ state: 'failed', filesDone: 1, filesFailed: 5 })
    const { items } = await opened.room.items({ transferId, only: 'failed', offset: 0, limit: 9 })
    for (const { problem } of items)
      expect(problem).toMatchObject({ code: 'invalid', serviceCode: 'computer.name' })
    expect(
      items.map(({ problem }) => /here|place|long/.exec(problem?.message.split(': ')[1] ?? '')?.[0]),
    ).toEqual(['place', 'here', 'long', 'place', 'place'])
    expect(await readdir(opened.downloads)).toEqual(['world'])
    expect(await readdir(path.join(opened.downloads, 'world'))).toEqual(['level.dat'])
  })

  it('is copied with all that the other service takes; what it refuses is told in its words', async () => {
    const [target, other] = await Promise.all([startTarget(), startTarget()])
    await put(target.folder, 'world/level.dat', 3)
    await put(target.folder, 'world/aux.txt', 3)
    const line = await hindered(target.service.baseUrl, (method, at) =>
      method === 'GET' && at.startsWith(`/servers/files/${target.serverId}?path=world`)
        ? listing(['level.dat', 'aux.txt', 'x'.repeat(300), '..'])
        : 'pass',
    )
    const opened = await openRoom({
      here: { baseUrl: line.baseUrl, token: target.token },
      there: { baseUrl: other.service.baseUrl, token: other.token },
    })
    const { transferId } = await opened.room.copy({
      from: { connectionId: 'here', serverId: target.serverId },
      paths: ['world'],
      to: { connectionId: 'there', serverId: other.serverId, folder: '' },
    })
    expect(await opened.until(ended)).toMatchObject({ state: 'failed', filesDone: 2, filesFailed: 2 })
    const { items } = await opened.room.items({ transferId, only: 'failed', offset: 0, limit: 9 })
    expect(items.map(({ problem }) => problem?.serviceCode)).toEqual(['files.name-invalid', 'computer.name'])
    expect((await readdir(path.join(other.folder, 'world'))).sort()).toEqual(['aux.txt', 'level.dat'])
  })
})

it.each([
  ['world.zip', 'world.zip'],
  ['世界 🙂.txt', '世界 🙂.txt'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['a:b?.txt', 'a_b_.txt'],
  ['con.txt', '_con.txt'],
  ['name. . ', 'name'],
  ['.env', '.env'],
  ['..', 'download'],
  ['', 'download'],
  ['\u0000\n', 'download'],
  // Written so that it reads as a picture.
  ['photo\u202egpj.exe', 'photogpj.exe'],
])('%j is suggested as %j', (name, safe) => {
  expect(safeName(name)).toBe(safe)
})

it('a long name keeps its ending, and fits', () => {
  const safe = safeName(`${'ä'.repeat(400)}.tar.gz`)
  expect(safe.endsWith('.tar.gz')).toBe(true)
  expect(isUsable(safe)).toBe(true)
})
