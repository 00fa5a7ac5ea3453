import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Problem } from '../../contract/bridge/problem.ts'
import type { Server, ServerList, View } from '../../contract/bridge/values.ts'
import { LiveView } from './live-view.svelte.ts'
import { ScriptedBridge } from './scripted-bridge.fixture.ts'

const input = { connectionId: 'c' }
const named = { view: 'servers.list' as const, ...input, params: {}, query: {} }
const server = (name: string): Server => ({ id: name, name })
const listOf = (...names: string[]): ServerList => ({ items: names.map(server), leftOut: [], more: false })
const fresh = (value: ServerList): View<ServerList> => ({
  value,
  asOf: '2026-11-20T10:00:00Z',
  stale: false,
  problem: null,
})
const offline: Problem = { code: 'offline', message: 'Nothing answers.', retryable: true }

let way: ScriptedBridge
let answer: () => ReturnType<
  NonNullable<ConstructorParameters<typeof ScriptedBridge>[0]['view servers.list']>
>
let seen: string[]
let stop: () => void

/** Reads a view as something on the screen would, and notes every state it was seen in. */
function show(view: LiveView<'servers.list'>): void {
  stop = $effect.root(() => {
    $effect(() => {
      const names = view.value?.items.map((one) => one.name).join(',') ?? '-'
      seen.push(`${view.kind}:${names}`)
    })
  })
  flushSync()
}

beforeEach(() => {
  answer = () => ({ ok: true, value: fresh(listOf('a')) })
  way = new ScriptedBridge({ 'view servers.list': () => answer() })
  window.panel = way
  seen = []
  stop = () => undefined
})
afterEach(() => stop())

describe('a live view', () => {
  it('asks nothing until something shows it', () => {
    new LiveView('servers.list', input)
    expect(way.called).toEqual([])
  })

  it('is read before something shows it, and left as soon as its value or a problem has come', async () => {
    const view = new LiveView('servers.list', input)
    answer = () => ({ ok: true, value: { value: null, asOf: null, stale: true, problem: null } })
    void view.prepare()
    await expect.poll(() => way.called.map(({ name }) => name)).toEqual(['view servers.list'])
    // Nothing was kept of it: what is read comes as an event, and until then it is held.
    way.send('view', { ...named, now: fresh(listOf('a')) })
    await expect
      .poll(() => way.called.map(({ name }) => name))
      .toEqual(['view servers.list', 'leave servers.list'])
    show(view)
    expect(seen[0]).toBe('shown:a')
    stop()
    const failing = new LiveView('servers.list', input)
    answer = () => ({ ok: true, value: { value: null, asOf: null, stale: true, problem: offline } })
    void failing.prepare()
    await expect.poll(() => way.called.filter(({ name }) => name === 'leave servers.list')).toHaveLength(3)
  })

  it('is asked for once where it is held until something shows it, and left when nothing does any more', async () => {
    const view = new LiveView('servers.list', input)
    const letGo = view.hold()
    await expect.poll(() => way.called.length).toBe(1)
    way.send('view', { ...named, now: fresh(listOf('b')) })
    show(view)
    letGo()
    await expect.poll(() => seen.at(-1)).toBe('shown:b')
    expect(way.called.map(({ name }) => name)).toEqual(['view servers.list'])
    stop()
    await expect.poll(() => way.called.at(-1)?.name).toBe('leave servers.list')
  })

  it('goes from loading to shown', async () => {
    show(new LiveView('servers.list', input))
    await expect.poll(() => seen).toEqual(['loading:-', 'shown:a'])
    expect(way.called).toEqual([{ name: 'view servers.list', input }])
  })

  it('shows newer values as they arrive, and only its own', async () => {
    show(new LiveView('servers.list', input))
    await expect.poll(() => seen.at(-1)).toBe('shown:a')
    way.send('view', { ...named, connectionId: 'other', now: fresh(listOf('x')) })
    flushSync()
    way.send('view', { ...named, now: fresh(listOf('a', 'b')) })
    flushSync()
    expect(seen.at(-1)).toBe('shown:a,b')
    expect(seen).not.toContain('shown:x')
  })

  it('is not taken back by an answer that is older than what was told meanwhile', async () => {
    let reply = () => {}
    const older: View<ServerList> = { ...fresh(listOf('old')), asOf: '2026-11-20T09:00:00Z' }
    way.answer('view servers.list', async () => {
      await new Promise<void>((resolve) => (reply = resolve))
      return { ok: true, value: older }
    })
    const view = new LiveView('servers.list', input)
    show(view)
    way.send('view', { ...named, now: fresh(listOf('new')) })
    flushSync()
    const answered = view.read()
    reply()
    await answered
    flushSync()
    expect(seen).toEqual(['loading:-', 'shown:new'])
  })

  it('keeps what it showed when a refresh fails, and says that it is old', async () => {
    const view = new LiveView('servers.list', input)
    show(view)
    await expect.poll(() => seen.at(-1)).toBe('shown:a')
    answer = () => ({ ok: false, problem: offline })
    await view.read()
    flushSync()
    expect(seen.at(-1)).toBe('stale:a')
    expect(view.problem?.code).toBe('offline')
    expect(view.asOf).toBe('2026-11-20T10:00:00Z')
  })

  it('has failed where there never was a value', async () => {
    answer = () => ({ ok: false, problem: offline })
    show(new LiveView('servers.list', input))
    await expect.poll(() => seen.at(-1)).toBe('failed:-')
  })

  it('asks again after main was lost and is there again', async () => {
    show(new LiveView('servers.list', input))
    await expect.poll(() => seen.at(-1)).toBe('shown:a')
    answer = () => ({ ok: true, value: fresh(listOf('later')) })
    way.reach(false)
    way.reach(true)
    await expect.poll(() => seen.at(-1)).toBe('shown:later')
    expect(way.called).toHaveLength(2)
  })

  it('asks once for everybody who shows it, and stops listening after the last', async () => {
    const view = new LiveView('servers.list', input)
    show(view)
    const stopFirst = stop
    show(view)
    await expect.poll(() => seen.at(-1)).toBe('shown:a')
    expect(way.called).toHaveLength(1)
    expect(way.listening('view')).toBe(1)
    stopFirst()
    await Promise.resolve()
    expect(way.listening('view')).toBe(1)
    expect(way.called).toHaveLength(1)
    stop()
    await expect.poll(() => way.listening('view')).toBe(0)
    // Main tries what fails again for those that look at it alone.
    expect(way.called.at(-1)).toEqual({ name: 'leave servers.list', input })
  })

  it('that is asked for after the last has left is not shown for that', async () => {
    const view = new LiveView('servers.list', input)
    show(view)
    await expect.poll(() => seen.at(-1)).toBe('shown:a')
    stop()
    await expect.poll(() => way.listening('view')).toBe(0)
    await view.read()
    expect(way.called.map(({ name }) => name)).toEqual([
      ...['view servers.list', 'leave servers.list'],
      ...['view servers.list', 'leave servers.list'],
    ])
  })
})
