import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { NO_SFTP } from '../../../tests/fixtures/sftp-server.ts'
import { signedIn } from './sftp.fixture.ts'

/** A server's folder with `needle` in names and texts, and what is no text. */
async function searched() {
  const opened = await signedIn()
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(path.dirname(path.join(opened.files, name)), { recursive: true })
    writeFileSync(path.join(opened.files, name), content)
  }
  write('needle.txt', 'nothing\n')
  write('plugins/Shop/config.yml', `${'hay: 1\n'.repeat(20_000)}name: The Needle\r\nend: 1\n`)
  write('plugins/Shop/old/Needles/a.txt', 'no line end: needle')
  write('plugins/Shop/data.bin', Buffer.concat([Buffer.from('needle\0'), Buffer.from('needle\n'.repeat(9))]))
  write('world/region/r.0.0.mca', 'needle\n')
  symlinkSync(path.join(opened.files, 'plugins'), path.join(opened.files, 'linked'))
  const find = async (query: { name?: string; text?: string; path?: string }) => {
    const { value, problem } = await opened.view('files.search', { ...opened.at, query }, true)
    return value?.items ?? problem
  }
  return { ...opened, write, find }
}

test.skipIf(NO_SFTP)('files are found by name and by content, where links lead not', async () => {
  const { find } = await searched()
  expect(await find({ name: 'NEEDLE' })).toMatchObject([
    { path: 'needle.txt', kind: 'file', size: 8 },
    { path: 'plugins/Shop/old/Needles', kind: 'folder', size: null },
  ])
  expect(await find({ text: 'needle' })).toMatchObject([
    { path: 'plugins/Shop/config.yml', line: 20_001, text: 'name: The Needle' },
    { path: 'plugins/Shop/old/Needles/a.txt', line: 1, text: 'no line end: needle' },
  ])
  expect(await find({ text: 'needle', path: 'plugins/Shop/old' })).toHaveLength(1)
  expect(await find({ name: 'needle', path: 'nowhere' })).toMatchObject({ code: 'not-found' })
})

test.skipIf(NO_SFTP)('no more is found than is shown, and it is said that there is more', async () => {
  const { write, view, at } = await searched()
  write('long.txt', 'needle\n'.repeat(2000))
  const { value } = await view('files.search', { ...at, query: { text: 'needle' } }, true)
  expect(value?.items).toHaveLength(500)
  expect(value?.more).toBeTruthy()
})
