import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import type { Player, PlayerSession, PlayerStats, View } from '../../../contract/bridge/values.ts'
import { LiveView } from '../../core/live-view.svelte.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
import Players from './Players.svelte'
import './sheet/PlayerSheet.svelte'

const room = document.createElement('style')
room.textContent = 'body > div { height: 600px }'

const view = <T>(value: T | null, problem: View<T>['problem'] = null): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: value === null ? null : new Date().toISOString(), stale: false, problem },
})
const broken = { code: 'service-failed', message: '', retryable: true, detail: '' } as const
const failed = (code: 'service-failed' | 'unavailable', detail: string) =>
  view<never>(null, { code, message: '', retryable: false, detail })
const items = <T>(list: T[], left = 0, more: boolean | 'perhaps' = false, unreadable?: string[]) =>
  view({
    items: list,
    leftOut: Array.from({ length: left }, (_, index) => ({ index, path: `items.${index}.name` })),
    more,
    ...(unreadable && { unreadable }),
  })

const steve: Player = { name: 'Steve', uuid: 'u-steve', online: false, op: false, whitelisted: false }
const counted = (name: string, deaths: number): PlayerStats => ({ name, uuid: `u-${name}`, deaths })
const visit = (name: string, day: string): PlayerSession => ({
  ...{ name, uuid: `u-${name}`, joinedAt: `${day}T10:00:00Z`, leftAt: `${day}T11:00:00Z` },
})
let way: ScriptedBridge

beforeEach(() => {
  way = new ScriptedBridge({
    'view servers.read': () => view({ id: 's', name: 'Meadow', role: 'owner' }),
    'view servers.list': () => items([{ id: 's', name: 'Meadow' }]),
    'view servers.status': () => view({ status: 'online' as const }),
    'view players.list': () => items([steve]),
    'view players.stats': () => items<PlayerStats>([]),
    'view players.sessions': () => items<PlayerSession>([]),
    'view players.whitelist': () => view({ enabled: false }),
  })
  window.panel = way
  panel.take({
    ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
    ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
  })
  document.head.append(room)
})
afterEach(async () => {
  room.remove()
  await useLanguage('en')
})

const part = (name: RegExp) => page.getByRole('tab', { name })
const heading = (name: string) => page.getByRole('heading', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })

async function open(): Promise<void> {
  const server = new ServerState('c', 's')
  const list = new LiveView('players.list', { connectionId: 'c', params: { serverId: 's' } })
  await render(Players, { server, view: list })
}

async function openSheet() {
  await open()
  await part(/^Known/).click()
  await page.getByRole('row', { name: /Steve/ }).click()
  await userEvent.keyboard('{Enter}')
  const sheet = page.getByRole('dialog', { name: 'Steve' })
  await expect.element(sheet).toBeVisible()
  return sheet
}

