import { expect, onTestFinished, test } from 'vitest'
import { answerJson, beginEvents, type OddAnswer } from '../../../tests/doubles/services/odd-service.ts'
import type { DesktopChoices } from '../../contract/bridge/desktop-calls.ts'
import type { Settings } from '../../contract/bridge/values.ts'
import { panelAt } from '../panel/panel.fixture.ts'
import type { WindowLink } from '../base/windows.ts'
import type { Alert } from './alerts/alert.ts'
import { Desktop } from './desktop.ts'
import type { TrayModel } from './tray/tray-model.ts'

/** The desktop of a real panel that is signed in at a service, whose servers stand as `status` says. */
async function desktopAt(
  more: Record<string, OddAnswer> = {},
  wish: { lookedAt?: boolean; now?: number } = {},
) {
  const servers = [
    { id: 'a', name: 'Alpha <b>', status: 'starting', players: { online: 0 } as object | null },
  ]
  const powered: unknown[] = []
  let sendNews: ReturnType<typeof beginEvents> | null = null
  const at = await panelAt({
    'GET /servers': (_request, response) => answerJson(response, { items: servers }),
    'GET /notifications/me': (_request, response) =>
      answerJson(response, { items: [{ id: 'n0', kind: 'stop' }] }),
    'GET /notifications/settings': (_request, response) => answerJson(response, {}),
    'GET /users/me/events': (_request, response) => void (sendNews = beginEvents(response)),
    'POST /servers/power/a': (_request, response) => {
      powered.push('a')
      answerJson(response, { accepted: true }, 202)
    },
    ...more,
  })
  const alerts: Alert[] = []
  const trays: TrayModel[] = []
  const choices: DesktopChoices[] = []
  const settings: Settings[] = []
  let notice: (done?: unknown) => void = () => {}
  let attached: WindowLink | null = null
  const desktop = new Desktop({
    panel: {
      ...at.panel,
      attach(link) {
        attached = link
        at.panel.attach(link)
      },
    },
    showAlert: (alert) => notice(void alerts.push(alert)),
    showTray: (model) => notice(void trays.push(model)),
    onChoices: (now) => choices.push(now),
    onSettings: (now) => settings.push(now),
    isLookedAt: () => wish.lookedAt ?? false,
    systemLanguage: () => 'en-US',
    now: () => wish.now ?? Date.now(),
    elapsed: () => performance.now(),
    // What is gathered is let out at once here; how long is gathered has tests of its own.
    after: (_ms, run) => {
      const timer = setImmediate(run)
      return () => clearImmediate(timer)
    },
  })
  onTestFinished(() => desktop.stop())
  await desktop.start()
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      notice = () => condition() && resolve()
      notice()
    })
  await until(() => trays.at(-1)?.tooltip.includes('1 of 1') === true && trays.at(-1)?.unread === 1)
  const refresh = () => at.view('servers.list', { connectionId: at.connectionId }, true)
  const link = () => attached!
  return {
    ...at,
    link,
    desktop,
    alerts,
    trays,
    choices,
    settings,
    until,
    servers,
    powered,
    refresh,
    news: () => sendNews,
  }
}

test('a start that finished and a crash are told, and lead to their places', async () => {
  const { alerts, until, servers, refresh, connectionId } = await desktopAt()
  servers[0]!.status = 'online'
  await refresh()
  await until(() => alerts.length === 1)
  expect(alerts[0]).toMatchObject({
    title: 'Alpha <b> has started',
    to: `#/c/${connectionId}/s/a/overview`,
  })
  servers[0]!.status = 'crashed'
  servers[0]!.players = null
  await refresh()
  await until(() => alerts.length === 2)
  expect(alerts[1]).toMatchObject({ title: 'Alpha <b> crashed', to: `#/c/${connectionId}/s/a/console` })
})

