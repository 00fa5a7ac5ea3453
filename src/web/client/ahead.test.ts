import { expect, it } from 'vitest'
import type { Outcome } from '../../contract/bridge/problem.ts'
import type { EventMessage } from '../message.ts'
import { Ahead } from './ahead.ts'

const list = { view: 'servers.list', connectionId: 'a' }
const answerOf = (value: unknown): Outcome<unknown> => ({ ok: true, value })

/** A page that was asked ahead for, with main in the hands of the test. */
function begin() {
  const asked: string[] = []
  const answers: ((outcome: Outcome<unknown>) => void)[] = []
  const heard: EventMessage[] = []
  let onHeard = () => {}
  const ahead = new Ahead(
    (name, input) => {
      asked.push(input === undefined ? name : `${name} ${(input as typeof list).connectionId}`)
      return new Promise((resolve) => answers.push(resolve))
    },
    (event) => {
      heard.push(event)
      onHeard()
    },
  )
  return {
    ahead,
    asked,
    heard,
    answer: (question: string, outcome: Outcome<unknown>) => answers[asked.indexOf(question)]?.(outcome),
    /** Resolves when so many events were told. */
    hears: (count: number) =>
      new Promise<void>((resolve) => {
        onHeard = () => heard.length >= count && resolve()
        onHeard()
      }),
  }
}

it('asks for what a page asks first, and for the servers of the first connections', async () => {
  const { ahead, asked, answer } = begin()
  expect(asked).toEqual(['rail.read', 'settings.read', 'app.info', 'connections.list'])
  const listed = ahead.take('connections.list', undefined)
  answer('connections.list', answerOf([{ id: 'a' }, { id: 'b' }, { id: 'c' }]))
  await listed
  expect(asked.slice(4)).toEqual(['view.read a', 'view.read b'])
  const servers = ahead.take('view.read', list)
  answer('view.read a', answerOf('servers'))
  expect(await servers).toEqual(answerOf('servers'))
})

it('gives each answer once, and none to another question', () => {
  const { ahead } = begin()
  expect(ahead.take('settings.read', undefined)).not.toBeNull()
  expect(ahead.take('settings.read', undefined)).toBeNull()
  expect(ahead.take('view.read', list)).toBeNull()
})

it('tells a page what came before it listened, behind the answers that it takes', async () => {
  const { ahead, heard, hears } = begin()
  ahead.told({ event: 'settings', value: 1 })
  const taken = ahead.take('settings.read', undefined)
  ahead.told({ event: 'settings', value: 2 })
  expect(heard).toEqual([])
  expect(taken).not.toBeNull()
  await hears(2)
  ahead.told({ event: 'settings', value: 3 })
  expect(heard.map(({ value }) => value)).toEqual([1, 2, 3])
})

it('has no answer any more once an event has told a page of something newer', async () => {
  const { ahead, hears } = begin()
  void ahead.take('connections.list', undefined)
  ahead.told({ event: 'rail', value: 1 })
  await hears(1)
  expect(ahead.take('rail.read', undefined)).toBeNull()
})

it('has neither answers nor events of a socket that broke', async () => {
  const { ahead, heard, hears } = begin()
  ahead.told({ event: 'rail', value: 'lost' })
  ahead.lost()
  expect(ahead.take('rail.read', undefined)).toBeNull()
  ahead.told({ event: 'rail', value: 'new' })
  await hears(1)
  expect(heard.map(({ value }) => value)).toEqual(['new'])
})

it('keeps a bounded number of events for a page that never asks', async () => {
  const { ahead, heard, hears } = begin()
  for (let value = 0; value <= 150; value++) ahead.told({ event: 'notes', value })
  expect(ahead.take('rail.read', undefined)).toBeNull()
  await hears(50)
  expect(heard).toHaveLength(50)
  expect(heard.at(-1)?.value).toBe(150)
})

it('tells a page all that came behind an answer it took, however much that is', async () => {
  const { ahead, heard, hears } = begin()
  for (let value = 0; value < 100; value++) ahead.told({ event: 'settings', value })
  expect(ahead.take('settings.read', undefined)).not.toBeNull()
  for (let value = 100; value < 150; value++) ahead.told({ event: 'settings', value })
  await hears(150)
  expect(heard.map(({ value }) => value)).toEqual(Array.from({ length: 150 }, (_, value) => value))
})

it('asks for no servers where the connections were not told', async () => {
  const { ahead, asked, answer } = begin()
  const listed = ahead.take('connections.list', undefined)
  answer('connections.list', { ok: false, problem: { code: 'offline', message: 'x', retryable: true } })
  await listed
  expect(asked).toHaveLength(4)
})
