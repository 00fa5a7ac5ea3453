import { beforeEach, expect, it, vi } from 'vitest'
import { app, given, powerMonitor, StandInEvent, told } from '../../../../tests/doubles/electron/electron.ts'
import { takeLinks } from './links.ts'
import { followPower } from './power.ts'

vi.mock('electron', () => import('../../../../tests/doubles/electron/electron.ts'))

beforeEach(() => {
  app.removeAllListeners()
  powerMonitor.removeAllListeners()
  app.isPackaged = false
  told.protocols = []
})

it('links are followed once there is somebody to do so, however the system brings them', () => {
  const seen: string[] = []
  const follow = takeLinks(['wheelhouse', 'wheelhouse://server/local/argv'])
  const event = new StandInEvent()
  app.emit('open-url', event, 'wheelhouse://server/local/before')
  expect(event.defaultPrevented).toBe(true)
  // The newest is where the person wants to be.
  follow((link) => seen.push(link))
  app.emit('open-url', new StandInEvent(), 'wheelhouse://server/local/mac')
  app.emit('second-instance', new StandInEvent(), ['wheelhouse', 'wheelhouse://server/local/second'])
  app.emit('second-instance', new StandInEvent(), ['wheelhouse', '--data', '/x'])
  app.emit('open-url', new StandInEvent(), 'wheelhouse://server/local/x?token=1')
  expect(seen).toEqual(['before', 'mac', 'second'].map((id) => `wheelhouse://server/local/${id}`))
})

it('the scheme of links is registered for an installed program alone', () => {
  takeLinks([])
  expect(told.protocols).toEqual([])
  app.isPackaged = true
  takeLinks([])
  expect(told.protocols).toEqual(['wheelhouse'])
})

it('the panel is told of sleep, of waking, and of the battery', async () => {
  const did: unknown[] = []
  given.onBattery = true
  followPower(
    Promise.resolve({
      wake: () => void did.push('wake'),
      sleep: () => void did.push('sleep'),
      spare: (on: boolean) => void did.push(on),
    }),
    'darwin',
  )
  given.onBattery = false
  for (const name of ['suspend', 'resume', 'on-ac', 'on-battery'] as const) powerMonitor.emit(name)
  await expect.poll(() => did).toEqual([true, 'sleep', 'wake', false, true])
})

it('on Linux, where Electron knows nothing of batteries, the panel is told what the system says of its own', async () => {
  const did: unknown[] = []
  let says: (on: boolean) => void = () => undefined
  followPower(
    Promise.resolve({
      wake: () => void did.push('wake'),
      sleep: () => void did.push('sleep'),
      spare: (on: boolean) => void did.push(on),
    }),
    'linux',
    (changed) => {
      says = changed
      return () => undefined
    },
  )
  says(true)
  powerMonitor.emit('suspend')
  powerMonitor.emit('resume')
  says(false)
  await expect.poll(() => did).toEqual([true, 'sleep', 'wake', false])
})
