import { describe, expect, it } from 'vitest'
import { presets } from '../../contract/rules/scopes.ts'
import { panel } from '../core/panel.svelte.ts'
import { ScriptedBridge } from '../core/scripted-bridge.fixture.ts'
import type { PaletteEntry } from '../features/feature.ts'
import { bestMatches, paletteEntries } from './palette-entries.ts'

const entry = (name: string, note = '', reason: string | null = null): PaletteEntry => ({
  id: name,
  group: 'servers',
  name,
  note,
  reason,
  choose: () => undefined,
})
const found = (typed: string, ...entries: PaletteEntry[]) =>
  bestMatches(entries, typed).map((one) => one.name)

describe('the palette', () => {
  it('leads to the tabs and sections of settings that somebody is offered at a server', async () => {
    const items = [{ id: 's', name: 'Meadow', role: [...presets.moderator] }]
    window.panel = new ScriptedBridge({
      'view servers.list': () => ({
        ok: true,
        value: {
          ...{ value: { items, leftOut: [], more: false }, asOf: new Date().toISOString() },
          ...{ stale: false, problem: null },
        },
      }),
    })
    panel.take({
      ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
      ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
    })
    await panel.servers('c').read()
    const entries = paletteEntries({ view: 'server', connectionId: 'c', serverId: 's', tab: 'overview' })
    const places = entries.filter(({ id }) => /^(tab|section)-/.test(id)).map(({ name }) => name)
    expect(places).toEqual(['Overview', 'Console', 'Players', 'Settings', 'Access', 'Activity'])
  })

  it('shows everything in its order while nothing is typed', () => {
    expect(found(' ', entry('b'), entry('a'))).toEqual(['b', 'a'])
  })

  it('puts the beginning of a name before the beginning of a word, and that before anywhere', () => {
    expect(found('sky', entry('Whisky'), entry('Old Sky'), entry('Skyblock'))).toEqual([
      'Skyblock',
      'Old Sky',
      'Whisky',
    ])
  })

  it('finds by the note and by letters in order', () => {
    expect(found('hosting', entry('Lobby', 'Online · hosting.example'), entry('Creative'))).toEqual(['Lobby'])
    expect(found('crtv', entry('Creative'), entry('Lobby'))).toEqual(['Creative'])
  })

  it('offers only what can be done now while nothing is typed', () => {
    expect(found('', entry('Start', '', 'It runs already.'), entry('Stop'))).toEqual(['Stop'])
  })

  it('finds a player by what is done with them', () => {
    expect(found('ban ada', entry('Ada', 'Message, kick, ban…'), entry('Bo', 'Message, kick, ban…'))).toEqual(
      ['Ada'],
    )
  })

  it('puts what can be done now before what cannot', () => {
    expect(found('s', entry('Start', '', 'It runs already.'), entry('Stop'))).toEqual(['Stop', 'Start'])
  })
})