test('players are told only where somebody chose that, and nothing while a window is in front', async () => {
  const { alerts, until, servers, refresh, call } = await desktopAt()
  servers[0]!.status = 'online'
  await refresh()
  await until(() => alerts.length === 1)
  servers[0]!.players = { online: 1 }
  await refresh()
  // In a browser it cannot be chosen, which this panel is.
  await expect(call('desktop.choose', { alerts: { joined: true } })).rejects.toMatchObject({
    problem: { code: 'unavailable' },
  })
  expect(alerts).toHaveLength(1)

  const inFront = await desktopAt({}, { lookedAt: true })
  inFront.servers[0]!.status = 'crashed'
  await inFront.refresh()
  await inFront.until(() => inFront.trays.at(-1)?.tooltip.includes('1 crashed') === true)
  expect(inFront.alerts).toEqual([])
})

test('what an account muted, and its quiet hours, hold for the system too', async () => {
  const always = { begins: '00:00', ends: '24:00', timeZone: 'UTC' }
  for (const rules of [{ mutedServers: ['a'] }, { mutedKinds: ['crash'] }, { quietHours: always }]) {
    const { alerts, trays, until, servers, refresh } = await desktopAt({
      'GET /notifications/settings': (_request, response) => answerJson(response, rules),
    })
    servers[0]!.status = 'crashed'
    await refresh()
    await until(() => trays.at(-1)?.tooltip.includes('1 crashed') === true)
    expect(alerts).toEqual([])
  }
})

test('what happens before the mutes of an account were read waits for them', async () => {
  for (const [rules, titles] of [
    [{ mutedKinds: ['crash'] }, []],
    [{}, ['Alpha <b> crashed']],
    [null, ['Alpha <b> crashed']],
  ] as const) {
    const answer = Promise.withResolvers<void>()
    const { alerts, trays, until, servers, refresh, view, connectionId } = await desktopAt({
      'GET /notifications/settings': (_request, response) =>
        void answer.promise.then(() => answerJson(response, rules ?? {}, rules ? 200 : 404)),
    })
    servers[0]!.status = 'crashed'
    await refresh()
    await until(() => trays.at(-1)?.tooltip.includes('1 crashed') === true)
    expect(alerts).toEqual([])
    answer.resolve()
    await view('notifications.settings', { connectionId }, true)
    await until(() => alerts.length === titles.length)
    expect(alerts.map(({ title }) => title)).toEqual(titles)
  }
})

test('where somebody chose it, players who join and leave are told, added up and not when muted', async () => {
  for (const [mutedServers, titles] of [
    [[], ['2 players joined Alpha <b>', 'Eva left Alpha <b>']],
    [['a'], []],
  ] as const) {
    const { link, alerts, until, servers, refresh, choices } = await desktopAt({
      'GET /notifications/settings': (_request, response) => answerJson(response, { mutedServers }),
      'GET /servers/players/a': (_request, response) =>
        answerJson(response, {
          items: [
            { name: 'Ann', online: true, onlineSince: new Date().toISOString() },
            { name: 'Eva', online: false, lastSeen: new Date().toISOString() },
          ],
        }),
    })
    servers[0]!.status = 'online'
    const now = choices.at(-1)!
    link().send('desktop', {
      ...now,
      alerts: { ...now.alerts, started: false, joined: true, left: true },
    })
    await refresh()
    for (const online of [2, 1]) {
      servers[0]!.players = { online }
      await refresh()
    }
    await until(() => alerts.length === titles.length)
    expect(alerts.map(({ title }) => title)).toEqual(titles)
    if (alerts[1]) expect(alerts[1].body).toBe('1 player is online.')
  }
})

test('a notification that is pushed is told in plain text of a few words', async () => {
  const { alerts, until, news, connectionId } = await desktopAt()
  await until(() => news() !== null)
  const send = news()!
  const said = { title: 'Disk\nnearly full\u202e', body: 'x'.repeat(5000) }
  send('notification', { unread: 2, notification: { id: 'd', kind: 'disk', serverId: 'a', ...said } })
  await until(() => alerts.length === 1)
  expect(alerts[0]).toMatchObject({ title: 'Disk nearly full', to: `#/c/${connectionId}/s/a/files` })
  expect(alerts[0]?.body.length).toBeLessThanOrEqual(200)
})

