import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openPanel, system } from './background.fixture.ts'
import { readEndpoint } from './endpoint-file.ts'
import { compareVersions } from './other-version.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'other-version-'))
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 5 }))
})

type Open = Awaited<ReturnType<typeof openPanel>>

const ready = ({ until }: Open) =>
  until('connections', (all) => all.some(({ id, state }) => id === 'local' && state.kind === 'ready'))

/** Leaves a service of a version running in the background, with one server. */
async function leave(version: string) {
  const background = system(folder, version)
  const panel = await openPanel(folder, background.unit, version)
  await panel.call('desktop.choose', { keepServers: true })
  await panel.call('connections.this-computer', undefined)
  const body = { name: 'Meadow', software: { id: 'demo', version: '1.21.1' }, memoryMb: 512 }
  const server = await panel.send('servers.create', { connectionId: 'local', body })
  return { background, panel, serverId: server!.id }
}

it('an older service in the background is replaced where none of its servers runs', async () => {
  const { background, panel } = await leave('0.9.0')
  await panel.panel.close()
  expect(background.isRunning()).toBe(true)
  const newer = system(folder, '0.10.0')
  const next = await openPanel(folder, newer.unit, '0.10.0')
  await ready(next)
  expect(background.isRunning()).toBe(false)
  expect(await readEndpoint(folder)).toMatchObject({ version: '0.10.0' })
  expect(await next.call('app.notes', undefined)).toEqual([])
})

it('an older service whose servers run goes on with them, and how to replace it is said', async () => {
  const { background, panel, serverId } = await leave('0.9.0')
  await panel.send('servers.power', {
    connectionId: 'local',
    params: { serverId },
    body: { action: 'start' },
  })
  await panel.panel.close()
  const newer = system(folder, '0.10.0')
  const next = await openPanel(folder, newer.unit, '0.10.0')
  await ready(next)
  expect(background.isRunning()).toBe(true)
  expect(newer.isRunning()).toBe(false)
  expect(await readEndpoint(folder)).toMatchObject({ version: '0.9.0' })
  expect(await next.call('app.notes', undefined)).toMatchObject([
    { text: { key: 'local.older-runs', values: { theirs: '0.9.0', ours: '0.10.0' } } },
  ])
})

it('a newer service is used as it is, and never replaced by an older program', async () => {
  const { background, panel } = await leave('0.10.0')
  await panel.panel.close()
  const older = system(folder, '0.9.0')
  const next = await openPanel(folder, older.unit, '0.9.0')
  await ready(next)
  expect(background.isRunning()).toBe(true)
  expect(older.isRunning()).toBe(false)
  expect(await next.call('app.notes', undefined)).toMatchObject([{ text: { key: 'local.newer-runs' } }])
})

it('versions are in the order in which they come out', () => {
  const inOrder = [
    '0.9.0',
    '0.10.0-beta.2',
    '0.10.0-beta.10',
    '0.10.0',
    '0.10.1',
    '1.0.0-alpha',
    '1.0.0+build',
  ]
  for (const [at, one] of inOrder.entries())
    for (const [other, two] of inOrder.entries())
      expect(Math.sign(compareVersions(one, two)), `${one} ${two}`).toBe(Math.sign(at - other))
})
