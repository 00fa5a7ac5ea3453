import { expect, test } from 'vitest'
import { EXAROTON } from '../../../../contract/rules/hosts.ts'
import type { Connection, Server, ServerList, View } from '../../../../contract/bridge/values.ts'
import type { ProblemData } from '../../../core/bridge.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import { notices } from '../../../ui/feedback/notices.svelte.ts'
import { PowerRun, type RunItem, whyInWords } from './power-run.svelte.ts'
import { costsToStart, several as ofWindow } from './several.svelte.ts'

const connection = {
  ...{ id: 'c', kind: 'service', baseUrl: 'https://a.example/api/v1', state: { kind: 'ready' } },
} as Partial<Connection> as Connection
const problem = (code: ProblemData['code'], more: Partial<ProblemData> = {}): ProblemData => ({
  ...{ code, message: 'said', retryable: true },
  ...more,
})

/** What a service answers for a server; a problem, or null where it takes the action. */
type Answer = () => ProblemData | null | Promise<ProblemData | null>

async function shown(servers: readonly Partial<Server>[], answers: Record<string, Answer> = {}) {
  const sent: string[] = []
  const view: View<ServerList> = {
    value: { items: servers as Server[], leftOut: [], more: false },
    ...{ asOf: '2026-11-22T10:00:00Z', stale: false, problem: null },
  }
  const way = new ScriptedBridge({
    'view servers.list': () => ({ ok: true, value: view }),
    'send servers.power': async ({ params: { serverId } }) => {
      sent.push(serverId)
      const failed = await answers[serverId]?.()
      return failed ? { ok: false, problem: failed } : { ok: true, value: { accepted: true } }
    },
  })
  window.panel = way
  panel.take(connection)
  await panel.servers('c').read()
  let ended = () => undefined as void
  const end = () => new Promise<void>((resolve) => (ended = resolve))
  const run = (action: 'start' | 'stop') =>
    new PowerRun(
      action,
      'now',
      servers.map(({ id = '' }) => ({ connectionId: 'c', serverId: id })),
      () => ended(),
    )
  return { sent, run, end }
}

const offline = (...ids: string[]): Partial<Server>[] =>
  ids.map((id) => ({ id, name: id.toUpperCase(), status: 'offline', role: 'owner' }))
const kinds = ({ items }: PowerRun) => items.map(({ result }) => result.kind)
const why = ({ result }: RunItem) => ('why' in result ? whyInWords('start', result.why) : '')

test('four are under way at a time, and each that ends lets the next one go', async () => {
  const free: (() => void)[] = []
  const held: Answer = () => new Promise((resolve) => free.push(() => resolve(null)))
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  const { sent, run, end } = await shown(offline(...ids), Object.fromEntries(ids.map((id) => [id, held])))
  const several = run('start')
  several.begin()
  expect(sent).toEqual(['a', 'b', 'c', 'd'])
  free[1]?.()
  await expect.poll(() => sent).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(kinds(several)).toEqual(['sending', 'accepted', 'sending', 'sending', 'sending', 'waiting'])
  const ended = end()
  several.cancelRest()
  for (const letGo of free) letGo()
  await ended
  expect(sent).toHaveLength(5)
  expect(kinds(several).at(-1), 'nothing that needs attention').toBe('left-out')
  expect(several.isGoing).toBe(false)
})

test('what one is doing, or the account may not do, leaves it out with the reason', async () => {
  const servers: Partial<Server>[] = [
    ...offline('a'),
    { id: 'b', name: 'B', status: 'online', role: 'owner' },
    { id: 'c', name: 'C', status: 'offline', role: ['control.stop'] as never },
  ]
  const { sent, run, end } = await shown(servers)
  const several = run('start')
  const ended = end()
  several.begin()
  await ended
  expect(sent).toEqual(['a'])
  expect(kinds(several)).toEqual(['accepted', 'left-out', 'left-out'])
  expect(several.items.map(why).slice(1)).toEqual([
    'The server is already running.',
    'Your account lacks the permission control.start.',
  ])
  expect(several.retryable).toBe(0)
})

test('only what is known not to have been sent is called so; only failures are tried again', async () => {
  let isDown = true
  const { sent, run, end } = await shown(offline('unsent', 'refused', 'open', 'panel', 'lost', 'done'), {
    unsent: () => (isDown ? problem('offline', { detail: 'ECONNREFUSED' }) : null),
    refused: () => (isDown ? problem('conflict') : null),
    open: () => problem('offline', { unsure: true }),
    panel: () => problem('offline', { text: { key: 'panel.silent' } }),
    lost: () => problem('internal'),
  })
  const several = run('start')
  let ended = end()
  several.begin()
  await ended
  expect(kinds(several)).toEqual(['not-sent', 'failed', 'unsure', 'unsure', 'unsure', 'accepted'])
  expect(several.items.map(({ result }) => result.kind === 'unsure' && result.sent)).toEqual([
    false,
    false,
    true,
    false,
    false,
    false,
  ])
  isDown = false
  sent.length = 0
  ended = end()
  several.retry()
  await ended
  expect(sent).toEqual(['unsent', 'refused'])
  expect(kinds(several)).toEqual(['accepted', 'accepted', 'unsure', 'unsure', 'unsure', 'accepted'])
})

