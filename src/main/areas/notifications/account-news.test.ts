import { expect, onTestFinished, test } from 'vitest'
import {
  answerJson,
  beginEvents,
  oddService,
  type OddAnswer,
} from '../../../../tests/doubles/services/odd-service.ts'
import type { ReadId } from '../../../contract/areas/index.ts'
import { ApiClient } from '../../api/client.ts'
import { makeDispatcher } from '../../api/requests/transport.ts'
import { type Clock, systemClock } from '../../base/retry.ts'
import { noLog } from '../../logging/log.ts'
import { panelAt } from '../../panel/panel.fixture.ts'
import { AccountNews } from './account-news.ts'

/** A clock on which pauses pass fifty times as fast, and without chance. */
const quickClock: Clock = {
  ...systemClock,
  elapsed: () => systemClock.elapsed() * 50,
  sleep: (ms, signal) => systemClock.sleep(ms / 50, signal),
  random: () => 1,
}

/** News of an account at a service that answers as the test says. */
async function newsAt(routes: Record<string, OddAnswer>) {
  const service = await oddService({
    'GET /users/me': (_request, response) => answerJson(response, { id: 'me' }),
    ...routes,
  })
  const client = new ApiClient({
    baseUrl: service.baseUrl,
    dispatcher: makeDispatcher(),
    token: async () => 'test',
    clock: quickClock,
  })
  const told: { stale: [readonly ReadId[], string | undefined][]; shown: unknown[]; asked: number[] } = {
    stale: [],
    shown: [],
    asked: [],
  }
  /** How often it was waited for as long as at first before it would be asked. */
  let pauses = 0
  let notice = () => {}
  const noticed = (_done?: unknown) => notice()
  const news = new AccountNews({
    client: () => client,
    stale: (reads, serverId) => noticed(void told.stale.push([reads, serverId])),
    read: async () => {
      told.asked.push(quickClock.elapsed())
      noticed()
      return null
    },
    isLookedAt: () => true,
    onNotification: (notification) => noticed(void told.shown.push(notification)),
    log: noLog,
    clock: {
      ...quickClock,
      sleep(ms, signal) {
        if (ms === 5_000) noticed(pauses++)
        return quickClock.sleep(ms, signal)
      },
    },
  })
  onTestFinished(async () => {
    news.stop()
    client.close()
    await service.close()
  })
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      notice = () => condition() && resolve()
      notice()
    })
  return { news, told, until, pauses: () => pauses }
}

/** Streams that the test writes to; `next` is the one that is asked for next, or was and is not taken yet. */
function stream() {
  type Send = ReturnType<typeof beginEvents>
  const begun: Send[] = []
  const waiting: ((send: Send) => void)[] = []
  const route: OddAnswer = (_request, response) => {
    const send = beginEvents(response)
    const taker = waiting.shift()
    if (taker) taker(send)
    else begun.push(send)
  }
  const next = () => {
    const send = begun.shift()
    return send ? Promise.resolve(send) : new Promise<Send>((resolve) => waiting.push(resolve))
  }
  return { route, next }
}

const crash = { id: 'n1', kind: 'crash', title: 'Mine crashed', serverId: 's' }

test('what is pushed makes old what it is about, and is shown once however often it comes', async () => {
  const { route, next } = stream()
  const { told, until, pauses } = await newsAt({ 'GET /users/me/events': route })
  const send = await next()
  send('notification', { unread: 1, notification: crash })
  send('notification', { unread: 1, notification: crash })
  send('servers', {})
  send('scopes', { serverId: 's' })
  await until(() => told.stale.some(([, serverId]) => serverId === 's'))
  const lists = told.stale.flatMap(([reads, serverId]) => (serverId === undefined ? reads : []))
  expect(lists).toEqual(expect.arrayContaining(['notifications.list', 'servers.list', 'access.invitations']))
  const ofServer = told.stale.find(([, serverId]) => serverId === 's')
  expect(ofServer?.[0]).toEqual(expect.arrayContaining(['servers.read', 'files.list', 'access.list']))
  send('notification', { unread: 1, notification: crash })
  send('notification', { unread: 2, notification: { ...crash, id: 'n2' } })
  await until(() => told.shown.length === 2)
  expect(told.shown).toMatchObject([{ id: 'n1', kind: 'crash' }, { id: 'n2' }])
  const [asked, waited] = [told.asked.length, pauses()]
  await until(() => pauses() >= waited + 3)
  expect(told.asked).toHaveLength(asked)
})

