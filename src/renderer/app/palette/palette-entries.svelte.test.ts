import { describe, expect, it } from 'vitest'
import type { Player, Server, ServerConfig } from '../../../contract/bridge/values.ts'
import { presets } from '../../../contract/rules/scopes.ts'
import { panel } from '../../core/panel.svelte.ts'
import type { Route } from '../../core/routes/route.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import type { PaletteEntry } from '../../catalog/palette-entry.ts'
import { sections, tabsFor } from '../features.ts'
import { bestMatches, paletteEntries, serverAt } from './palette-entries.ts'
import { ServerThings } from './server-things.svelte.ts'

const entry = (name: string, more: Partial<PaletteEntry> = {}): PaletteEntry => ({
  ...{ id: name, group: 'servers', name, choose: () => undefined },
  ...more,
})
const found = (typed: string, ...entries: PaletteEntry[]) =>
  bestMatches(entries, typed).entries.map((one) => one.name)

const answer = <T>(value: T) => ({
  ok: true as const,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
const at: Route = { view: 'server', connectionId: 'c', serverId: 's', tab: 'overview' }
const players: Player[] = [
  { name: 'Ada', online: true, op: false, whitelisted: true, banned: null },
  { name: 'Bo', online: false, op: true, whitelisted: true, banned: null },
]
const properties: ServerConfig['properties'] = [{ key: 'difficulty', type: 'choice', value: 'hard' }]
const files = [
  { name: 'server.properties', kind: 'file' as const },
  { name: 'world', kind: 'folder' as const },
]

/** A server of a service, and what the palette finds at it. */
async function serverOf(role: Server['role']) {
  const server = { id: 's', name: 'Meadow', status: 'online' as const, role, software: { id: 'paper' } }
  window.panel = new ScriptedBridge({
    'view servers.list': () => answer({ items: [server], leftOut: [], more: false }),
    'view servers.read': () => answer(server),
    'view servers.status': () => answer({ status: 'online' as const }),
    'view players.list': () => answer({ items: players, leftOut: [], more: false }),
    'view servers.read-config': () => answer({ name: 'Meadow', properties }),
    'view files.list': () => answer({ items: files, leftOut: [], more: false }),
  })
  panel.take({
    ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
    ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
  })
  await panel.servers('c').read()
  let things!: ServerThings
  const end = $effect.root(() => {
    things = new ServerThings(serverAt(at)!)
    $effect(() => void [things.players, things.properties, things.files, things.acts.reason('kick', players)])
  })
  await expect
    .poll(() => [things.players.length, things.files.length])
    .toEqual(role === 'owner' ? [2, 2] : [2, 0])
  const names = (typed: string) =>
    bestMatches(paletteEntries(at, { tabsFor, sections }, things, typed), typed).entries.map(
      ({ name }) => name,
    )
  return { things, names, end }
}

describe('the palette at a server', () => {
  it('leads to the tabs and sections of settings that somebody is offered there', async () => {
    const { things, end } = await serverOf([...presets.moderator])
    const places = paletteEntries(at, { tabsFor, sections }, things, '').filter(({ id }) =>
      /^(tab|section)-/.test(id),
    )
    expect(places.map(({ name }) => name)).toEqual([
      ...['Overview', 'Console', 'Players', 'Settings', 'Access', 'Activity'],
    ])
    expect(places[2]?.keys).toBe('Alt 3')
    end()
  })

  it('finds what is done with a player, a setting by its name, a file, and power by the name of a server', async () => {
    const { names, end } = await serverOf('owner')
    expect(names('ban ada')[0]).toBe('Ban Ada…')
    expect(names('op ada')[0]).toBe('Make Ada an operator')
    expect(names('deop bo')[0]).toBe('Remove Bo as operator')
    expect(names('difficulty')[0]).toBe('Difficulty')
    expect(names('server.properties')[0]).toBe('server.properties')
    expect(names('restart meadow')[0]).toBe('Restart Meadow')
    expect(names('start meadow')).not.toContain('Start Meadow')
    end()
  })

  it('offers no files and no settings to whom they are not open', async () => {
    const { names, end } = await serverOf([...presets.moderator])
    expect(names('server.properties')).not.toContain('server.properties')
    expect(names('difficulty')).not.toContain('Difficulty')
    end()
  })
})

describe('what fits', () => {
  it('is everything in its order while nothing is typed', () => {
    expect(found(' ', entry('b'), entry('a'))).toEqual(['b', 'a'])
  })

  it('has the beginning of a name before the beginning of a word, and that before anywhere', () => {
    const [whisky, old, block] = [entry('Whisky'), entry('Old Sky'), entry('Skyblock')]
    expect(found('sky', whisky, old, block)).toEqual(['Skyblock', 'Old Sky', 'Whisky'])
  })

  it('is found by the note, and by letters in order if nothing else fits', () => {
    const lobby = entry('Lobby', { note: 'Online · hosting.example' })
    expect(found('hosting', lobby, entry('Creative'))).toEqual(['Lobby'])
    expect(found('crtv', entry('Creative'), lobby)).toEqual(['Creative'])
    expect(found('crtv', entry('Creative'), entry('crtv'))).toEqual(['crtv'])
  })

  it('is only what can be done now while nothing is typed', () => {
    expect(found('', entry('Start', { reason: 'It runs already.' }), entry('Stop'))).toEqual(['Stop'])
  })

  it('has what can be done now first, and chooses nothing that cannot', () => {
    const start = entry('Start', { reason: 'It runs already.' })
    expect(bestMatches([start, entry('Stop')], 'st')).toMatchObject({
      entries: [{ name: 'Stop' }, start],
      first: 0,
    })
    expect(bestMatches([start], 'st').first).toBe(-1)
  })

  it('does nothing else on Enter where its very name cannot be done', () => {
    const start = entry('Start', { reason: 'It runs already.' })
    const matches = bestMatches([entry('Restart'), start], 'start')
    expect(matches).toMatchObject({ entries: [start, { name: 'Restart' }], first: -1 })
  })
})