test('the notice of what ended in the background counts only what needs attention as that', async () => {
  const online = { ...offline('b')[0], status: 'online' as const }
  let free = () => undefined as void
  const held = new Promise<null>((resolve) => (free = () => resolve(null)))
  const { sent } = await shown([...offline('a'), online, ...offline('c')], {
    a: () => held,
    c: () => problem('conflict'),
  })
  const told = () =>
    notices().find(
      ({ text }) => text() === '1 server told to start.' || text() === '0 servers told to start.',
    )
  const begin = async (...ids: string[]) => {
    await ofWindow.begin(
      'start',
      ids.map((serverId) => ({ connectionId: 'c', serverId })),
    )
    ofWindow.close()
  }
  await begin('a', 'b')
  expect(sent).toEqual(['a'])
  free()
  await expect.poll(told).toMatchObject({ tone: 'done' })
  expect(told()?.more?.()).toBe('1 left out.')

  await begin('b', 'c')
  await expect.poll(() => told()?.tone).toBe('warning')
  expect(told()?.more?.()).toBe('1 left out. 1 server needs your attention.')
})

test('a window that is loaded anew says what was told and what was not, and sends the rest when asked', async () => {
  let free = () => undefined as void
  const held = new Promise<null>((resolve) => (free = () => resolve(null)))
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  const { sent } = await shown(offline(...ids), {
    b: () => held,
    c: () => held,
    d: () => held,
    e: () => held,
  })
  await ofWindow.begin(
    'start',
    ids.map((serverId) => ({ connectionId: 'c', serverId })),
  )
  await expect.poll(() => sent).toEqual(['a', 'b', 'c', 'd', 'e'])
  const record = JSON.parse(sessionStorage.getItem('power-of-several') ?? 'null')
  const after = PowerRun.left(record, () => undefined)
  expect(kinds(after)).toEqual(['accepted', 'unsure', 'unsure', 'unsure', 'unsure', 'not-sent'])
  expect(why(after.items[5]!)).toBe('The window was reloaded before it was answered.')
  expect(after.retryable).toBe(1)
  free()
  await expect.poll(() => ofWindow.run?.isGoing).toBe(false)
  expect(sessionStorage.getItem('power-of-several')).toBeNull()
  sent.length = 0
  after.retry()
  await expect.poll(() => sent).toEqual(['f'])
})

test('a window that is loaded anew keeps the reasons there were, what was canceled, and what is tried again', async () => {
  let free = () => undefined as void
  const held = new Promise<null>((resolve) => (free = () => resolve(null)))
  let again = () => undefined as void
  const heldAgain = new Promise<null>((resolve) => (again = () => resolve(null)))
  let isDown = true
  const online = { ...offline('on')[0], status: 'online' as const }
  const ids = ['on', 'bad', 'b', 'c', 'd', 'e', 'last']
  const { sent } = await shown([online, ...offline(...ids.slice(1))], {
    bad: () => (isDown ? problem('conflict', { message: 'Its port is in use.' }) : heldAgain),
    ...Object.fromEntries(['b', 'c', 'd', 'e'].map((id) => [id, () => held])),
  })
  const kept = () => JSON.parse(sessionStorage.getItem('power-of-several') ?? 'null')
  await ofWindow.begin(
    'start',
    ids.map((serverId) => ({ connectionId: 'c', serverId })),
  )
  await expect.poll(() => sent).toEqual(['bad', 'b', 'c', 'd', 'e'])
  ofWindow.run?.cancelRest()
  const before = ofWindow.run?.items.map(why)
  const left = kept()
  const after = PowerRun.left(left, () => undefined)
  expect(kinds(after)).toEqual(['left-out', 'failed', 'unsure', 'unsure', 'unsure', 'unsure', 'left-out'])
  expect(why(after.items[0]!)).toBe('The server is already running.')
  expect(why(after.items[1]!)).toMatch(/Its port is in use/)
  expect(why(after.items[6]!)).toBe('You canceled before it was its turn.')
  expect([0, 1, 6].map((at) => why(after.items[at]!))).toEqual([0, 1, 6].map((at) => before?.[at]))
  free()
  await expect.poll(() => ofWindow.run?.isGoing).toBe(false)

  sessionStorage.setItem('power-of-several', JSON.stringify(left))
  const loaded = new (ofWindow.constructor as new () => typeof ofWindow)()
  loaded.tellLeft()
  expect(kept()).toBeNull()
  isDown = false
  loaded.run?.retry()
  expect(kept()?.items[1].result).toEqual({ kind: 'sending' })
  again()
  await expect.poll(() => loaded.run?.isGoing).toBe(false)
  expect(kept()).toBeNull()
})

test('servers that cost credits are started among others only after that was said', async () => {
  const { sent } = await shown([
    ...offline('a', 'b'),
    { id: 'on', name: 'ON', status: 'online', role: 'owner' },
  ])
  const refs = ['a', 'b', 'on'].map((serverId) => ({ connectionId: 'c', serverId }))
  panel.take({ ...connection, kind: 'host', baseUrl: EXAROTON })
  await ofWindow.begin('start', refs)
  expect(ofWindow.asking).toMatchObject({ action: 'start', servers: refs })
  expect(refs.map(costsToStart)).toEqual([true, true, false])
  ofWindow.close()
  expect(sent).toEqual([])
  await ofWindow.begin('start', refs)
  ofWindow.confirm()
  await expect.poll(() => ofWindow.run?.isGoing).toBe(false)
  expect(sent).toEqual(['a', 'b'])
  await ofWindow.begin('stop', refs)
  expect(ofWindow.asking).toBeNull()
  await expect.poll(() => ofWindow.run?.isGoing).toBe(false)
  panel.take(connection)
})