test('the tray sends power, and tells what was not possible', async () => {
  const { desktop, powered, connectionId, alerts, until, routes } = await desktopAt()
  const server = { connectionId, serverId: 'a' }
  await desktop.power(server, 'start', 'now')
  expect(powered).toEqual(['a'])
  expect(alerts).toEqual([])
  routes['POST /servers/power/a'] = (_request, response) =>
    answerJson(response, { error: { code: 'no', message: 'It is being installed.' } }, 409)
  await desktop.power(server, 'stop', 'now')
  await until(() => alerts.length === 1)
  expect(alerts[0]).toMatchObject({ title: 'Alpha <b> did not do that', body: 'It is being installed.' })
})

test('what is unread is counted, and choices are told at the start', async () => {
  const { trays, choices } = await desktopAt()
  expect(trays.at(-1)).toMatchObject({ unread: 1, title: '1' })
  expect(choices).toEqual([
    {
      tray: false,
      autostart: false,
      keepServers: false,
      alerts: { service: true, started: true, joined: false, left: false, transfers: true, update: true },
    },
  ])
})

test('an update that is ready is told once', async () => {
  const { desktop, link, alerts, until } = await desktopAt()
  const update = { version: '1.2.0', notes: '', releasedAt: null, size: null }
  for (const kind of ['available', 'ready', 'ready'] as const)
    link().send('updates', {
      ...{ version: '1.1.0', channel: 'stable', automatic: true, checkedAt: null },
      state: kind === 'ready' ? { kind, update, installs: 'on-quit' } : { kind, update },
    })
  await until(() => alerts.length === 1)
  desktop.stop()
  expect(alerts).toHaveLength(1)
  expect(alerts[0]).toMatchObject({ title: 'Wheelhouse 1.2.0 is ready to install', to: '#/settings' })
})

test('what a person chose for all that is shown is told at the start, and when it changes', async () => {
  const { settings, call } = await desktopAt()
  expect(settings).toMatchObject([{ language: 'system', theme: 'system' }])
  await call('settings.change', { language: 'de' })
  expect(settings.at(-1)).toMatchObject({ language: 'de' })
})

test('an update that is ready within quiet hours is told when they are over, unless it was withdrawn', async () => {
  const hours = { begins: '22:00', ends: '07:00', timeZone: 'UTC' }
  const wish = { now: Date.UTC(2026, 0, 1, 23) }
  const { alerts, until, link, view, connectionId } = await desktopAt(
    { 'GET /notifications/settings': (_request, response) => answerJson(response, { quietHours: hours }) },
    wish,
  )
  const send = (version: string | null) => {
    const update = { version: version ?? '', notes: '', releasedAt: null, size: null }
    const state = version
      ? { kind: 'ready' as const, update, installs: 'on-quit' as const }
      : { kind: 'current' as const }
    link().send('updates', { channel: 'stable', chosen: false, checkedAt: null, state } as never)
  }
  await view('notifications.settings', { connectionId }, true)
  send('1.1.0')
  send(null)
  send('1.2.0')
  // What it looks at again, it looks at each turn here.
  await new Promise((resolve) => setImmediate(resolve))
  expect(alerts).toEqual([])
  wish.now = Date.UTC(2026, 0, 2, 7)
  await until(() => alerts.length === 1)
  expect(alerts[0]?.title).toBe('Wheelhouse 1.2.0 is ready to install')
})

test('in a browser there are no windows of our own to move something into', async () => {
  const { call } = await desktopAt()
  for (const name of ['desktop.tear-off', 'desktop.put-back'] as const)
    await expect(call(name, undefined)).rejects.toMatchObject({ problem: { code: 'unavailable' } })
})

test('where no more windows open, moving something into one of its own says so', async () => {
  const { panel, link } = await desktopAt()
  let isRoom = true
  const several = { tearOff: () => isRoom, putBack: () => undefined }
  const window: WindowLink = { ...link(), several }
  expect(await panel.call('desktop.tear-off', undefined, window)).toMatchObject({ ok: true })
  isRoom = false
  expect(await panel.call('desktop.tear-off', undefined, window)).toMatchObject({
    problem: { message: 'You have 8 further windows open already. Close one of them first.' },
  })
})
