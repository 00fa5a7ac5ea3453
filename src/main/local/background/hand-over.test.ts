import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openWindow, testPorts } from '../../panel/panel.fixture.ts'
import { createPanel } from '../../panel/panel.ts'
import { isNotHandedOver, startInBackground } from './hand-over.ts'
import { writeFailure, writeEndpoint } from './endpoint-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hand-over-'))
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 5 }))
})

const nothing = () => Promise.resolve()
const unit = (start: () => Promise<void>) => ({ prepare: nothing, start, kill: nothing, remove: nothing })
const why = (handing: Promise<void>) => handing.then(() => 'handed over', isNotHandedOver)

it('servers that were to run on in the background and do not are told of, and everything else is closed', async () => {
  const panel = await createPanel({
    ...{ ...testPorts(folder), way: 'electron' },
    background: unit(() => Promise.reject(new Error('no bus'))),
  })
  await openWindow(panel).call('connections.this-computer', undefined)
  const closed = panel.close('hand-over')
  expect(await why(closed)).toBe(true)
  expect(existsSync(join(folder, 'service/service.holder.json'))).toBe(false)
  // The next one has all that the first one had.
  const next = await createPanel(testPorts(folder))
  await openWindow(next).call('connections.this-computer', undefined)
  await next.close()
})

it('a service that says why it failed does not run, whatever one that was killed has left', async () => {
  writeEndpoint(folder, { socket: join(folder, 'background.sock'), pid: process.pid, version: 'test' })
  const failing = unit(async () =>
    writeFailure(folder, { type: 'failed', code: 'background', message: 'No room.', values: {} }),
  )
  expect(await why(startInBackground(failing, folder))).toBe(true)
})

it('one of which nothing is heard in time counts as none', async () => {
  expect(await why(startInBackground(unit(nothing), folder, 1))).toBe(true)
})

it('what else kept a panel from closing in order is not told as that', () => {
  expect(isNotHandedOver(new Error('no cache'))).toBe(false)
  expect(isNotHandedOver(new SuppressedError(new Error('one'), new Error('other'), 'both'))).toBe(false)
})
