import type { ComponentProps } from 'svelte'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import type { Player, View } from '../../../contract/bridge/values.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { players as feature } from './index.ts'
import type Players from './Players.svelte'

const room = document.createElement('style')
room.textContent = 'body > div { height: 600px }'

let way: ScriptedBridge
let players: Player[]

const items = <T>(list: T[]): { ok: true; value: View<{ items: T[]; leftOut: []; more: false }> } => ({
  ok: true,
  value: {
    ...{ value: { items: list, leftOut: [], more: false }, asOf: '2026-11-20T10:00:00Z' },
    ...{ stale: false, problem: null },
  },
})

beforeEach(() => {
  document.head.append(room)
  players = []
  way = new ScriptedBridge({
    'view players.list': () => items(players),
    'view players.stats': () => items([]),
  })
  window.panel = way
})

const names = () =>
  page
    .getByRole('row')
    .elements()
    .flatMap((row) => row.querySelector('[role=gridcell]')?.textContent.trim() ?? [])

describe('the list of players, before its tab is shown', () => {
  it('is read with the page of its server, and stands there with the first picture of the tab', async () => {
    players = [{ name: 'Steve' }, { name: 'alex' }]
    const server = new ServerState('c', 's')
    feature.prepare(server)
    await expect.poll(() => way.called.filter(({ name }) => name === 'leave players.list')).toHaveLength(1)
    // Whatever is asked from now on is not answered.
    way.answer('view players.list', () => new Promise(() => {}))
    const { load, props } = feature.part(server)
    const { default: Part } = await load()
    await render(Part, props as ComponentProps<typeof Players>)
    expect(names()).toEqual(['alex', 'Steve'])
  })

  it('is in order before, so that the click does not wait for thousands to be sorted', async () => {
    players = [{ name: 'Steve' }, { name: 'alex' }]
    const { Collator } = Intl
    let made = 0
    class CountingCollator extends Collator {
      constructor(...given: ConstructorParameters<typeof Collator>) {
        super(...given)
        made += 1
      }
    }
    Intl.Collator = CountingCollator as typeof Collator
    onTestFinished(() => void (Intl.Collator = Collator))
    const server = new ServerState('c', 's')
    feature.prepare(server)
    await expect.poll(() => made).toBe(1)
    way.answer('view players.list', () => new Promise(() => {}))
    const { load, props } = feature.part(server)
    const { default: Part } = await load()
    await render(Part, props as ComponentProps<typeof Players>)
    expect(names()).toEqual(['alex', 'Steve'])
    expect(made).toBe(1)
  })

  it('is in the order in which people count', async () => {
    players = ['Builder_10', 'Builder_9', 'builder_2', 'Álvaro'].map((name) => ({ name }))
    const { load, props } = feature.part(new ServerState('c', 's'))
    const { default: Part } = await load()
    await render(Part, props as ComponentProps<typeof Players>)
    await expect.poll(names).toEqual(['Álvaro', 'builder_2', 'Builder_9', 'Builder_10'])
  })
})
