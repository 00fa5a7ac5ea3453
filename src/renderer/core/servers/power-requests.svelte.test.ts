import { expect, test } from 'vitest'
import type { Server } from '../../../contract/bridge/values.ts'
import { panel } from '../panel.svelte.ts'
import { ScriptedBridge } from '../scripted-bridge.fixture.ts'
import { requestPower } from './power-requests.ts'
import { powerQuestion } from './power-question.svelte.ts'

const ref = { connectionId: 'c', serverId: 's' }
const busy = { id: 's', name: 'Survival', status: 'online', players: { online: 6 }, role: 'owner' } as Server

function bridge(): { asked: () => unknown[] } {
  const way = new ScriptedBridge({
    'send servers.power': () => ({ ok: true, value: { accepted: true } }),
    'servers.begin-countdown': () => ({ ok: true, value: undefined }),
    'settings.change': (change) => ({
      ok: true,
      value: { theme: 'system', language: 'en', timestamps: false, playersOn: 'ask', ...change },
    }),
  })
  window.panel = way
  return { asked: () => way.called.map(({ name }) => name) }
}

test('nobody is disconnected before the question is answered', async () => {
  const { asked } = bridge()
  const stopping = requestPower(ref, 'stop', busy)
  expect(powerQuestion()).toMatchObject({ action: 'stop', names: ['Survival'], players: 6, mayWarn: true })
  expect(asked()).toEqual([])
  powerQuestion()?.answer(null)
  await stopping
  expect(asked()).toEqual([])
  expect(powerQuestion()).toBeNull()
})

test('warns first, or acts now, as answered', async () => {
  const { asked } = bridge()
  const restarting = requestPower(ref, 'restart', busy)
  powerQuestion()?.answer('warn')
  await restarting
  const stopping = requestPower(ref, 'stop', busy)
  powerQuestion()?.answer('now')
  await stopping
  expect(asked()).toEqual(['servers.begin-countdown', 'send servers.power'])
})

test('asks no more once the choice is remembered, unless players cannot be warned', async () => {
  const { asked } = bridge()
  await panel.change({ playersOn: 'warn' })
  await requestPower(ref, 'stop', busy)
  expect(asked()).toEqual(['settings.change', 'servers.begin-countdown'])
  const stopping = requestPower(ref, 'stop', { ...busy, role: ['control.stop'] })
  expect(powerQuestion()).toMatchObject({ mayWarn: false })
  powerQuestion()?.answer(null)
  await stopping
  await panel.change({ playersOn: 'ask' })
})

test('asks nothing where nobody is on', async () => {
  const { asked } = bridge()
  await requestPower(ref, 'stop', { ...busy, players: { online: 0 } })
  await requestPower(ref, 'start', { ...busy, status: 'offline', players: null })
  expect(asked()).toEqual(['send servers.power', 'send servers.power'])
})
