import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { answerJson, oddService, type OddAnswer } from '../../../tests/doubles/services/odd-service.ts'
import { openWindow, testPorts } from '../panel/panel.fixture.ts'
import { createPanel } from '../panel/panel.ts'

/** A panel that is signed in at a service whose export answers as the test says, and a folder for downloads. */
async function panelWith(exported: OddAnswer) {
  const folder = await mkdtemp(join(tmpdir(), 'save-export-'))
  const service = await oddService({
    'GET /users/me': (_request, response) => answerJson(response, { id: 'u', name: 'Ann' }),
    'GET /users/me/export': exported,
  })
  const downloads = join(folder, 'Downloads')
  const panel = await createPanel({ ...testPorts(folder), downloadsFolder: downloads })
  onTestFinished(async () => {
    await panel.close()
    await rm(folder, { recursive: true, force: true })
  })
  const window = openWindow(panel)
  const { id } = await window.call('connections.use-token', { baseUrl: service.baseUrl, token: 'a-token' })
  return { downloads, save: () => window.call('account.save-export', { connectionId: id }) }
}

test('what a service holds is saved as it answers it, known to the contract or not, for this user alone', async () => {
  const held = { account: { id: 'u', name: 'Ann' }, shoeSize: 38, __proto__x: [1, 'two'] }
  const { downloads, save } = await panelWith((_request, response) => answerJson(response, held))
  const { path } = await save()
  expect(path).toBe(join(downloads, 'account-127.0.0.1.json'))
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(held)
  expect((await stat(path)).mode & 0o077).toBe(0)
})

test('nothing is written over, and nothing unfinished is left', async () => {
  const { downloads, save } = await panelWith((_request, response) => answerJson(response, { account: {} }))
  await save()
  await writeFile(join(downloads, 'account-127.0.0.1.json'), 'mine')
  await save()
  expect((await readdir(downloads)).toSorted()).toEqual([
    'account-127.0.0.1 (2).json',
    'account-127.0.0.1.json',
  ])
  expect(await readFile(join(downloads, 'account-127.0.0.1.json'), 'utf8')).toBe('mine')
})

test.each([
  ['a web page', 'incompatible', '<!doctype html><p>Hello', 'text/html'],
  ['half of it', 'incompatible', '{"account": {"id"', 'application/json'],
  ['a text', 'incompatible', '"hello"', 'application/json'],
  ['nothing', 'incompatible', 'null', 'application/json'],
])('%s is no export: none is saved, and it is said', async (_what, code, text, type) => {
  const { downloads, save } = await panelWith((_request, response) => {
    response.writeHead(200, { 'Content-Type': type }).end(text)
  })
  await expect(save()).rejects.toMatchObject({ problem: { code } })
  expect(await readdir(downloads).catch(() => [])).toEqual([])
})

test('a service without it is told as one that does not offer it', async () => {
  const { downloads, save } = await panelWith((_request, response) => answerJson(response, {}, 404))
  await expect(save()).rejects.toMatchObject({ problem: { code: 'unavailable', detail: 'account.export' } })
  expect(await readdir(downloads).catch(() => [])).toEqual([])
})
