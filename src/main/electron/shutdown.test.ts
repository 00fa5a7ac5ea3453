import { expect, it, onTestFinished, vi } from 'vitest'
import { powerMonitor, StandInEvent, StandInWindow } from './electron-stand-in.ts'
import { Quitting } from '../desktop/quitting.ts'
import { holdShutdown } from './shutdown.ts'

vi.mock('electron', () => import('./electron-stand-in.ts'))

/** A program whose servers take until `saved` to stop. */
function program() {
  const saved = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const happened: string[] = []
  const quitting = new Quitting({
    running: () => Promise.resolve(1),
    keeps: () => Promise.resolve(false),
    ask: () => Promise.resolve('stay' as const),
    stay: () => undefined,
    close: () => saved.promise.then(() => void happened.push('saved')),
    exit: () => {
      happened.push('ended')
      ended.resolve()
    },
  })
  const window = new StandInWindow({})
  holdShutdown(quitting)(window as never)
  onTestFinished(() => void powerMonitor.removeAllListeners())
  return { window, happened, saved, ended: ended.promise }
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
  expect(it.happened).toEqual([])
  it.saved.resolve()
  await it.ended
  expect(it.happened).toEqual(['saved', 'ended'])
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
  expect(happened).toEqual(['saved', 'ended'])
})
