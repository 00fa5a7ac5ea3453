import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { answerJson, oddService, type OddAnswer } from '../../../../tests/doubles/services/odd-service.ts'
import { openWindow, testPorts } from '../../panel/panel.fixture.ts'
import { createPanel } from '../../panel/panel.ts'

const target = { id: 't', name: 'Hetzner', kind: 'sftp', location: 'u1@box.example' }
const sent = async (request: IncomingMessage) => JSON.parse(await text(request)) as unknown

/** A panel that is signed in at a service whose places answer as the test says. */
async function panelWith(routes: Record<string, OddAnswer>) {
  const folder = await mkdtemp(join(tmpdir(), 'backup-targets-'))
  const service = await oddService({
    'GET /users/me': (_request, response) => answerJson(response, { id: 'u', name: 'Ann' }),
    ...routes,
  })
  const downloads = join(folder, 'Downloads')
  const panel = await createPanel({ ...testPorts(folder), downloadsFolder: downloads })
  onTestFinished(async () => {
    await panel.close()
    await service.close()
    await rm(folder, { recursive: true, force: true })
  })
  const window = openWindow(panel)
  const { id: connectionId } = await window.call('connections.use-token', {
    ...{ baseUrl: service.baseUrl, token: 'a-token' },
  })
  return { window, connectionId, downloads }
}

test('a place is added with its secret, answers its password, and the list of places is read again', async () => {
  const asked: unknown[] = []
  const places: object[] = []
  const { window, connectionId } = await panelWith({
    'GET /backups/targets': (_request, response) => answerJson(response, { items: places }),
    'POST /backups/targets': async (request, response) => {
      asked.push(await sent(request))
      places.push(target)
      answerJson(response, { target, password: 'correct horse' })
    },
  })
  expect((await window.view('backups.targets', { connectionId }, true)).value?.items).toEqual([])
  const begin = window.seen.length
  const place = { kind: 'sftp', host: 'box.example', user: 'u1' } as const
  const added = await window.call('backups.add-target', {
    ...{ connectionId, name: 'Hetzner', place, secret: 'hunter2' },
  })
  expect(added).toMatchObject({ password: 'correct horse', target: { id: 't', kind: 'sftp' } })
  expect(asked).toEqual([{ name: 'Hetzner', place: { ...place, port: 22, path: '' }, secret: 'hunter2' }])
  const isListed = (value: unknown) => JSON.stringify(value).includes('box.example')
  const event = await window.until(
    'view',
    ({ view, now }) => view === 'backups.targets' && isListed(now),
    begin,
  )
  expect(JSON.stringify([event, window.seen])).not.toMatch(/hunter2|correct horse/)
})

test('a place that no way leads to is not sent', async () => {
  const { window, connectionId } = await panelWith({})
  const place = { kind: 'sftp', host: '-oProxyCommand=touch /tmp/x', user: 'u1' } as const
  await expect(
    window.call('backups.add-target', { connectionId, name: 'Hetzner', place }),
  ).rejects.toMatchObject({ problem: { code: 'invalid', fields: { host: expect.any(Array) } } })
})

test('a new secret and the trust in a new host key go to the place alone', async () => {
  const asked: unknown[] = []
  const { window, connectionId } = await panelWith({
    'PATCH /backups/targets/t': async (request, response) => {
      asked.push(await sent(request))
      answerJson(response, target)
    },
  })
  const at = { connectionId, targetId: 't' }
  await window.call('backups.change-target', { ...at, secret: 'a new one' })
  await window.call('backups.change-target', { ...at, trustNewHostKey: true })
  expect(asked).toEqual([{ secret: 'a new one' }, { trustNewHostKey: true }])
})

test('the password is saved to a file that only its owner can read, whatever the place is called', async () => {
  const { window, downloads } = await panelWith({})
  const { path } = await window.call('backups.save-password', {
    ...{ name: '../My disk: 1', location: '/mnt/disk', password: 'correct horse' },
  })
  expect(path).toBe(join(downloads, 'backup-password--My-disk-1.txt'))
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readFile(path, 'utf8')).toBe('../My disk: 1\n/mnt/disk\n\ncorrect horse\n')
})