test('where there is no stream it is asked for, at intervals that grow', async () => {
  const { told, until } = await newsAt({})
  await until(() => told.asked.length >= 4)
  const pauses = told.asked.slice(1).map((at, place) => at - told.asked[place]!)
  expect(pauses[1]).toBeGreaterThan(pauses[0]!)
  expect(pauses[2]).toBeGreaterThan(pauses[1]!)
})

test('a stream that is refused, or tells nothing that can be read, is asked beside', async () => {
  for (const route of [
    (_request, response) => answerJson(response, { error: { code: 'no' } }, 403),
    (_request, response) => beginEvents(response)('weather', { sun: true }),
    (_request, response) => answerJson(response, {}, 500),
  ] satisfies OddAnswer[]) {
    const { told, until } = await newsAt({ 'GET /users/me/events': route })
    await until(() => told.asked.length >= 2)
    expect(told.shown).toEqual([])
  }
})

test('however much a service tells, and whatever, what follows is done once a second', async () => {
  const { route, next } = stream()
  const { told, until } = await newsAt({ 'GET /users/me/events': route })
  const send = await next()
  const began = quickClock.elapsed()
  for (let at = 0; at < 3000; at++) {
    send('notification', { unread: at, notification: { ...crash, id: `n${at}` } })
    send('scopes', { serverId: `s${at}` })
  }
  send('notification', 'none')
  send('notification', { unread: 'many', notification: { title: 'without an id' } })
  send('notification', { unread: 1, notification: { ...crash, id: 'long', body: 'x'.repeat(70_000) } })
  send('__proto__', {})
  send('scopes', { serverId: 'last' })
  await until(() => told.stale.some(([reads]) => reads.includes('notifications.list')))
  await until(() => told.stale.length > 2)
  const rounds = Math.ceil((quickClock.elapsed() - began) / 1000) + 1
  expect(told.stale.length).toBeLessThanOrEqual(rounds * 102)
  expect(told.shown.length).toBeLessThanOrEqual(rounds * 3)
  expect(told.shown.some((one) => (one as { id: string }).id === 'long')).toBe(false)
})

test('that a sign-in has ended is believed once the service refuses the token', async () => {
  const { route, next } = stream()
  let isSignedIn = true
  let checked = () => {}
  const panel = await panelAt({
    'GET /users/me': (_request, response) => {
      checked()
      return isSignedIn ? answerJson(response, { id: 'u', name: 'Ann' }) : answerJson(response, {}, 401)
    },
    'GET /users/me/events': route,
  })
  const { seen } = panel
  const first = await next()
  const check = new Promise<void>((resolve) => (checked = resolve))
  first('signed-out', {})
  await check
  const again = await next()
  const signedOut = ({ event, value }: (typeof seen)[number]) =>
    event === 'connections' && (value as { state: { kind: string } }[])[0]?.state.kind === 'signed-out'
  expect(seen.some(signedOut)).toBe(false)
  isSignedIn = false
  again('signed-out', {})
  await panel.until('connections', (list) => list[0]?.state.kind === 'signed-out')
})

test('an invitation that arrives is shown without asking anew', async () => {
  const { route, next } = stream()
  const items: object[] = []
  const panel = await panelAt({
    'GET /users/me/events': route,
    'GET /invitations': (_request, response) => answerJson(response, { items }),
    'GET /notifications/me': (_request, response) => answerJson(response, { items: [] }),
  })
  await panel.view('access.invitations', { connectionId: panel.connectionId })
  await panel.until('view', ({ view, now }) => view === 'access.invitations' && now.value !== null)
  const send = await next()
  items.push({ id: 'i', from: 'Ann', server: { id: 's', name: 'Mine' } })
  send('servers', {})
  await panel.until(
    'view',
    ({ view, now }) =>
      view === 'access.invitations' && (now.value as { items: unknown[] } | null)?.items.length === 1,
  )
})
