import { chmod, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { nodeLauncher } from '../node-launcher.ts'
import { createPanel } from '../../panel/panel.ts'
import { openWindow, testPorts } from '../../panel/panel.fixture.ts'
import type { BackgroundUnit } from './system-unit.ts'
import { openPanel, system } from './background.fixture.ts'
import { backgroundLauncher } from './background-launcher.ts'
import type { ServiceProcess, PanelMessage } from '../service-launcher.ts'
import { readEndpoint, writeEndpoint } from './endpoint-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'background-'))
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 5 }))
})

/** A service as it is, for a test that looks at one of its parts. */
const spied = (child: ServiceProcess): ServiceProcess => ({
  send: (message) => child.send(message),
  onMessage: (listener) => child.onMessage(listener),
  onExit: (listener) => child.onExit(listener),
  kill: () => child.kill(),
})

const open = (background: BackgroundUnit | null) => openPanel(folder, background)

it('a service in the background outlives the panel, which finds it again; switched off, it ends with the panel', async () => {
  const { unit, started, isRunning } = system(folder)
  const first = await open(unit)
  expect(await first.call('desktop.choose', { keepServers: true })).toMatchObject({ keepServers: true })
  await first.call('connections.this-computer', undefined)
  expect(await first.panel.keepsLocalServers()).toBe(true)
  const endpoint = await readEndpoint(folder)
  expect((await stat(join(folder, 'background.json'))).mode & 0o777).toBe(0o600)
  await first.panel.close()
  expect(isRunning()).toBe(true)

  // Nor is it stopped by one that closes while it is still looking for it.
  const early = await open(unit)
  await early.panel.close()
  expect(isRunning()).toBe(true)

  const second = await open(unit)
  expect(await second.panel.keepsLocalServers()).toBe(true)
  await second.until('connections', (all) =>
    all.some(({ id, state }) => id === 'local' && state.kind === 'ready'),
  )
  expect(await readEndpoint(folder)).toEqual(endpoint)
  expect(started).toHaveLength(1)
  expect(await second.panel.runningLocalServers()).toBe(0)
  await second.call('desktop.choose', { keepServers: false })
  expect(await second.panel.keepsLocalServers()).toBe(false)
  await second.panel.close()
  expect(isRunning()).toBe(false)
  expect(await readEndpoint(folder)).toBeNull()
})

it('an update stops the service in the background too, and one told to end by the system ends in order', async () => {
  const { unit, started, isRunning, end } = system(folder)
  const { panel, call } = await open(unit)
  await call('desktop.choose', { keepServers: true })
  await call('connections.this-computer', undefined)
  await panel.close('stop')
  expect(isRunning()).toBe(false)
  const again = await open(unit)
  await again.until('connections', (all) =>
    all.some(({ id, state }) => id === 'local' && state.kind === 'ready'),
  )
  await again.panel.close()
  await end()
  expect(started.map(({ exitCode }) => exitCode)).toEqual([0, 0])
  expect(await readEndpoint(folder)).toBeNull()
})

it('quitting hands a service that ends with the panel over to the background, where its servers start again', async () => {
  const { unit, started, isRunning } = system(folder)
  const told: PanelMessage[] = []
  const { launcher } = testPorts(folder)
  const panel = await createPanel({
    ...{ ...testPorts(folder), way: 'electron', background: unit },
    launcher: {
      launch(args) {
        const child = launcher.launch(args)
        return { ...spied(child), send: (message) => void (told.push(message), child.send(message)) }
      },
    },
  })
  onTestFinished(() => panel.close())
  await openWindow(panel).call('connections.this-computer', undefined)
  expect(await panel.keepsLocalServers()).toBe(false)
  expect(isRunning()).toBe(false)
  await panel.close('hand-over')
  // Only once the first service has saved all and ended is the other one begun.
  expect(told.at(-1)).toEqual({ type: 'stop', startAgain: true })
  expect(isRunning()).toBe(true)
  expect(await readEndpoint(folder)).not.toBeNull()

  // The next panel finds it. Nothing was chosen for later: it is asked about again, and left once more.
  const next = await open(unit)
  await next.until('connections', (all) =>
    all.some(({ id, state }) => id === 'local' && state.kind === 'ready'),
  )
  expect(await next.call('desktop.choices', undefined)).toMatchObject({ keepServers: false })
  expect(await next.panel.keepsLocalServers()).toBe(false)
  await next.panel.close('hand-over')
  expect(isRunning()).toBe(true)
  expect(started).toHaveLength(1)
  const last = await open(unit)
  await last.until('connections', (all) =>
    all.some(({ id, state }) => id === 'local' && state.kind === 'ready'),
  )
  await last.panel.close()
  expect(isRunning()).toBe(false)
})

it('is not kept where the system cannot do it, with a sentence', async () => {
  const { call } = await open({ ...system(folder).unit, prepare: () => Promise.reject(new Error('no bus')) })
  await expect(call('desktop.choose', { keepServers: true })).rejects.toMatchObject({
    problem: { code: 'conflict', text: { key: 'desktop.keep-not-on' } },
  })
  expect(await call('desktop.choices', undefined)).toMatchObject({ keepServers: false })
})

it('one that the system no longer knows is ended by its process', async () => {
  const { unit, isRunning } = system(folder)
  const { panel, call } = await open(unit)
  await call('desktop.choose', { keepServers: true })
  await call('connections.this-computer', undefined)
  await panel.close()
  const forgotten = { ...unit, kill: () => Promise.reject(new Error('no such unit')) }
  const found = backgroundLauncher({
    ...{ child: nodeLauncher, dataDir: folder, unit: forgotten },
    keeps: () => Promise.resolve(true),
  }).launch([])
  await new Promise<unknown>((resolve) => {
    found.onMessage(resolve)
    found.send({ type: 'local-secret', secret: 'a secret of more than twenty characters' })
  })
  const ended = new Promise<unknown>((resolve) => found.onExit(resolve))
  found.kill()
  await ended
  expect(isRunning()).toBe(false)
})

it('a file that others can read, that is a link, or that says something else is not believed', async () => {
  const file = join(folder, 'background.json')
  writeEndpoint(folder, { socket: '/run/wheelhouse', pid: 1, version: 'test' })
  expect(await readEndpoint(folder)).toMatchObject({ socket: '/run/wheelhouse' })
  await chmod(file, 0o644)
  expect(await readEndpoint(folder)).toBeNull()
  await chmod(file, 0o600)
  await rename(file, `${file}.other`)
  await symlink(`${file}.other`, file)
  expect(await readEndpoint(folder)).toBeNull()
  await rm(file)
  await writeFile(file, (await readFile(`${file}.other`, 'utf8')).replace('"test"', '7'), { mode: 0o600 })
  expect(await readEndpoint(folder)).toBeNull()
})
