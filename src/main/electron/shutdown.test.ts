import { expect, it, onTestFinished, vi } from 'vitest'
import {
  powerMonitor,
  StandInBaseWindow,
  StandInEvent,
  StandInWindow,
} from '../../../tests/doubles/electron/electron.ts'
import { QuitSequence } from '../desktop/quitting.ts'
import { holdShutdown } from './shutdown.ts'

vi.mock('electron', () => import('../../../tests/doubles/electron/electron.ts'))

/** A program whose servers take until `saved` to stop. */
function program(platform: NodeJS.Platform = 'win32') {
  const saved = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const happened: string[] = []
  const quitting = new QuitSequence({
    running: () => Promise.resolve(1),
    keeps: () => Promise.resolve(false),
    ask: () => Promise.resolve('stay' as const),
    stay: () => undefined,
    closing: () => void happened.push('told'),
    close: () => saved.promise.then(() => void happened.push('saved')),
    failed: () => undefined,
    exit: () => {
      happened.push('ended')
      ended.resolve()
    },
  })
  const window = new StandInWindow({})
  StandInBaseWindow.opened.length = 0
  const hold = holdShutdown(quitting, () => void happened.push('shown'), platform)
  hold.hear(window as never)
  onTestFinished(() => void powerMonitor.removeAllListeners())
  return { window, happened, saved, hold, ended: ended.promise }
}

it.each([
  [
    'the program is told, as on Linux and macOS',
    (_: ReturnType<typeof program>, event: StandInEvent) => powerMonitor.emit('shutdown', event),
  ],
  [
    'a window is told, as on Windows',
    ({ window }: ReturnType<typeof program>, event: StandInEvent) => window.emit('query-session-end', event),
  ],
])('waits at the shutdown until worlds are saved where %s', async (_, fire) => {
  const it = program()
  const event = new StandInEvent()
  fire(it, event)
  expect(event.defaultPrevented).toBe(true)
  expect(it.happened).toEqual(['told'])
  it.saved.resolve()
  await it.ended
  expect(it.happened).toEqual(['told', 'saved', 'ended'])
  // Now nothing is in the way any more.
  const again = new StandInEvent()
  fire(it, again)
  expect(again.defaultPrevented).toBe(false)
})

it('saves worlds also where Windows does not wait, and once alone', async () => {
  const { window, happened, saved, ended } = program()
  window.emit('query-session-end', new StandInEvent())
  window.emit('session-end', new StandInEvent())
  saved.resolve()
  await ended
  expect(happened).toEqual(['told', 'saved', 'ended'])
})

it('hears of it on Windows where the panel is in the tray without a window, and shows one so that Windows waits', async () => {
  const { window, hold, happened, saved, ended } = program()
  hold.alone()
  hold.alone()
  const [ear, ...more] = StandInBaseWindow.opened
  expect(more).toEqual([])
  expect(ear?.options).toEqual({ show: false })
  const event = new StandInEvent()
  ear!.emit('query-session-end', event)
  expect(event.defaultPrevented).toBe(true)
  expect(happened).toEqual(['told', 'shown'])
  saved.resolve()
  await ended
  expect(happened).toEqual(['told', 'shown', 'saved', 'ended'])
  // A window that opens hears it itself.
  hold.hear(window as never)
  expect(ear?.destroyed).toBe(true)
})

it('opens nothing that is not seen where the program itself is told', () => {
  for (const platform of ['linux', 'darwin'] as const) program(platform).hold.alone()
  expect(StandInBaseWindow.opened).toEqual([])
})
