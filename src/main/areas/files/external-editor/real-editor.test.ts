import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openWindow, testPorts } from '../../../panel/panel.fixture.ts'
import { createPanel } from '../../../panel/panel.ts'
import { until } from './external-files.fixture.ts'

/** An editor: a program of its own that has the file open, and saves it when told to, in place or by a new file as most do. */
const EDITOR = `
  const { readFileSync, renameSync, writeFileSync } = require('node:fs')
  const file = process.argv[1]
  process.stdout.write(readFileSync(file, 'utf8'))
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const [how, text] = JSON.parse(line)
    if (how === 'in place') return writeFileSync(file, text)
    writeFileSync(file + '~', text)
    renameSync(file + '~', file)
  })`

/** A panel on the real service of this computer, with a server, whose system opens files with that editor. */
async function atRealServer() {
  const folder = await mkdtemp(join(tmpdir(), 'real-editor-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await mkdir(join(folder, 'data'))
  const editors: ChildProcess[] = []
  const panel = await createPanel({
    ...testPorts(join(folder, 'data')),
    way: 'electron',
    downloadsFolder: join(folder, 'downloads'),
    systemFiles: {
      open: async (path) => {
        editors.push(spawn(process.execPath, ['-e', EDITOR, path], { stdio: ['pipe', 'pipe', 'inherit'] }))
        return ''
      },
      reveal: () => {},
      pickFolder: async () => null,
      pickPlace: async () => null,
      pickThere: async () => [],
    },
  })
  onTestFinished(async () => {
    for (const editor of editors) editor.kill()
    await panel.close()
  })
  const window = openWindow(panel)
  await window.call('connections.this-computer', undefined)
  const body = { name: 'Meadow', software: { id: 'demo', version: '1.21.1' }, memoryMb: 512 }
  const server = await window.send('servers.create', { connectionId: 'local', body })
  const ref = { connectionId: 'local', serverId: server!.id }
  const read = async () => {
    const { content } = await window.call('files.read-text', { ...ref, path: 'a.yml' })
    return content.kind === 'text' ? content.text : null
  }
  const save = (how: 'in place' | 'by a new file', text: string) =>
    editors[0]!.stdin!.write(`${JSON.stringify([how, text])}\n`)
  return { ...window, ref, editors, read, save }
}

it('what an editor of this computer saves reaches a real service, and never goes over what was saved there meanwhile', async () => {
  const at = await atRealServer()
  const path = 'a.yml'
  const first = await at.call('files.write-text', {
    ...at.ref,
    path,
    text: 'a: 1\n',
    base: { kind: 'create' },
  })
  expect(first).toMatchObject({ etag: expect.any(String) })
  const { id } = await at.call('external-editor.open', { ...at.ref, path, readOnly: false })
  const [shown] = await once(at.editors[0]!.stdout!, 'data')
  expect(String(shown)).toBe('a: 1\n')

  for (const [how, text] of [
    ['in place', 'a: 2\n'],
    ['by a new file', 'a: 3\n'],
  ] as const) {
    at.save(how, text)
    await vi.waitFor(async () => expect(await at.read()).toBe(text), { timeout: 10_000 })
  }

  // Somebody else saves: the editor's next save carries the ETag of before, which the service refuses.
  const { etag } = await at.call('files.read-text', { ...at.ref, path })
  await at.call('files.write-text', {
    ...at.ref,
    path,
    text: 'theirs\n',
    base: { kind: 'etag', etag: etag! },
  })
  const begin = at.seen.length
  at.save('in place', 'mine\n')
  await until(at, id, 'conflict', begin)
  expect(await at.read()).toBe('theirs\n')
  expect(await at.call('external-editor.text', { id })).toEqual({ text: 'mine\n' })
  await at.call('external-editor.send', { id, overwrite: true })
  await vi.waitFor(async () => expect(await at.read()).toBe('mine\n'), { timeout: 10_000 })
})
