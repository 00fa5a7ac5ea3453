import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import '../../app/theme.css'
import { ConsoleView, WRITTEN } from './console-view.svelte.ts'
import { FixtureMain } from './main.fixture.ts'
import type { LineId } from '../../../contract/rules/line-ids.ts'

const server = { connectionId: 'c', serverId: 's' }
let main: FixtureMain
let view: ConsoleView
let element: HTMLElement
let stop = (): void => undefined
let written: LineId[] = []

// A font that comes late makes rows of another height, and what is in sight moves in the middle of a test.
beforeAll(async () => {
  expect(await document.fonts.load("13px 'JetBrains Mono Variable'")).not.toEqual([])
})
beforeEach(() => {
  main = new FixtureMain(server)
  window.panel = main
  element = document.createElement('div')
  element.style.cssText = 'width: 900px; height: 400px'
  document.body.append(element)
  written = []
  element.addEventListener(WRITTEN, (event) => written.push((event as CustomEvent<LineId>).detail))
  view = new ConsoleView(server)
})
afterEach(() => {
  stop()
  element.remove()
})

function open(): void {
  stop = view.show(element)
}
const rows = (): string[] =>
  [...element.querySelectorAll('.xterm-rows > div')]
    .map((row) => row.textContent.trimEnd())
    .filter((text) => text !== '')
const numbers = (): number[] => rows().map((row) => Number(/^line (\d+)$/.exec(row)?.[1] ?? NaN))
const shows = (test: (seen: string[]) => void) => vi.waitFor(() => test(rows()), 20_000)
const isWritten = (seq: number) => expect.poll(() => written.at(-1)?.seq).toBe(seq)
function press(key: string): void {
  element
    .querySelector('textarea')!
    .dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}
/** Presses a key and waits until another screen is drawn and stays; answers whether one came. */
async function moved(key: string): Promise<boolean> {
  const before = rows().join('\n')
  press(key)
  for (let turn = 0, steady = 0, seen = before; turn < 30 || view.window!.paging; turn++) {
    await frame()
    const now = rows().join('\n')
    steady = now === seen && !view.window!.paging ? steady + 1 : 0
    seen = now
    if (now !== before && steady >= 2) return true
  }
  return false
}
const frame = () => new Promise((done) => requestAnimationFrame(done))

/** Scrolls up to the beginning and collects every line seen on the way. */
async function readUpwards(): Promise<Set<number>> {
  const seen = new Set<number>()
  do {
    const visible = numbers()
    expect(visible.every((seq, at) => at === 0 || seq === visible[at - 1]! + 1)).toBe(true)
    for (const seq of visible) seen.add(seq)
  } while (await moved('PageUp'))
  return seen
}