describe('what the players’ page says is so', () => {
  it.each([
    ['en', '1 player couldn’t be read, so they are not shown.'],
    ['de', '1 Spieler konnte nicht gelesen werden und wird nicht angezeigt.'],
  ] as const)('in %s what could not be read are players', async (language, words) => {
    await useLanguage(language)
    way.answer('view players.list', () => items([steve], 1))
    await open()
    await expect.element(page.getByText(words)).toBeVisible()
  })

  it('nobody is said to be on, or banned, where some could not be read or may be missing', async () => {
    way.answer('view players.list', () => items([steve], 2))
    await open()
    await part(/^Online/).click()
    await expect.element(heading('No player can be shown here')).toBeVisible()
    await part(/^Bans/).click()
    await expect.element(heading('No player can be shown here')).toBeVisible()
    expect(page.getByText(/2 players couldn’t be read/).elements().length).toBeGreaterThan(0)
  })

  it('a list that may go on says so, and no more than that', async () => {
    way.answer('view players.list', () => items([steve], 0, 'perhaps'))
    await open()
    await part(/^Known/).click()
    await expect
      .element(page.getByRole('note').getByText('The service may have more players than it showed.'))
      .toBeVisible()
  })

  it('who is on is not known where the service tells of nobody whether they are', async () => {
    way.answer('view players.list', () => items([{ name: 'Steve', uuid: 'u-steve' }]))
    await open()
    await part(/^Online \(–\)/).click()
    await expect.element(heading('This service doesn’t say who is online')).toBeVisible()
    await part(/^Operators/).click()
    await expect.element(heading('This service doesn’t say who is an operator')).toBeVisible()
  })

  const unknown: Player = { ...steve, op: null, whitelisted: null, banned: null }
  it.each([
    [
      'en',
      [unknown],
      'Whitelist',
      'whitelist.json couldn’t be read',
      'Repair or delete the file under Files.',
    ],
    [
      ...(['de', [unknown], 'Whitelist', 'whitelist.json konnte nicht gelesen werden'] as const),
      'Repariere oder lösche die Datei unter „Dateien“.',
    ],
    ['en', [], 'Operators', 'ops.json couldn’t be read', 'Repair or delete the file under Files.'],
    ['en', [], 'Bans', 'banned-players.json couldn’t be read', 'Repair or delete the file under Files.'],
  ] as const)(
    'a list whose file could not be read is not called empty: in %s, of %j, %s',
    async (language, players, name, title, text) => {
      await useLanguage(language)
      way.answer('view players.list', () => items([...players], 0, false, ['whitelist', 'ops', 'bans']))
      await open()
      await part(new RegExp(`^${name} \\(–\\)`)).click()
      await expect.element(heading(title)).toBeVisible()
      await expect.element(page.getByText(text)).toBeVisible()
      await expect.element(page.getByText(/empty|0 players/)).not.toBeInTheDocument()
    },
  )

  it('a partly readable list says that more players may be on it', async () => {
    way.answer('view players.list', () => items([{ ...steve, op: true }], 0, false, ['ops', 'usercache']))
    await open()
    const note = (text: string) => page.getByRole('note').getByText(text)
    await part(/^Operators \(1\)/).click()
    await expect.element(page.getByRole('row', { name: /Steve/ })).toBeVisible()
    await expect
      .element(note('ops.json couldn’t be read completely, so more players may be on this list.'))
      .toBeVisible()
    await part(/^Known/).click()
    await expect
      .element(
        note('ops.json, usercache.json couldn’t be read completely, so players or names may be missing.'),
      )
      .toBeVisible()
    await part(/^Whitelist \(0\)/).click()
    await expect.element(heading('The whitelist is empty')).toBeVisible()
  })

  it('a list that fails is named, and can be asked for again', async () => {
    way.answer('view players.list', () => failed('service-failed', 'players.list'))
    await open()
    await expect.element(heading('The players couldn’t be loaded')).toBeVisible()
    await expect.element(button('Try again')).toBeVisible()
  })

  it('a whitelist that could not be read can be asked for again', async () => {
    way.answer('view players.whitelist', () => failed('service-failed', 'players.whitelist'))
    await open()
    await part(/^Whitelist/).click()
    await expect.element(page.getByText(/It is not known whether the whitelist is on/)).toBeVisible()
    way.answer('view players.whitelist', () => view({ enabled: true }))
    await button('Try again').click()
    await expect
      .element(page.getByRole('status').filter({ hasText: 'Only the players on this list can join.' }))
      .toBeVisible()
  })

  it('a whitelist that was read before, and could not be read since, is said to be old', async () => {
    way.answer('view players.whitelist', () => view({ enabled: true }, broken))
    await open()
    await part(/^Whitelist/).click()
    await expect
      .element(page.getByRole('status').filter({ hasText: 'Only the players on this list can join.' }))
      .toBeVisible()
    await expect.element(page.getByRole('note').getByText(/as of/)).toBeVisible()
    way.answer('view players.whitelist', () => view({ enabled: true }))
    await button('Try again').click()
    await expect.element(page.getByText(/as of/)).not.toBeInTheDocument()
  })
})

