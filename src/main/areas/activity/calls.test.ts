import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { answerJson, oddService, type OddAnswer } from '../../../../tests/doubles/services/odd-service.ts'
import { openWindow, testPorts } from '../../panel/panel.fixture.ts'
import { createPanel } from '../../panel/panel.ts'

/** A panel that is signed in at a service whose log answers as the test says. */
async function panelWith(exported: OddAnswer) {
  const folder = await mkdtemp(join(tmpdir(), 'save-activity-'))
  const service = await oddService({
    'GET /users/me': (_request, response) => answerJson(response, { id: 'u', name: 'Ann' }),
    'GET /servers/activity/export/s': exported,
  })
  const downloads = join(folder, 'Downloads')
  const panel = await createPanel({ ...testPorts(folder), downloadsFolder: downloads })
  onTestFinished(async () => {
    await panel.close()
    await rm(folder, { recursive: true, force: true })
  })
  const window = openWindow(panel)
  const { id } = await window.call('connections.use-token', { baseUrl: service.baseUrl, token: 'a-token' })
  const asked = { connectionId: id, serverId: 's', format: 'csv' as const }
  return { downloads, save: () => window.call('activity.save', asked) }
}

test('the log is saved byte for byte as the service answers it', async () => {
  const text = '\uFEFFat,actor\r\n2026-01-01,"Ännchen, ""A"""\r\n'
  const { downloads, save } = await panelWith((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/csv' }).end(text)
  })
  const { path } = await save()
  expect(path).toBe(join(downloads, 'activity-s.csv'))
  expect(await readFile(path, 'utf8')).toBe(text)
})

test('a web page is no log, and a service without one is told as such', async () => {
  const page = await panelWith((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><p>Hello')
  })
  await expect(page.save()).rejects.toMatchObject({ problem: { code: 'incompatible' } })
  const none = await panelWith((_request, response) => answerJson(response, {}, 404))
  await expect(none.save()).rejects.toMatchObject({ problem: { detail: 'activity.export' } })
})
