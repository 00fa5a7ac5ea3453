import { access, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { reply } from '../../../api/test-listener.ts'
import { atServer, openAt, putAt, textAt, told, until } from './external-files.fixture.ts'

it('sends each save back, also of editors that put a new file in the place of the old one', async () => {
  const at = await atServer()
  putAt(at, 'plugins/a.yml', 'a: 1\n')
  const { file, here } = await openAt(at, 'plugins/a.yml')
  expect(here.endsWith(join(file.id, 'a.yml'))).toBe(true)
  expect(await readFile(here, 'utf8')).toBe('a: 1\n')
  if (process.platform !== 'win32') {
    expect((await stat(here)).mode & 0o777).toBe(0o600)
    expect((await stat(join(here, '..'))).mode & 0o777).toBe(0o700)
  }
  await writeFile(here, 'a: 2\n')
  await at.until('external-files', (all) => all[0]?.sentAt !== null)
  expect(textAt(at, 'plugins/a.yml')).toBe('a: 2\n')

  await writeFile(`${here}.new`, 'a: 3\n')
  await rename(`${here}.new`, here)
  await vi.waitFor(() => expect(textAt(at, 'plugins/a.yml')).toBe('a: 3\n'), { timeout: 5000 })
  // What was overwritten can be brought back, as in the editor of the panel.
  await vi.waitFor(async () =>
    expect(await at.call('files.former', { ...at.ref, path: 'plugins/a.yml' })).toHaveLength(2),
  )
  await vi.waitFor(async () =>
    expect(await at.call('external-editor.stop', { id: file.id })).toEqual({ keptAt: null }),
  )
  await expect(access(here)).rejects.toThrow('ENOENT')
  expect(await readdir(join(at.folder, 'data', 'edited files'))).toEqual([])
})

it('sends nothing over what somebody else saved until a person decides, and keeps both', async () => {
  const at = await atServer()
  putAt(at, 'a.txt', 'old')
  const { file, here } = await openAt(at, 'a.txt')
  putAt(at, 'a.txt', 'theirs')
  await writeFile(here, 'mine')
  await until(at, file.id, 'conflict')
  expect(textAt(at, 'a.txt')).toBe('theirs')
  expect(await at.call('external-editor.text', { id: file.id })).toEqual({ text: 'mine' })
  // Saving once more decides nothing.
  const begin = at.seen.length
  await writeFile(here, 'mine too')
  await at.call('external-editor.send', { id: file.id, overwrite: true })
  await until(at, file.id, 'watched', begin)
  expect(textAt(at, 'a.txt')).toBe('mine too')

  putAt(at, 'a.txt', 'theirs again')
  const second = at.seen.length
  await writeFile(here, 'mine at last')
  await until(at, file.id, 'conflict', second)
  const { keptAt } = await at.call('external-editor.stop', { id: file.id })
  expect(keptAt).toBe(join(at.folder, 'downloads', 'a.txt'))
  expect(await at.kept('a.txt')).toBe('mine at last')
  expect(textAt(at, 'a.txt')).toBe('theirs again')
})

it('makes nothing anew by itself that was deleted at the server', async () => {
  const at = await atServer()
  putAt(at, 'a.txt', 'old')
  const { file, here } = await openAt(at, 'a.txt')
  at.service.files.delete('a.txt')
  await writeFile(here, 'mine')
  const [shown] = await until(at, file.id, 'conflict')
  expect(shown?.state).toEqual({ kind: 'conflict', why: 'deleted' })
  await at.call('external-editor.send', { id: file.id, overwrite: true })
  expect(textAt(at, 'a.txt')).toBe('mine')
})

it.each([true, false])(
  'a save whose answer was lost is no conflict when it is sent again (ETags: %s)',
  async (etags) => {
    const at = await atServer({ etags })
    putAt(at, 'a.txt', 'old')
    const { file, here } = await openAt(at, 'a.txt')
    at.service.answers['PUT /servers/files/content/s'] = (request, response) => {
      at.service.files.set('a.txt', Buffer.from(request.body))
      delete at.service.answers['PUT /servers/files/content/s']
      response.destroy()
    }
    await writeFile(here, 'mine')
    await until(at, file.id, 'waiting')
    await until(at, file.id, 'watched', at.seen.length)
    expect(textAt(at, 'a.txt')).toBe('mine')
  },
)

it('waits for a service that is away, and sends what was saved when it is back', async () => {
  const at = await atServer()
  putAt(at, 'a.txt', 'old')
  const { file, here } = await openAt(at, 'a.txt')
  const away = (_request: unknown, response: Parameters<typeof reply>[0]) => void response.destroy()
  at.service.answers['GET /servers/files/content/s'] = away
  at.service.answers['PUT /servers/files/content/s'] = away
  await writeFile(here, 'mine')
  await until(at, file.id, 'waiting')
  for (const name of Object.keys(at.service.answers)) delete at.service.answers[name]
  const begin = at.seen.length
  await at.call('app.online', undefined)
  await until(at, file.id, 'watched', begin)
  expect(textAt(at, 'a.txt')).toBe('mine')
})

it('what was saved while the panel did not run is found again and sent when a person says so', async () => {
  const at = await atServer()
  putAt(at, 'a.txt', 'old')
  putAt(at, 'b.txt', 'same')
  const { file, here } = await openAt(at, 'a.txt')
  const other = await openAt(at, 'b.txt')
  const window = await at.again(() => writeFile(here, 'mine'))
  const list = await window.call('external-editor.list', undefined)
  expect(Object.fromEntries(list.map(({ path, state }) => [path, state.kind]))).toEqual({
    'a.txt': 'found',
    'b.txt': 'watched',
  })
  expect(textAt(at, 'a.txt')).toBe('old')
  await window.call('external-editor.send', { id: file.id, overwrite: false })
  expect(textAt(at, 'a.txt')).toBe('mine')
  // And what is saved from now on is followed.
  await writeFile(other.here, 'other')
  await vi.waitFor(() => expect(textAt(at, 'b.txt')).toBe('other'), { timeout: 5000 })
})

it('signing out puts what was not sent where downloads go, and says so', async () => {
  const at = await atServer()
  putAt(at, 'a.txt', 'old')
  putAt(at, 'b.txt', 'old')
  const { file, here } = await openAt(at, 'a.txt')
  const sent = await openAt(at, 'b.txt')
  // Under another name beside it: it is the person's own too.
  await writeFile(join(sent.here, '..', 'notes of mine.txt'), 'notes')
  // Some programs add an ending of their own.
  await writeFile(`${sent.here}.mine`, 'longer')
  await writeFile(`${sent.here}~`, 'old')
  putAt(at, 'a.txt', 'theirs')
  await writeFile(here, 'mine')
  await until(at, file.id, 'conflict')
  await at.call('connections.sign-out', { connectionId: at.ref.connectionId })
  expect(await at.kept('a.txt')).toBe('mine')
  expect(await at.kept('notes of mine.txt')).toBe('notes')
  expect(await at.kept('b.txt.mine')).toBe('longer')
  await expect(at.kept('b.txt~')).rejects.toThrow('ENOENT')
  expect(await readdir(join(at.folder, 'data', 'edited files'))).toEqual([])
  const notes = await at.call('app.notes', undefined)
  expect(notes.map(({ text }) => text?.key)).toEqual([
    'external-editor.kept-aside',
    'external-editor.kept-aside',
  ])
})

it('says what an editor saved that is not sent, and keeps it', async () => {
  const at = await atServer()
  putAt(at, 'a.txt', 'old')
  const { file, here } = await openAt(at, 'a.txt')
  await writeFile(here, Buffer.from([0xfc, 0x0a]))
  await until(at, file.id, 'failed')
  const begin = at.seen.length
  await writeFile(here, 'x'.repeat(5 * 1024 * 1024 + 1))
  const shown = await at.until(
    'external-files',
    (all) => all.some(({ state }) => state.kind === 'failed' && state.problem.code === 'too-large'),
    begin,
  )
  expect(shown).toHaveLength(1)
  expect(textAt(at, 'a.txt')).toBe('old')
  const { keptAt } = await at.call('external-editor.stop', { id: file.id })
  expect((await stat(keptAt!)).size).toBe(5 * 1024 * 1024 + 1)
})

it('what may only be read is opened for reading, and never sent', async () => {
  const at = await atServer()
  putAt(at, 'a.txt', 'old')
  const { file, here } = await openAt(at, 'a.txt', true)
  expect(file.state).toEqual({ kind: 'read-only' })
  if (process.platform !== 'win32') expect((await stat(here)).mode & 0o777).toBe(0o400)
  expect(
    told(
      await at
        .call('external-editor.send', { id: file.id, overwrite: true })
        .catch((error: unknown) => error),
    ).code,
  ).toBe('forbidden')
  // The permission to change it came since.
  const { file: now } = await openAt(at, 'a.txt')
  expect(now).toMatchObject({ id: file.id, state: { kind: 'watched' } })
  await writeFile(here, 'mine')
  await at.until('external-files', (all) => all[0]?.sentAt !== null)
  expect(textAt(at, 'a.txt')).toBe('mine')
  const { file: again } = await openAt(at, 'a.txt', true)
  expect(again.state).toEqual({ kind: 'read-only' })
  expect(await at.call('external-editor.stop', { id: file.id })).toEqual({ keptAt: null })
})

it('a file that is open is opened once more, with what the server has now', async () => {
  const at = await atServer()
  putAt(at, 'a.txt', 'old')
  const { file, here } = await openAt(at, 'a.txt')
  putAt(at, 'a.txt', 'new')
  const second = await openAt(at, 'a.txt')
  expect(second.file.id).toBe(file.id)
  expect(await readFile(here, 'utf8')).toBe('new')
  // Also where it was removed here.
  await rm(here)
  await openAt(at, 'a.txt')
  expect(await readFile(here, 'utf8')).toBe('new')
  await at.call('external-editor.reveal', { id: file.id })
  expect(at.revealed).toEqual([here])
})

it('says what the system says where it opens nothing, and the file can be shown in its folder', async () => {
  const at = await atServer()
  putAt(at, 'a.txt', 'old')
  at.system.fault = 'No application is set.'
  const thrown = await at
    .call('external-editor.open', { ...at.ref, path: 'a.txt', readOnly: false })
    .catch((error: unknown) => error)
  expect(told(thrown)).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('No application is set.') as string,
  })
  expect(await at.call('external-editor.list', undefined)).toHaveLength(1)
})

it('so many files are open at most', async () => {
  const at = await atServer()
  for (let number = 0; number < 21; number++) putAt(at, `${number}.txt`, 'text')
  for (let number = 0; number < 20; number++) await openAt(at, `${number}.txt`)
  const thrown = await openAt(at, '20.txt').catch((error: unknown) => error)
  expect(told(thrown).code).toBe('conflict')
  await openAt(at, '19.txt')
})
