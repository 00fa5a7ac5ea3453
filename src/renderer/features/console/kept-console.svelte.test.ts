import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { render } from 'vitest-browser-svelte'
import type { Connection } from '../../../contract/bridge/values.ts'
import '../../app/theme.css'
import { panel } from '../../core/panel.svelte.ts'
import Console from './Console.svelte'
import { FixtureMain } from './main.fixture.ts'
import { KEPT_MS } from './kept-console.ts'

const user = { name: 'Ada', email: null }
const connection = (changed: Partial<Connection> = {}): Connection => ({
  ...{ id: 'c', kind: 'service', name: 'Meadow', baseUrl: 'https://meadow.example/api/v1', user },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null, ...changed },
})
let main: FixtureMain
let server = { connectionId: 'c', serverId: '' }

const room = document.createElement('style')
room.textContent = 'body > div { height: 600px }'

beforeEach(() => {
  document.head.append(room)
  onTestFinished(() => room.remove())
  server = { connectionId: 'c', serverId: crypto.randomUUID() }
  main = new FixtureMain(server)
  window.panel = main
  panel.take(connection())
})

const running = (of = server) => ({ ...of, kind: 'online', reach: 'ready', server: null }) as const
const rows = (): string[] =>
  [...document.querySelectorAll('.xterm-rows > div')]
    .map((row) => row.textContent.trimEnd())
    .filter((text) => text !== '')
const terminal = () => document.querySelector('.xterm')
const shows = (last: string) => vi.waitFor(() => expect(rows().at(-1)).toBe(last), 20_000)

/** Opens the console, waits for its lines and leaves it. Answers its terminal. */
async function openAndLeave(): Promise<Element | null> {
  main.store(main.make(100))
  const seen = await render(Console, { server: running() })
  await shows('line 100')
  const element = terminal()
  await seen.unmount()
  expect(terminal()).toBeNull()
  return element
}

it('a console that was left is there at once when somebody comes back, and goes on with what came meanwhile', async () => {
  const before = await openAndLeave()
  main.store(main.make(20))
  await render(Console, { server: running() })
  expect(terminal()).toBe(before)
  expect(rows()).toContain('line 100')
  await shows('line 120')
  main.stream(main.make(1))
  await shows('line 121')
  const numbers = rows().map((row) => Number(row.slice(5)))
  expect(numbers).toEqual(numbers.map((_, at) => 122 - numbers.length + at))
  expect(main.pages).toEqual([])
})

it('more lines than are read on the way are passed over for who comes back, and can be scrolled to', async () => {
  await openAndLeave()
  main.store(main.make(30_000))
  await render(Console, { server: running() })
  await shows('line 30100')
  expect(rows()).not.toContain('line 100')
})

it('who scrolled up before leaving finds the newest lines, also where older ones were just being brought in', async () => {
  main.store(main.make(3000))
  const seen = await render(Console, { server: running() })
  await shows('line 3000')
  const field = terminal()!.querySelector('textarea')!
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true, cancelable: true }))
  // The page of older lines is answered, and the terminal is about to be written anew with the topmost line in sight.
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
  expect(main.pages).toHaveLength(1)
  await seen.unmount()
  await render(Console, { server: running() })
  await expect.poll(() => document.querySelector('.console')?.getAttribute('aria-busy')).toBe('false')
  // What was written is drawn with the frames that follow.
  for (let frame = 0; frame < 5; frame++) await new Promise((drawn) => requestAnimationFrame(drawn))
  expect(rows().at(-1)).toBe('line 3000')
})

it('of another server nothing is shown of the console that was left', async () => {
  const before = await openAndLeave()
  const other = { ...server, serverId: crypto.randomUUID() }
  main = new FixtureMain(other)
  window.panel = main
  main.store(main.make(3))
  await render(Console, { server: running(other) })
  await shows('line 3')
  expect(terminal()).not.toBe(before)
  expect(rows()).toHaveLength(3)
})

it.each([
  ['was signed out', [connection({ state: { kind: 'signed-out' } })]],
  ['belongs to another account', [connection({ user: { name: 'Eve', email: null } })]],
  ['was removed', []],
])('a console is let go of where its connection %s', async (_what, connections) => {
  const before = await openAndLeave()
  main.emit('connections', connections)
  await render(Console, { server: running() })
  await shows('line 100')
  expect(terminal()).not.toBe(before)
})

it('a console is let go of when nobody has come back for some minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const seen = await render(Console, { server: running() })
  const before = terminal()
  await seen.unmount()
  vi.advanceTimersByTime(KEPT_MS)
  await render(Console, { server: running() })
  expect(terminal()).not.toBe(before)
})
