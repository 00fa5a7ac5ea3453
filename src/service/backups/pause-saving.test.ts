import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RuntimeFixture } from '../runtime/runtime.fixture.ts'
import { temporaryFolder } from '../service.fixture.ts'
import type { Software } from '../software/software.ts'
import { readSign } from '../worlds/logs/log-lines.ts'
import { type Pause, whilePaused } from './pause-saving.ts'

/** Answers `save-all flush` with a line, and says what it was told otherwise. */
const script = (answer: string): string => `
  console.log('[12:00:00 INFO]: Done (1.0s)! For help, type "help"')
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    if (line === 'save-all flush') console.log(${JSON.stringify(answer)})
    else if (line === 'stop') process.exit(0)
    else console.log('[12:00:00 INFO]: told ' + line)
  })`

async function running(answer: string, more: Partial<Software> = { pausesSaving: true }) {
  const folder = await temporaryFolder()
  const file = path.join(folder, 'server.cjs')
  await writeFile(file, script(answer))
  const software: Software = {
    ...{ id: 'saving', name: 'Saving', description: '', stopCommand: 'stop', maxPlayers: 0, readSign },
    versions: () => Promise.resolve([]),
    program: () => Promise.resolve({ file: process.execPath, args: [file], cwd: folder, env: {} }),
    ...more,
  }
  const it = await RuntimeFixture.open({ dataDir: folder, software: [software] })
  onTestFinished(() => it.close())
  await it.add('one', { software: { id: 'saving', version: '1' }, folder })
  await it.order('one', 'start')
  await it.until('one', 'online')
  const pause = (
    signal = new AbortController().signal,
    work = (how: Pause) => Promise.resolve(how),
    flushMs = 60_000,
  ) => whilePaused(it.runtime, 'one', signal, work, { flushMs })
  return { it, pause, onAgain: () => it.line('one', /told save-on$/) }
}

test.each([
  ['[12:00:00 INFO]: Saved the game', 'paused'],
  ['[12:00:00] [Server thread/INFO]: Saved the game', 'paused'],
  ['[12:00:00] [Server thread/INFO] [minecraft/DedicatedServer]: Saved the game', 'paused'],
  ['[12:00:00] [Server thread/INFO]: Saved the world', 'paused'],
  ['[12:00:00] [Server thread/INFO]: [Server: Saved the world]', 'paused'],
  ['2013-01-01 12:00:00 [INFO] Save complete.', 'paused'],
  ['[12:00:00 INFO]: Unable to save the game (is there enough disk space?)', 'failed'],
  ['[12:00:00 INFO]: Unknown or incomplete command, see below for error', 'failed'],
])('after %s the server is %s, and saves again afterwards', async (answer, how) => {
  const { pause, onAgain } = await running(answer)
  expect(await pause()).toBe(how)
  await onAgain()
})

test('nobody pauses it by chat, and it does not wait for ever', async () => {
  const { pause, onAgain } = await running('[12:00:00 INFO]: <Alex> Saved the game')
  expect(await pause(undefined, undefined, 200)).toBe('failed')
  await onAgain()
})

test('it saves again after a failure, and after it was canceled while it waited', async () => {
  const { pause, onAgain } = await running('[12:00:00 INFO]: Saved the game')
  await expect(pause(undefined, () => Promise.reject(new Error('no room')))).rejects.toThrow('no room')
  await onAgain()
  const silent = await running('[12:00:00 INFO]: <Alex> hello')
  const control = new AbortController()
  const paused = silent.pause(control.signal)
  await silent.it.line('one', /<Alex> hello/)
  control.abort(new Error('enough'))
  await expect(paused).rejects.toThrow()
  await silent.onAgain()
})

test('software without such commands, and a server that is down, are told nothing', async () => {
  const { it, pause } = await running('[12:00:00 INFO]: Saved the game', {})
  expect(await pause()).toBe('cannot')
  await it.type('one', 'hello')
  await it.line('one', /told hello$/)
  const lines = (await it.call('GET', '/servers/console/one')).body.items.map(
    ({ text }: { text: string }) => text,
  )
  expect(lines.filter((text: string) => text.includes('save-'))).toEqual([])
})
