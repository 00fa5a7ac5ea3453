import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import type { Schedule } from '../../../contract/areas/schedule-values.ts'
import type { Connection, Server, View } from '../../../contract/bridge/values.ts'
import { presets } from '../../../contract/rules/scopes.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import { cronOf, plainTime } from './text/plain-times.ts'
import { here, sentenceOf } from './text/schedule-words.ts'
import Schedules from './Schedules.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
const items = <T>(list: T[]) => shown({ items: list, leftOut: [], more: false as const })

const nightly: Schedule = {
  ...{ id: 'n', name: 'Nightly', enabled: true, missed: 'skip' },
  when: { cron: '0 5 * * *', timeZone: here() },
  only: { players: 'none' },
  steps: [{ kind: 'power', power: 'restart', onFailure: 'stop' }],
}

let way: ScriptedBridge
let all: Schedule[]
let role: Server['role']
let steps: string[]

beforeEach(() => {
  all = [nightly]
  role = 'owner'
  steps = ['command', 'message', 'power', 'wait']
  way = new ScriptedBridge({
    'view servers.read': () => shown({ id: 's', name: 'Meadow', role }),
    'view servers.list': () => items([{ id: 's', name: 'Meadow' }]),
    'view servers.status': () => shown({ status: 'offline' as const }),
    'view schedules.list': () => items(all),
    'view schedules.kinds': () => shown({ steps: steps as never, events: ['online', 'empty', 'players'] }),
    'view schedules.times': () => shown({ times: ['2026-01-01T05:00:00Z', '2026-01-02T05:00:00Z'] }),
    'view schedules.runs': () =>
      items([
        {
          ...{ id: '1', state: 'failed' as const, at: '2026-01-01T05:00:00Z', missed: null },
          steps: [
            {
              kind: 'power' as const,
              result: 'failed' as const,
              error: { code: 'schedules.ended', message: 'The server did not come online.' },
            },
          ],
        },
      ]),
    'send schedules.create': () => ({ ok: true, value: nightly }),
    'send schedules.change': () => ({ ok: true, value: nightly }),
    'send schedules.remove': () => ({ ok: true, value: undefined }),
    'send schedules.run': () => ({ ok: true, value: { id: '2', state: 'waiting' } }),
  })
  window.panel = way
  panel.take(connection)
})
afterEach(() => {
  for (const notice of notices()) dismiss(notice.id)
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const sent = (name: string) =>
  way.called
    .filter((one) => one.name === `send ${name}`)
    .map(({ input }) => (input as { body: unknown }).body)
const open = () => render(Schedules, { server: new ServerState('c', 's') })
async function choose(menu: string, item: string): Promise<void> {
  await button(menu).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

it('says each schedule in a sentence', () => {
  expect(sentenceOf(nightly)).toBe('Every day at 5:00 AM, if nobody is on: restart')
  expect(
    sentenceOf({
      when: { event: 'empty', minutes: 15 },
      steps: [
        { kind: 'message', text: 'Bye', countdown: 300 },
        { kind: 'command', command: 'save-all' },
        { kind: 'wait', seconds: 90 },
        { kind: 'power', power: 'stop' },
        { kind: 'backup' },
      ],
    }),
  ).toBe(
    'When nobody has been on for 15 minutes: warn players 5 min ahead, run “save-all”, wait 1 min 30 sec, stop, 1 more step',
  )
  const tokyo = { cron: '0 5 * * 1', timeZone: 'Asia/Tokyo' }
  expect(sentenceOf({ ...nightly, only: null, when: tokyo })).toBe(
    'Every Monday at 5:00 AM (Asia/Tokyo): restart',
  )
  expect(sentenceOf({ ...nightly, only: null, when: { cron: '5 4 1 * *' } })).toBe(
    'By cron 5 4 1 * * (the host’s time zone): restart',
  )
  expect(sentenceOf({ ...nightly, when: { event: { kind: 'unknown', raw: 'moon' } } })).toMatch(/^moon, /)
})

it.each(['0 5 * * *', '30 14 * * 1-5', '5 0 * * 0', '0 * * * *', '0 */6 * * *'])(
  '%s is a plain time',
  (cron) => {
    expect(cronOf(plainTime(cron)!)).toBe(cron)
  },
)

it.each(['0 5 1 * *', '*/5 * * * *', '0 25 * * *', '0 */5 * * *', 'constructor'])('%s is not', (cron) => {
  expect(plainTime(cron)).toBeNull()
})

it('writes a nightly restart with warning from its template', async () => {
  all = []
  await open()
  await expect.element(page.getByText('No schedules yet')).toBeVisible()
  await choose('New schedule', 'Nightly restart')
  await expect.element(dialog()).toMatchTextContent(/Next runs: Thu, Jan 1, /)
  await button('Save').click()
  await expect.poll(() => sent('schedules.create')).toHaveLength(1)
  expect(sent('schedules.create')[0]).toEqual({
    ...{ name: 'Nightly restart', enabled: true, missed: 'skip', only: { online: true } },
    when: { cron: '0 5 * * *', timeZone: here() },
    steps: [
      {
        ...{ kind: 'message', onFailure: 'continue', countdown: 300, language: 'en' },
        text: 'The server restarts in {time}.',
      },
      { kind: 'power', onFailure: 'stop', power: 'restart' },
    ],
  })
})

it('offers no step, event or template that the service or the person cannot', async () => {
  role = [...presets.viewer, 'schedules.read', 'schedules.write', 'control.stop']
  all = []
  await open()
  await button('New schedule').click()
  const menu = () =>
    page
      .getByRole('menuitem')
      .elements()
      .map((one) => one.textContent.trim())
  await expect.poll(menu).toEqual(['Stop when empty', 'Start from scratch'])
  await page.getByRole('menuitem', { name: 'Start from scratch' }).click()
  const choices = [...(page.getByLabelText('Add step').element() as HTMLSelectElement).options]
  expect(choices.map(({ text }) => text)).toEqual(['Add step', 'Start, stop or restart', 'Wait'])
  expect(
    [...(page.getByLabelText('When').element() as HTMLSelectElement).options].map(({ text }) => text),
  ).not.toContain('When a backup fails')
})

it('changes when, only if and what it does, and says what is missing at its field', async () => {
  await open()
  await choose('More for Nightly', 'Edit…')
  await page.getByLabelText('When').selectOptions('On weekdays')
  await page.getByLabelText('Time', { exact: true }).fill('06:30')
  await page.getByLabelText('Players').selectOptions('Somebody is on')
  await page.getByLabelText('Add step').selectOptions('Say in the chat')
  await page.getByLabelText('Message').fill('Soon')
  await page.getByLabelText('Countdown').selectOptions('1 min')
  await button('Save').click()
  await expect.element(page.getByText('Put {time} where the remaining time belongs.')).toBeVisible()
  await page.getByLabelText('Message').fill('In {time}')
  await button('Move step 2 up').click()
  await button('Save').click()
  await expect.poll(() => sent('schedules.change')).toHaveLength(1)
  expect(sent('schedules.change')[0]).toMatchObject({
    when: { cron: '30 6 * * 1-5', timeZone: here() },
    only: { players: 'some' },
    steps: [{ kind: 'message', countdown: 60 }, { kind: 'power' }],
  })
})

it('names no time zone for schedules of a host that tells none, and asks only for what it can have', async () => {
  panel.take({ ...connection, baseUrl: 'https://panel.example/api/client' })
  steps = ['command', 'power', 'wait', 'backup']
  all = [{ ...nightly, when: { cron: '0 5 * * *' }, only: { online: true } }]
  await open()
  await expect
    .element(page.getByText('Every day at 5:00 AM (the host’s time zone), if the server is online: restart'))
    .toBeVisible()
  await choose('More for Nightly', 'Edit…')
  await expect.element(dialog()).toMatchTextContent(/In the host’s time zone\./)
  await page.getByText('Advanced').click()
  await expect.element(page.getByLabelText('Cron expression')).toBeVisible()
  for (const label of ['Time zone', 'Players', 'If the service was off at the time'])
    expect(page.getByLabelText(label).query()).toBeNull()
  await page.getByLabelText('Name').fill('Every night')
  await button('Save').click()
  await expect
    .poll(() => sent('schedules.change'))
    .toMatchObject([{ name: 'Every night', only: { online: true } }])
  expect(sent('schedules.change')[0]).toHaveProperty('when', { cron: '0 5 * * *' })
})

it('shows what cron is refused for at its field, under Advanced', async () => {
  const message = '"x" is not a cron expression'
  way.answer('send schedules.change', () => ({
    ok: false,
    problem: { code: 'invalid', message, retryable: false, fields: { 'when.cron': [message] } },
  }))
  await open()
  await choose('More for Nightly', 'Edit…')
  await page.getByText('Advanced').click()
  await page.getByLabelText('Cron expression').fill('x')
  expect(page.getByLabelText('When').query()).toBeNull()
  await button('Save').click()
  await expect.element(page.getByLabelText('Cron expression')).toHaveAccessibleDescription(message)
})

it('runs one now, turns it off, shows its runs and deletes it', async () => {
  await open()
  await button('Run Nightly now').click()
  await expect.poll(() => notices().map(({ text }) => text())).toContain('Nightly is running.')
  await page.getByRole('switch', { name: 'Nightly is on' }).click()
  await expect.poll(() => sent('schedules.change')).toEqual([{ enabled: false }])
  await choose('More for Nightly', 'Runs')
  await expect
    .element(dialog())
    .toMatchTextContent(/failed.*restart: failed.*The server did not come online\./)
  await dialog().getByRole('button', { name: 'Close' }).click()
  await choose('More for Nightly', 'Delete…')
  await dialog().getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(() => sent('schedules.remove')).toHaveLength(1)
})

it('says why one is paused, and lets who holds what its steps need take it over', async () => {
  const why = 'Ben no longer has access to this server.'
  all = [{ ...nightly, enabled: false, paused: { code: 'schedules.paused', message: why } }]
  await open()
  await expect
    .element(page.getByRole('note'))
    .toHaveTextContent(`Paused: ${why} Turn it on to run it in your name.`)
  await expect.element(page.getByRole('switch')).toBeEnabled()
})

it('shows a reader what there is, and nothing to change', async () => {
  role = [...presets.operator]
  await open()
  await expect.element(page.getByText('Every day at 5:00 AM, if nobody is on: restart')).toBeVisible()
  expect(page.getByRole('switch').query()).toBeNull()
  expect(button('New schedule').query()).toBeNull()
  await button('More for Nightly').click()
  await expect.element(page.getByRole('menuitem')).toHaveTextContent('Runs')
})

it.each<[string, Partial<Schedule>]>([
  ['times that are none', { only: { between: { begins: 'soon', ends: '99:99', timeZone: 'Moon/Base' } } }],
  [
    'numbers that are too large',
    {
      steps: [
        { kind: 'wait', seconds: 1e300, onFailure: 'stop' },
        { kind: 'message', countdown: 2 ** 53, onFailure: 'stop' },
      ] as never,
    },
  ],
  [
    'a rule without steps, of a clock that is none',
    { when: { cron: '-1449800004', timeZone: '1377340121', minutes: 310961958 }, steps: [] },
  ],
  [
    'what is not known',
    {
      when: { event: { kind: 'unknown', raw: 'full-moon' } } as never,
      steps: [{ kind: { kind: 'unknown', raw: 'dance' } }] as never,
      last: { id: 'x', state: { kind: 'unknown', raw: 'zz' }, at: '2002-07-12T22:54:13.000Z' } as never,
    },
  ],
  [
    'nothing but a name',
    { enabled: undefined, missed: undefined, when: {}, only: null, steps: [], last: {} as never },
  ],
])('a rule of another service is drawn: %s', async (_what, more) => {
  all = [{ ...nightly, name: 'Theirs', ...more }]
  await open()
  await expect.element(page.getByText('Theirs', { exact: true })).toBeVisible()
})