describe('a console on the screen', () => {
  it('shows the newest lines known, then those that come', async () => {
    main.store(main.make(100))
    open()
    await isWritten(100)
    main.stream(main.make(1))
    await isWritten(101)
    await shows((seen) => expect(seen.at(-1)).toBe('line 101'))
    expect(numbers()).toEqual(numbers().map((_, at) => 102 - numbers().length + at))
  })

  it('marks lines that nobody has any more', async () => {
    main.store(main.make(3))
    main.store({ kind: 'gap', from: '1-4', to: '1-9' })
    main.store({
      kind: 'lines',
      batch: { epoch: '1', firstSeq: 10, times: [0], texts: ['line 10'], sources: {} },
    })
    open()
    await isWritten(10)
    await shows((seen) => expect(seen[3]).toContain('4–9'))
    expect(rows()[4]).toBe('line 10')
  })

  it('holds while somebody reads, counts what comes, and returns to the newest', async () => {
    main.store(main.make(500))
    open()
    await isWritten(500)
    press('PageUp')
    await expect.poll(() => view.window!.following).toBe(false)
    await frame()
    await frame()
    const before = rows()
    main.stream(main.make(40))
    expect(view.window!.unseen).toBe(40)
    await frame()
    await frame()
    expect(rows()).toEqual(before)
    view.window!.follow()
    await isWritten(540)
    await shows((seen) => expect(seen.at(-1)).toBe('line 540'))
    expect(view.window!.unseen).toBe(0)
  })

  it('follows again when scrolled down to the newest line', async () => {
    main.store(main.make(300))
    open()
    await isWritten(300)
    press('PageUp')
    await expect.poll(() => view.window!.following).toBe(false)
    press('PageDown')
    await expect.poll(() => view.window!.following).toBe(true)
    main.stream(main.make(1))
    await isWritten(301)
    await shows((seen) => expect(seen.at(-1)).toBe('line 301'))
  })

  it('lets every line be read by scrolling up, each in its order, and follow from there', async () => {
    element.style.height = '3000px'
    for (let at = 0; at < 4; at++) main.store(main.make(5000))
    open()
    await isWritten(20_000)
    await shows((visible) => expect(visible.at(-1)).toBe('line 20000'))
    const seen = await readUpwards()
    expect(seen.size).toBe(20_000)
    expect(view.window!.atStart).toBe(true)
    view.window!.follow()
    await shows((visible) => expect(visible.at(-1)).toBe('line 20000'))
    main.stream(main.make(1))
    await isWritten(20_001)
  })

  it('copies no other text than was selected where older lines are brought in', async () => {
    main.store(main.make(3000))
    open()
    await isWritten(3000)
    await moved('PageUp')
    const row = element.querySelectorAll('.xterm-rows > div')[3]!.getBoundingClientRect()
    const at = { clientX: row.left + 20, clientY: row.top + 5, bubbles: true, detail: 2 }
    const screen = element.querySelector('.xterm-screen')!
    for (const type of ['mousedown', 'mouseup']) screen.dispatchEvent(new MouseEvent(type, at))
    await expect.poll(() => view.selected).toBe(true)
    await moved('Home')
    await moved('Home')
    expect(view.selected).toBe(false)
  })

  it('goes down through lines that came while it was held far back', async () => {
    element.style.height = '3000px'
    for (let at = 0; at < 3; at++) main.store(main.make(5000))
    open()
    await isWritten(15_000)
    await moved('Home')
    for (let at = 0; at < 10; at++) main.stream(main.make(1000))
    const seen = new Set(numbers())
    while (!view.window!.following && (await moved('PageDown'))) for (const seq of numbers()) seen.add(seq)
    await shows((visible) => expect(visible.at(-1)).toBe('line 25000'))
    for (const seq of numbers()) seen.add(seq)
    const first = Math.min(...seen)
    expect(seen.size).toBe(25_000 - first + 1)
  })

  it('keeps the newest lines in order where they come faster than they can be shown', async () => {
    open()
    await expect.poll(() => view.stream).toBe('live')
    for (let at = 0; at < 50; at++) main.stream(main.make(1000))
    await isWritten(50_000)
    await shows((seen) => expect(seen.at(-1)).toBe('line 50000'))
    const visible = numbers()
    expect(visible).toEqual(visible.map((_, at) => 50_000 - visible.length + 1 + at))
    press('PageUp')
    press('PageUp')
    await frame()
    await frame()
    const above = numbers()
    expect(above).toEqual(above.map((_, at) => above[0]! + at))
  })

  it('shows the end of lines that were passed over, and lets every one of them be read by scrolling up', async () => {
    element.style.height = '3000px'
    main.store(main.make(1000))
    open()
    await isWritten(1000)
    main.passOver(8000, 500)
    await shows((seen) => expect(seen.at(-1)).toBe('line 9500'))
    main.stream(main.make(3))
    await shows((seen) => expect(seen.at(-1)).toBe('line 9503'))
    const seen = await readUpwards()
    expect(seen.size).toBe(9503)
  })

  it('while held, counts lines that were passed over, and reads on through them downwards', async () => {
    element.style.height = '3000px'
    main.store(main.make(3000))
    open()
    await isWritten(3000)
    await moved('PageUp')
    main.passOver(8000, 500)
    expect(view.window!.unseen).toBe(8500)
    const seen = new Set(numbers())
    while (!view.window!.following && (await moved('PageDown'))) for (const seq of numbers()) seen.add(seq)
    await shows((visible) => expect(visible.at(-1)).toBe('line 11500'))
    for (const seq of numbers()) seen.add(seq)
    expect(seen.size).toBe(11_500 - Math.min(...seen) + 1)
  })

  it('keeps a line in sight when lines wrap and older ones are brought in', async () => {
    main.store(main.make(9000, '1', (seq) => `line ${seq} ${'x'.repeat(seq % 7 === 0 ? 300 : 0)}`))
    open()
    await isWritten(9000)
    for (let turn = 0; turn < 150; turn++) {
      press('PageUp')
      await frame()
    }
    await expect.poll(() => view.window!.paging).toBe(false)
    await frame()
    const before = rows()
    await view.window!.older()
    await frame()
    await frame()
    expect(rows()).toEqual(before)
  })

  it('watches again when main is back, without showing a line twice or losing one', async () => {
    main.store(main.make(10))
    open()
    await isWritten(10)
    main.reach(false)
    expect(view.stream).toBe('unreachable')
    main.stream(main.make(5))
    main.reach(true)
    await isWritten(15)
    await shows((seen) => expect(seen).toHaveLength(15))
    expect(view.stream).toBe('live')
  })

  it('starts anew where more lines were missed than a window shows, and leaves them to be paged in', async () => {
    main.store(main.make(100))
    open()
    await isWritten(100)
    main.reach(false)
    main.store(main.make(20_003))
    main.reach(true)
    await isWritten(20_103)
    await shows((seen) => expect(seen.at(-1)).toBe('line 20103'))
    // Rows are drawn one after the other: what counts is what stands in the end.
    await expect
      .poll(() => {
        const seen = numbers()
        return seen.length > 3 && seen.every((one, at) => one === 20_104 - seen.length + at)
      })
      .toBe(true)
  })

  it('says why lines cannot be read, and reads them when asked again', async () => {
    main.failing.set('console.watch', { code: 'offline', message: 'no', retryable: true })
    open()
    await expect.poll(() => view.problem?.code).toBe('offline')
    main.failing.clear()
    main.store(main.make(2))
    await view.retry()
    await isWritten(2)
    expect(view.problem).toBeNull()
  })

  it('puts times beside the lines there are when they are switched on', async () => {
    main.store(main.make(50))
    open()
    await isWritten(50)
    await view.toggleTimestamps()
    await shows((seen) => expect(seen.at(-1)).toMatch(/^\d\d:\d\d:\d\d line 50$/))
    await view.toggleTimestamps()
    await shows((seen) => expect(seen.at(-1)).toBe('line 50'))
  })

  it('finds text in the lines shown, then in older ones', async () => {
    for (let at = 0; at < 4; at++) main.store(main.make(5000))
    open()
    await isWritten(20_000)
    const search = view.search!
    search.show()
    search.term = 'line 19990'
    search.changed()
    await expect.poll(() => search.state).toEqual({ kind: 'found', at: 1, count: 1 })
    search.term = 'line 4321'
    search.changed()
    await expect.poll(() => search.state.kind).toBe('none')
    await search.previous()
    await expect.poll(() => search.state.kind).toBe('found')
    await shows((seen) => expect(seen).toContain('line 4321'))
    search.close()
    view.window!.follow()
    await shows((seen) => expect(seen.at(-1)).toBe('line 20000'))
  })

  it('finds the words that stand for a damaged line, in older lines too', async () => {
    main.store(main.make(5000))
    const [oldest] = main.pieces
    if (oldest?.kind !== 'lines') throw new Error('These are lines.')
    oldest.batch.texts[9] = ''
    oldest.batch.sources[9] = 'unreadable'
    for (let at = 0; at < 3; at++) main.store(main.make(5000))
    open()
    await isWritten(20_000)
    const search = view.search!
    search.show()
    search.term = 'this computer is damaged'
    search.changed()
    await expect.poll(() => search.state.kind).toBe('none')
    await search.older()
    await expect.poll(() => search.state.kind).toBe('found')
    await shows((seen) =>
      expect(seen).toContain('This line can’t be shown: the copy on this computer is damaged.'),
    )
  })
})
