import { expect, test } from 'vitest'
import { api } from '../../../contract/areas/index.ts'
import { BodyThread } from './body-thread.ts'
import type { BodyMeaning } from './read-body.ts'
import { AnswerComplexityError } from './unpack.ts'

const meaning: BodyMeaning = {
  ...{ as: 'answer', isSuccess: true, writes: false, isOwn: false, contentType: null, headers: {} },
  shape: null,
}
const alive = new AbortController().signal

const files = (name: string) =>
  Array.from({ length: 3000 }, (_, at) => ({ name: `${name} ${at}`, kind: 'file', size: at }))
const body = (text: string) => ({ bytes: new Uint8Array(Buffer.from(text)), encoding: '' })
const read = (thread: BodyThread, name: string, signal = alive) =>
  thread.read(api.files.list, body(JSON.stringify(files(name))), meaning, signal)

test('bodies are read one after the other, and one that is given up costs no other', async () => {
  const thread = new BodyThread()
  const [running, waiting] = [new AbortController(), new AbortController()]
  const reason = new Error('The window was closed.')
  const reads = [
    read(thread, 'given up while it is read', running.signal),
    read(thread, 'one'),
    read(thread, 'given up while it waits', waiting.signal),
    thread.read(api.files.list, body('['.repeat(5000)), meaning, alive),
    read(thread, 'other'),
  ]
  waiting.abort(reason)
  // By then the first is on its way to the thread.
  await new Promise(setImmediate)
  running.abort(reason)
  const [first, one, third, refused, other] = await Promise.allSettled(reads)
  expect(first).toEqual({ status: 'rejected', reason })
  expect(third).toEqual({ status: 'rejected', reason })
  expect(refused).toEqual({
    status: 'rejected',
    reason: expect.any(AnswerComplexityError) as AnswerComplexityError,
  })
  expect(one).toMatchObject({ status: 'fulfilled', value: { value: { items: files('one') } } })
  expect(other).toMatchObject({ status: 'fulfilled', value: { value: { items: files('other') } } })
})

test('what was read crosses as it was read', async () => {
  const items = files('a').map((one, at) => ({ ...one, size: `${at}` }))
  const text = JSON.stringify([...items, { kind: 'file' }])
  const found = await new BodyThread().read(api.files.list, body(text), meaning, alive)
  expect(found.value).toMatchObject({
    items: files('a'),
    leftOut: [{ index: 3000, path: 'items.3000.name' }],
  })
  expect(found.drifts).toContainEqual({ path: 'items.[].size', expected: 'number', found: 'text' })
  expect(found.fit).toEqual({ kind: 'fits' })
})
