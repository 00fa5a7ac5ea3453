import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { at } from '../../build/scripts/project.js'
import { buildStale } from '../../build/scripts/stale.js'
import { letIn } from '../../src/web/let-in.fixture.ts'
import { processesOf } from '../e2e/fixtures/processes.ts'
import { Program } from '../e2e/fixtures/program.ts'

let folder: string
beforeAll(() => buildStale(), 120_000)
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-last-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Starts a built program in which something goes wrong at SIGUSR2. */
function start(name: string, args: string[]): Program {
  const NODE_OPTIONS = `--import ${at('tests/fixtures/throw-on-signal.ts')}`
  const program = Program.start(name, args, { ...process.env, NODE_OPTIONS, HOME: folder })
  onTestFinished(() => program.kill())
  return program
}

it('a service tells of an error that nobody caught, writes it down, and ends in order', async () => {
  const data = join(folder, 'service')
  const service = start('service', ['--data', data, '--port', '0'])
  await service.says(/^Service: (\S+)$/m)
  service.signal('SIGUSR2')
  expect(await service.ended).toEqual({ code: 1, signal: null })
  expect(service.output).toMatch(/^The service had an internal error and is shutting down\./m)
  expect(service.output.trim().split('\n').at(-1)).toBe(
    'The service had an internal error and has shut down; its servers were stopped first. Its log says more.',
  )
  expect(await readFile(join(data, 'logs/service.log'), 'utf8')).toContain('nobody catches this')
  expect(existsSync(join(data, 'service.holder.json'))).toBe(false)
})

it('a panel tells of an error that nobody caught, writes it down, and stops its service before it ends', async () => {
  const data = join(folder, 'panel')
  const panel = start('web', ['--no-open', '--data', data])
  const own = await letIn(await panel.says(/^Panel: (\S+)$/m))
  const page = new WebSocket(`${own.origin.replace('http', 'ws')}/socket`, ...own.socket)
  const closed = new Promise((resolve) => page.once('close', resolve))
  await new Promise((resolve) => page.once('open', resolve))
  page.send(JSON.stringify({ id: 1, name: 'connections.this-computer' }))
  await new Promise<void>((resolve) =>
    page.on('message', (said: Buffer) => {
      if ((JSON.parse(said.toString()) as { id?: number }).id === 1) resolve()
    }),
  )
  const running = (await processesOf(folder)).filter(({ command }) => command.includes('--parent'))
  expect(running).toHaveLength(1)
  panel.signal('SIGUSR2')
  expect(await panel.ended).toEqual({ code: 1, signal: null })
  await closed
  expect(panel.output).toContain('The panel had an internal error and is closing.')
  expect(panel.output.trim().split('\n').at(-1)).toBe('The panel has closed. Start it again.')
  expect(await readFile(join(data, 'logs/panel.log'), 'utf8')).toContain('nobody catches this')
  expect(existsSync(join(data, 'panel.holder.json'))).toBe(false)
  expect(existsSync(join(data, 'service/service.holder.json'))).toBe(false)
  expect(await processesOf(folder)).toEqual([])
})
