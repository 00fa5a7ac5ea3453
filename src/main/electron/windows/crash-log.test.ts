import { beforeEach, expect, it, vi } from 'vitest'
import { app, StandInContents, StandInEvent } from '../../../../tests/doubles/electron/electron.ts'
import { logCrashes } from './crash-log.ts'

vi.mock('electron', () => import('../../../../tests/doubles/electron/electron.ts'))

let lines: unknown[][]
beforeEach(() => {
  lines = []
  app.removeAllListeners()
  logCrashes(Promise.resolve({ warn: (...line) => void lines.push(line) }))
})

it('a page and a program that crash are written down with why, and what ended by itself is not', async () => {
  const page = new StandInContents()
  app.emit('render-process-gone', new StandInEvent(), page, { reason: 'oom', exitCode: 9 })
  app.emit('render-process-gone', new StandInEvent(), page, { reason: 'clean-exit', exitCode: 0 })
  const gpu = { type: 'GPU', reason: 'crashed', exitCode: 139 }
  app.emit('child-process-gone', new StandInEvent(), gpu)
  app.emit('child-process-gone', new StandInEvent(), { ...gpu, reason: 'clean-exit' })
  await expect.poll(() => lines.length).toBe(2)
  expect(lines).toEqual([
    ['the page of a window is gone', { reason: 'oom', exitCode: 9 }],
    ['a program of the panel is gone', { name: undefined, ...gpu }],
  ])
})

it('a page that hangs is written down, and that it responds again', async () => {
  const page = new StandInContents()
  app.emit('web-contents-created', new StandInEvent(), page)
  page.emit('unresponsive')
  page.emit('responsive')
  await expect.poll(() => lines.length).toBe(2)
})

it('a program that keeps crashing does not fill the log', async () => {
  for (let times = 0; times < 1000; times++)
    app.emit('child-process-gone', new StandInEvent(), { type: 'GPU', reason: 'crashed', exitCode: 1 })
  await Promise.resolve()
  await expect.poll(() => lines.length).toBe(200)
})
