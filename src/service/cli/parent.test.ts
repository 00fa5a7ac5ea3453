import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { fromParent, parentChannel } from './parent.ts'

test('reads what a parent says and nothing else', () => {
  const secret = 'a secret of more than twenty characters'
  expect(fromParent({ type: 'local-secret', secret })).toEqual({ type: 'local-secret', secret })
  expect(fromParent({ type: 'stop' })).toEqual({ type: 'stop' })
  expect(fromParent({ type: 'stop', startAgain: true })).toEqual({ type: 'stop', startAgain: true })
  expect(fromParent({ type: 'stop', startAgain: 'yes' })).toEqual({ type: 'stop' })
  for (const strange of [
    null,
    'stop',
    7,
    {},
    { type: 'local-secret' },
    { type: 'local-secret', secret: 'short' },
  ]) {
    expect(fromParent(strange)).toBeNull()
  }
})

test("takes Electron's port where the process has one", () => {
  const sent: unknown[] = []
  const port = Object.assign(new EventEmitter(), {
    postMessage: (message: unknown) => void sent.push(message),
  })
  Object.defineProperty(process, 'parentPort', { value: port, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(process, 'parentPort'))

  const channel = parentChannel()
  const heard: unknown[] = []
  let gone = 0
  channel?.onMessage((message) => heard.push(message))
  channel?.onGone(() => (gone += 1))
  const ready = { type: 'ready', baseUrl: 'http://127.0.0.1:1/api/v1', restored: null } as const
  channel?.send({ ...ready, orphans: [], emptied: [], leftovers: [] })
  port.emit('message', { data: { type: 'stop' }, ports: [] })
  port.emit('close')
  expect(sent).toEqual([{ ...ready, orphans: [], emptied: [], leftovers: [] }])
  expect(heard).toEqual([{ type: 'stop' }])
  expect(gone).toBe(1)
})
