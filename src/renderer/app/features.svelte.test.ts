import { describe, expect, it } from 'vitest'
import { operations } from '../../contract/areas/index.ts'
import type { Connection, Server, View } from '../../contract/bridge/values.ts'
import { presets } from '../../contract/rules/scopes.ts'
import { serverMenu } from '../catalog/servers/server-menu.ts'
import { panel } from '../core/panel.svelte.ts'
import { ScriptedBridge } from '../core/scripted-bridge.fixture.ts'
import { refusalOf } from '../core/servers/place.ts'
import { sections, tabsFor, withTabs } from './features.ts'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
const paper: Server = {
  id: 's',
  name: 'Meadow',
  status: 'offline',
  software: { id: 'paper', version: '1.21' },
}
const tabs = (server: Server, at = connection) =>
  tabsFor({ server, connection: at }).map(({ label }) => label)
const offered = (server: Server, at = connection) =>
  sections
    .filter((section) => refusalOf(section, { server, connection: at }) === null)
    .map(({ section }) => section)

/** What each place is for, by its operation in the contract. */
const purposes: Readonly<Record<string, string>> = {
  console: 'console.history',
  players: 'players.list',
  files: 'files.list',
  extensions: 'extensions.list',
  general: 'servers.read-config',
  properties: 'servers.read-config',
  java: 'servers.read-config',
  // It is a file of the server.
  proxy: 'files.read',
  software: 'software.change',
  backups: 'backups.list',
  schedules: 'schedules.list',
  activity: 'activity.list',
  startup: 'hosting.startup',
  databases: 'hosting.databases',
  ports: 'hosting.ports',
  move: 'files.list',
  danger: 'servers.remove',
}

describe('the places of a server', () => {
  it('are six tabs, the fifth by the name that the software has for it', () => {
    expect(tabs(paper)).toEqual(['Overview', 'Console', 'Players', 'Files', 'Plugins', 'Settings'])
    expect(tabs({ ...paper, software: { id: 'fabric' } })).toContain('Mods')
    expect(tabs({ ...paper, software: null })).toContain('Extensions')
  })

  it('have none for plugins where the software is known to take none', () => {
    expect(tabs({ ...paper, software: { id: 'vanilla' } })).toEqual([
      ...['Overview', 'Console', 'Players', 'Files', 'Settings'],
    ])
  })

  it('take the permission that the contract asks for what they are for', () => {
    for (const place of [...withTabs, ...sections]) {
      const name = 'tab' in place ? place.tab : place.section
      const scope = operations.find(({ id }) => id === purposes[name])?.scope
      expect([name, place.needs]).toEqual([name, scope])
    }
  })

  it('are those that somebody may use', () => {
    const moderator = { ...paper, role: [...presets.moderator] }
    expect(tabs(moderator)).toEqual(['Overview', 'Console', 'Players', 'Settings'])
    expect(offered(moderator)).toEqual(['access', 'activity'])
    const administrator = { ...paper, role: [...presets.administrator] }
    expect(offered(administrator)).toEqual([
      'general',
      'properties',
      'java',
      'software',
      'backups',
      'schedules',
      'access',
      'activity',
      'move',
    ])
    expect(offered({ ...paper, role: 'owner' })).toContain('danger')
  })

  it('are those that the server can have', () => {
    expect(offered(paper, { ...connection, kind: 'local' })).not.toContain('access')
    const velocity = offered({ ...paper, software: { id: 'velocity', proxy: true } })
    expect(velocity).toContain('proxy')
    expect(velocity).not.toContain('properties')
  })

  it('lack what another service turns out not to have, and so does the menu of a server', async () => {
    const problem = { code: 'unavailable', message: 'No.', retryable: false } as const
    const notOffered = { ok: true, value: { value: null, asOf: null, stale: true, problem } } as const
    const way = new ScriptedBridge({
      'view servers.list': () => shown({ items: [paper], leftOut: [], more: false }),
      'view schedules.list': () => notOffered,
      'view backups.list': () => notOffered,
    })
    window.panel = way
    panel.take(connection)
    await panel.servers('c').again()
    let names: string[] = []
    let menu: string[] = []
    const stop = $effect.root(() => {
      $effect(() => {
        names = offered(paper)
        menu = serverMenu({ connectionId: 'c', serverId: 's' }).map(({ label }) => label)
      })
    })
    await expect.poll(() => names).not.toContain('schedules')
    // Its servers can still be copied to this computer.
    expect(names).toContain('backups')
    expect(menu).toContain('Start')
    expect(menu).not.toContain('Back up now')
    // Nothing is asked about this computer, whose service is ours.
    expect(offered(paper, { ...connection, kind: 'local' })).toContain('schedules')
    expect(way.called.filter(({ name }) => name === 'view schedules.list')).toHaveLength(1)
    stop()
  })
})
