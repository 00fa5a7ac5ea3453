import { expect, it } from 'vitest'
import { LocalService } from './local-service.ts'
import type { ServiceProcess, PanelMessage } from './service-launcher.ts'

/** A service that runs in the background and listens, but lets nobody sign in. */
function hanging() {
  const told: string[] = []
  const exits = new Set<Parameters<ServiceProcess['onExit']>[0]>()
  const process: ServiceProcess = {
    outlives: true,
    send: ({ type }: PanelMessage) => {
      told.push(type)
      if (type === 'stop') for (const exit of exits) exit({ code: 0, lastWords: '' })
    },
    onMessage(listener) {
      const ready = {
        type: 'ready',
        baseUrl: 'http://127.0.0.1:1',
        restored: null,
        orphans: [],
        emptied: [],
        leftovers: [],
      }
      queueMicrotask(() => listener(ready))
      return () => {}
    },
    onExit(listener) {
      exits.add(listener)
      return () => void exits.delete(listener)
    },
    kill: () => void told.push('kill'),
    leave: () => void told.push('leave'),
  }
  const local = new LocalService({
    launcher: { launch: () => process },
    args: [],
    signIn: () => Promise.reject(new Error('no answer')),
    onReady: () => Promise.resolve(),
    onState: () => {},
  })
  return { local, told }
}

it('a background service that lets nobody sign in does not count as ended, and can be stopped', async () => {
  const { local, told } = hanging()
  await expect(local.start()).rejects.toMatchObject({ problem: { code: 'local-failed' } })
  expect(await local.settled()).toBe('unreached')
  expect(local.outlives).toBe(true)
  await local.stop()
  expect(told).toEqual(['local-secret', 'stop'])
  expect(await local.settled()).toBe('ended')
})

it('it is let go of where servers stay, and before another try', async () => {
  const { local, told } = hanging()
  await local.start().catch(() => undefined)
  await local.start().catch(() => undefined)
  await local.leave()
  expect(told).toEqual(['local-secret', 'leave', 'local-secret', 'leave'])
})

it('a service that dies is started once again by itself, and once more for each time that it ran well in between', async () => {
  let [now, launched] = [0, 0]
  let die = (): void => undefined
  const process: ServiceProcess = {
    send: () => undefined,
    onMessage(listener) {
      const ready = {
        type: 'ready',
        baseUrl: 'http://127.0.0.1:1',
        restored: null,
        orphans: [],
        emptied: [],
        leftovers: [],
      }
      queueMicrotask(() => listener(ready))
      return () => {}
    },
    onExit(listener) {
      die = () => listener({ code: 1, lastWords: '' })
      return () => {}
    },
    kill: () => undefined,
  }
  const local = new LocalService({
    launcher: { launch: () => (launched++, process) },
    args: [],
    signIn: () => Promise.resolve({ token: 't' } as never),
    onReady: () => Promise.resolve(),
    onState: () => {},
    elapsed: () => now,
  })
  const dies = async (after: number) => {
    now += after
    die()
    return await local.settled()
  }
  await local.start()
  expect([await dies(1000), launched]).toEqual(['running', 2])
  expect([await dies(11 * 60_000), launched]).toEqual(['running', 3])
  expect([await dies(1000), launched]).toEqual(['ended', 3])
})
