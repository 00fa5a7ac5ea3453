import { expect, it } from 'vitest'
import type { Connection, Server } from '../../../contract/bridge/values.ts'
import { Facts } from '../facts.ts'
import { trayModel } from './tray-model.ts'
import { desktopWords } from '../words.ts'

const connection = (id: string, kind: 'ready' | 'starting' = 'ready') =>
  ({ id, baseUrl: `https://${id}.example/api/v1`, state: { kind } }) as Connection
const view = (items: unknown[], stale = false) => ({ value: { items }, asOf: null, stale, problem: null })

function facts(servers: Partial<Server>[], state: 'ready' | 'starting' = 'ready', unread = 0): Facts {
  const made = new Facts()
  made.take('connections', [connection('c', state)])
  made.takeView('servers.list', 'c', view(servers))
  made.takeView(
    'notifications.list',
    'c',
    view(Array.from({ length: unread }, (_, at) => ({ id: String(at) }))),
  )
  return made
}
const model = (...given: Parameters<typeof facts>) => trayModel(facts(...given), desktopWords('en'))
const serversIn = (...given: Parameters<typeof facts>) =>
  model(...given).entries.filter((entry) => entry.kind === 'server')
const actions = (server: Partial<Server>, state?: 'ready' | 'starting') =>
  serversIn([server], state)[0]?.entries.flatMap((entry) =>
    'action' in entry && entry.enabled ? [entry.action] : [],
  )

it('says at a glance what runs, and what needs somebody first', () => {
  const { tooltip, entries } = model([
    { id: 'a', name: 'Quiet', status: 'offline' },
    { id: 'd', name: 'Tired', status: 'sleeping' },
    { id: 'b', name: 'Busy', status: 'online' },
    { id: 'c', name: 'Broken', status: 'crashed' },
  ])
  expect(tooltip).toBe('Wheelhouse\n1 of 4 servers running · 1 crashed')
  expect(entries.flatMap((entry) => ('label' in entry ? [entry.label] : []))).toEqual([
    '1 of 4 servers running · 1 crashed',
    'Broken – crashed',
    'Busy – online',
    'Tired – sleeping',
    'Quiet – offline',
    'Open Wheelhouse',
    'Quit',
  ])
})

it('offers what can be done now by whom it may be done', () => {
  expect(actions({ id: 'a', name: 'A', status: 'offline' })).toEqual(['start'])
  expect(actions({ id: 'a', name: 'A', status: 'online' })).toEqual(['stop', 'restart'])
  expect(actions({ id: 'a', name: 'A', status: 'stopping' })).toEqual([])
  expect(actions({ id: 'a', name: 'A', status: 'sleeping' })).toEqual(['start', 'stop'])
  expect(actions({ id: 'a', name: 'A', status: { raw: 'dozing' } as never })).toEqual([
    'start',
    'stop',
    'restart',
  ])
  expect(actions({ id: 'a', name: 'A', status: 'online', role: ['control.stop'] })).toEqual(['stop'])
  expect(actions({ id: 'a', name: 'A', status: 'online' }, 'starting')).toEqual([])
})

it('asks in the menu before players are disconnected', () => {
  const labels = (server: Partial<Server>) =>
    serversIn([server])[0]?.entries.flatMap((entry) =>
      'action' in entry && entry.enabled ? [[entry.label, entry.how]] : [],
    )
  const busy = { id: 'a', name: 'A', status: 'online', players: { online: 3 } } as const
  expect(labels(busy)).toEqual([
    ['Warn players, stop in 1 minute', 'warn'],
    ['Stop now', 'now'],
    ['Warn players, restart in 1 minute', 'warn'],
    ['Restart now', 'now'],
  ])
  expect(labels({ ...busy, role: ['control.stop'] })).toEqual([['Stop now', 'now']])
  expect(labels({ ...busy, players: { online: 0 } })).toEqual([
    ['Stop', 'now'],
    ['Restart', 'now'],
  ])
})

it('counts what is unread, and shows a number that has room', () => {
  expect(model([], 'ready', 0)).toMatchObject({ title: '', unread: 0, tooltip: 'Wheelhouse\nNo servers yet' })
  expect(model([], 'ready', 150)).toMatchObject({ title: '99', unread: 150 })
})

it('stays short, whatever servers there are and are called', () => {
  const many = Array.from({ length: 500 }, (_, at) => ({ id: String(at), name: '&x\n'.repeat(500) }))
  expect(serversIn(many as Server[])).toHaveLength(12)
  const [first] = serversIn(many)
  expect(first?.label).toMatch(/^(&&x ){10,}/)
  expect(first?.label.length).toBeLessThan(80)
  expect(model(many as Server[]).entries).toContainEqual({
    kind: 'place',
    label: '488 more servers…',
    to: '#/',
  })
})

it('lets go of a connection that is gone', () => {
  const known = facts([{ id: 'a', name: 'A', status: 'online' }], 'ready', 3)
  known.take('connections', [])
  expect(trayModel(known, desktopWords('de')).tooltip).toBe('Wheelhouse\nNoch keine Server')
  expect(known.unread).toBe(0)
})
