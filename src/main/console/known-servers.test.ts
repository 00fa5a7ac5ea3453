import { expect, it } from 'vitest'
import type { ViewEvent } from '../../contract/bridge/events.ts'
import { KnownServers } from './known-servers.ts'

const list = (...ids: string[]) =>
  ({
    view: 'servers.list',
    connectionId: 'c',
    params: {},
    query: {},
    now: { value: { items: ids.map((id) => ({ id, name: id })), leftOut: [], more: false }, asOf: null },
  }) as unknown as ViewEvent

it('tells of a connection whose servers changed, and of no other news', () => {
  const known = new KnownServers()
  const told: string[][] = []
  known.onChange((connectionId) => told.push(known.of(connectionId)))
  // A connection without servers needs no stream for them.
  known.seen(list())
  known.seen(list('a'))
  known.seen(list('a'))
  known.seen(list('a', 'b'))
  known.seen(list())
  expect(told).toEqual([['a'], ['a', 'b'], []])
})

it('knows nothing of a connection that was forgotten', () => {
  const known = new KnownServers()
  known.seen(list('a'))
  known.forget('c')
  expect(known.of('c')).toEqual([])
})