describe('what the sheet of a player says is so', () => {
  it('no statistics are shown, and no visit is said to be known, only where the service says so', async () => {
    const sheet = await openSheet()
    await expect.element(sheet).toMatchTextContent(/No visits are known/)
    await expect.element(sheet.getByRole('heading', { name: 'Statistics' })).not.toBeInTheDocument()
  })

  it('statistics and visits that could not be read are named, and can be asked for again', async () => {
    way.answer('view players.stats', () => failed('service-failed', 'players.stats'))
    way.answer('view players.sessions', () => failed('unavailable', 'players.sessions'))
    const sheet = await openSheet()
    await expect.element(sheet).toMatchTextContent(/The statistics couldn’t be loaded/)
    await expect.element(sheet).toMatchTextContent(/does not offer the times players were on/)
    await expect.element(sheet).not.toMatchTextContent(/No visits/)
    way.answer('view players.stats', () => items([counted('steve', 7)]))
    await sheet.getByRole('button', { name: 'Try again' }).click()
    await expect.element(sheet).toMatchTextContent(/Deaths\s*7/)
  })

  it('what is kept of a player, and could not be read since, is said to be old, and never to be nothing', async () => {
    const kept = <T>(list: T[]) => view({ items: list, leftOut: [], more: false as const }, broken)
    way.answer('view players.stats', () => kept<PlayerStats>([]))
    way.answer('view players.sessions', () => kept<PlayerSession>([]))
    const sheet = await openSheet()
    await expect.element(sheet).toMatchTextContent(/The statistics couldn’t be loaded/)
    await expect.element(sheet).toMatchTextContent(/The visits couldn’t be loaded/)
    await expect.element(sheet).not.toMatchTextContent(/No visits/)
    way.answer('view players.stats', () => kept([counted('steve', 7)]))
    way.answer('view players.sessions', () => kept([visit('steve', '2026-11-01')]))
    for (const retry of sheet.getByRole('button', { name: 'Try again' }).elements())
      await userEvent.click(retry)
    await expect.element(sheet).toMatchTextContent(/Deaths\s*7[^]*as of/)
    await expect.element(sheet).toMatchTextContent(/Nov 1, 2026[^]*as of/)
  })

  it('what a service tells of everybody, though it was asked for one, is not taken for theirs', async () => {
    way.answer('view players.stats', () => items([counted('alex', 41), counted('steve', 7)]))
    way.answer('view players.sessions', () =>
      items([visit('alex', '2026-11-02'), visit('steve', '2026-11-01')]),
    )
    const sheet = await openSheet()
    await expect.element(sheet).toMatchTextContent(/Deaths\s*7/)
    await expect.element(sheet).toMatchTextContent(/Nov 1, 2026/)
    await expect.element(sheet).not.toMatchTextContent(/41|Nov 2, 2026/)
  })

  it('visits of others alone, of a service that does not take the question, are not none', async () => {
    way.answer('view players.sessions', () => items([visit('alex', '2026-11-02')]))
    const sheet = await openSheet()
    await expect.element(sheet).toMatchTextContent(/sent nothing readable about this player’s visits/)
    await expect.element(sheet).not.toMatchTextContent(/No visits/)
  })

  it('of an answer that was not read whole nobody says that it holds nothing', async () => {
    way.answer('view players.stats', () => items<PlayerStats>([], 1))
    way.answer('view players.sessions', () => items<PlayerSession>([], 0, 'perhaps'))
    const sheet = await openSheet()
    await expect.element(sheet).toMatchTextContent(/sent nothing readable about this player\./)
    await expect.element(sheet).toMatchTextContent(/sent nothing readable about this player’s visits/)
    await expect.element(sheet).not.toMatchTextContent(/No visits/)
  })
})
