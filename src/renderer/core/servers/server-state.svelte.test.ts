import { expect, it } from 'vitest'
import { ScriptedBridge } from '../scripted-bridge.fixture.ts'
import { ServerState } from './server-state.svelte.ts'

it('a server that is tried again is asked of the service itself, whatever main remembers', async () => {
  const nothing = { ok: true as const, value: { value: null, asOf: null, stale: true, problem: null } }
  const way = new ScriptedBridge({ 'view servers.read': () => nothing, 'view servers.status': () => nothing })
  window.panel = way
  await new ServerState('c', 's').again()
  const asked = way.called.filter(({ name }) => name.startsWith('view '))
  const input = { connectionId: 'c', params: { serverId: 's' }, again: true }
  expect(asked).toEqual([
    { name: 'view servers.read', input },
    { name: 'view servers.status', input },
  ])
})
