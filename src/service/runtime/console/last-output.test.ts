import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { refusalText } from '../../../contract/messages/refusals/index.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { ConsoleLog } from './console-log.ts'

const AT = Date.UTC(2026, 10, 29, 13, 2, 31, 82)
/** So small that a few lines fill a block, and a few blocks a file. */
const small = { ringLines: 20, ringBytes: 1 << 20, blockBytes: 600, fileBytes: 4_000, totalBytes: 1 << 22 }

type LogPart = [lines: number, at: number] | 'service' | 'command' | [lines: number, at: number, 'error']

/** What a service in each epoch kept, and what the next one finds. */
async function kept(...epochs: LogPart[][]) {
  const folder = path.join(await temporaryFolder(), 'log')
  for (const [at, written] of epochs.entries()) {
    const log = new ConsoleLog(folder, at + 1, small)
    for (const one of written) {
      if (one === 'service') log.say([refusalText('console.stopping')])
      else if (one === 'command') log.append(['say hi'], 'command')
      else log.append(numbered(one[0]), one[2], { at: one[1] })
    }
    await log.written()
    await log.close()
  }
  const next = new ConsoleLog(folder, epochs.length + 1, small)
  onTestFinished(() => next.close())
  return { next, folder }
}
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`)
const found = async (...epochs: LogPart[][]) => (await kept(...epochs)).next.lastOutput()

test('there is none where nothing was kept, or nothing of the program', async () => {
  expect(await found()).toBeNull()
  expect(await found([])).toBeNull()
  expect(await found(['service', 'command'], ['service'])).toBeNull()
})

test('is the time of the last line, and how many came in that ms', async () => {
  expect(await found([[1, AT]])).toEqual({ at: AT, count: 1 })
  expect(
    await found([
      [5, AT - 1],
      [3, AT],
    ]),
  ).toEqual({ at: AT, count: 3 })
})

test('counts errors too, and neither what the service said in between nor commands', async () => {
  const between: LogPart[] = [
    [4, AT - 1],
    [2, AT],
    'service',
    [1, AT, 'error'],
    'command',
    [3, AT],
    'service',
    'service',
  ]
  expect(await found(between)).toEqual({ at: AT, count: 6 })
})

test('is of the newest epoch that has one, and of none that has only begun', async () => {
  expect(await found([[1, AT - 5]], [[2, AT]], ['service'], [])).toEqual({ at: AT, count: 2 })
  const { next } = await kept([[2, AT]])
  next.append(numbered(3), undefined, { at: AT + 10 })
  await next.written()
  expect(await next.lastOutput()).toEqual({ at: AT, count: 2 })
  // The same ms in another epoch is another run's.
  expect(await found([[7, AT]], [[2, AT]])).toEqual({ at: AT, count: 2 })
})

test('counts over several files, and more lines than are read at once', async () => {
  const { next, folder } = await kept([[30, AT - 1], [2_345, AT], 'service', [1, AT]])
  expect((await readdir(folder)).length).toBeGreaterThan(3)
  expect(await next.lastOutput()).toEqual({ at: AT, count: 2_346 })
})

test('finds it before more lines of the service than are read at once', async () => {
  const many = Array.from({ length: 1_200 }, (): LogPart => 'command')
  expect(await found([[1, AT - 1], [2, AT], ...many])).toEqual({ at: AT, count: 2 })
})

test('is the last one even where lines before it could not be kept', async () => {
  const { next: first, folder } = await kept([
    [100, AT - 2],
    [100, AT - 1],
    [60, AT],
  ])
  expect(await first.lastOutput()).toEqual({ at: AT, count: 60 })
  const files = (await readdir(folder)).sort((a, b) => seqOf(a) - seqOf(b))
  expect(files.length).toBeGreaterThan(2)
  await rm(path.join(folder, files[1]!))
  const again = new ConsoleLog(folder, 2, small)
  onTestFinished(() => again.close())
  expect(await again.lastOutput()).toMatchObject({ at: AT })
})

const seqOf = (name: string) => Number(/-(\d+)\.log$/.exec(name)?.[1])
