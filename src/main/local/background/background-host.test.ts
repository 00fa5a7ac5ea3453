import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { ServiceProcess, PanelMessage } from '../service-launcher.ts'
import { BackgroundHost } from './background-host.ts'
import { reachService } from './background-socket.ts'
import { readFailure, readEndpoint } from './endpoint-file.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'background-host-'))
  onTestFinished(() => rm(dataDir, { recursive: true, maxRetries: 5 }))
})

/** A host over a service that writes down what it is told, and says and does what a test wants. */
function hosting() {
  const told: PanelMessage[] = []
  const launched = Promise.withResolvers<void>()
  let say: (message: unknown) => void = () => {}
  let exit: Parameters<ServiceProcess['onExit']>[0] = () => {}
  const service: ServiceProcess = {
    send: (message) => void told.push(message),
    onMessage(listener) {
      say = listener
      return () => {}
    },
    onExit(listener) {
      exit = listener
      launched.resolve()
      return () => {}
    },
    kill: () => {},
  }
  const host = new BackgroundHost({ launcher: { launch: () => service }, dataDir, args: [], version: 'test' })
  return {
    ...{ host, told, launched: launched.promise },
    say: (message: unknown) => say(message),
    exit: (code: number) => exit({ code, lastWords: '' }),
  }
}

it('tells its service once to stop, however many say so: a second time would cut saving short', async () => {
  const { host, told, launched, exit } = hosting()
  const ended = host.run()
  await launched
  host.stop()
  host.stop()
  expect(told).toEqual([{ type: 'stop' }])
  exit(0)
  expect(await ended).toBe(0)
})

it('passes on whether a panel that stops it, for an update, wants its servers started again', async () => {
  const { host, told, launched, say, exit } = hosting()
  const ended = host.run()
  await launched
  say({ type: 'ready', baseUrl: 'http://127.0.0.1:1' })
  const panel = await reachService(await vi.waitUntil(() => readEndpoint(dataDir)))
  panel?.send({ type: 'stop', startAgain: true })
  await vi.waitUntil(() => told.length > 0)
  expect(told).toEqual([{ type: 'stop', startAgain: true }])
  exit(0)
  expect(await ended).toBe(0)
})

it('tells of an error that nobody caught, stops its service in order, and has the system start it again', async () => {
  const { host, told, launched, exit } = hosting()
  const ended = host.run()
  await launched
  host.giveUp(new Error('Out of handles.'))
  host.giveUp(new Error('Another.'))
  expect(told).toEqual([{ type: 'stop' }])
  expect(await readFailure(dataDir)).toMatchObject({ code: 'background', message: 'Out of handles.' })
  exit(0)
  expect(await ended).toBe(1)
})

it('says where the service listens only to a panel whose secret that has been given', async () => {
  const { host, told, launched, say, exit } = hosting()
  const ended = host.run()
  await launched
  say({ type: 'ready', baseUrl: 'http://127.0.0.1:1' })
  const endpoint = await vi.waitUntil(() => readEndpoint(dataDir))
  const panel = await reachService(endpoint)
  const heard = new Promise<unknown>((resolve) =>
    panel?.onMessage((message) => resolve({ message, told: [...told] })),
  )
  panel?.send({ type: 'local-secret', secret: 'first' })
  expect(await heard).toMatchObject({
    message: { type: 'ready' },
    told: [{ type: 'local-secret', secret: 'first' }],
  })
  exit(1)
  expect(await ended).toBe(1)
})
