import { expect, it, onTestFinished, vi } from 'vitest'
import { openTerminal } from './terminal.ts'

/** A terminal in the page until the test ends. */
function opened(height = 300) {
  const place = document.createElement('div')
  place.style.cssText = `width: 1000px; height: ${height}px`
  document.body.append(place)
  const { terminal, close } = openTerminal(place, {}, 'Output', () => 1)
  onTestFinished(() => {
    close()
    place.remove()
  })
  return { place, terminal }
}

/** What is measured to draw it: texts of the same sign 32 times, as xterm does it. */
async function measuredFor(text: string): Promise<string[]> {
  const { place, terminal } = opened()
  await document.fonts.ready
  const measured = new Set<string>()
  const own = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'offsetWidth')!
  onTestFinished(() => void Object.defineProperty(HTMLElement.prototype, 'offsetWidth', own))
  Object.defineProperty(HTMLElement.prototype, 'offsetWidth', {
    ...own,
    get(this: HTMLElement) {
      const all = this.textContent
      const sign = all.slice(0, all.length / 32)
      if (sign !== '' && all === sign.repeat(32)) measured.add(sign)
      return own.get!.call(this) as number
    },
  })
  await new Promise<void>((written) => terminal.write(text, written))
  await expect.poll(() => place.querySelector('.xterm-rows')?.textContent).toContain(text)
  return [...measured]
}

it('measures one letter for all of ASCII, and what may be of another width by itself', async () => {
  const letters = 'the quick brown fox jumps over the lazy dog 0123456789 [INFO]: {}'
  expect((await measuredFor(letters)).filter((sign) => /^[!-~]$/.test(sign) && sign !== 'W')).toEqual([])
  expect(await measuredFor('世é')).toEqual(expect.arrayContaining(['世', 'é']))
})

it('moves its scrollbar once for many lines, and scrolls from where it then stands', async () => {
  const { place, terminal } = opened()
  const slider = place.querySelector('.scrollbar.vertical .slider')!
  let moves = 0
  const watched = new MutationObserver((changes) => (moves += changes.length))
  watched.observe(slider, { attributes: true, attributeFilter: ['style'] })
  onTestFinished(() => watched.disconnect())
  await new Promise<void>((written) => {
    terminal.write('line\r\n'.repeat(1000), () => {
      // Before any frame: the bar stands where it stood before the lines.
      terminal.scrollLines(-10)
      written()
    })
  })
  const { active } = terminal.buffer
  expect(active.viewportY).toBe(active.baseY - 10)
  terminal.scrollToLine(5)
  expect(active.viewportY).toBe(5)
  terminal.scrollToBottom()
  expect(active.viewportY).toBe(active.baseY)
  await new Promise((frame) => requestAnimationFrame(() => setTimeout(frame)))
  expect(moves).toBeGreaterThan(0)
  expect(moves).toBeLessThan(100)
})

it('stays at its newest line where it became smaller out of sight, as a console that is shown again', async () => {
  let tell: IntersectionObserverCallback = () => undefined
  class Sight {
    constructor(told: IntersectionObserverCallback) {
      tell = told
    }
    observe = () => undefined
    disconnect = () => undefined
  }
  vi.stubGlobal('IntersectionObserver', Sight)
  onTestFinished(() => void vi.unstubAllGlobals())
  const isSeen = (isIntersecting: boolean) =>
    tell([{ isIntersecting } as IntersectionObserverEntry], {} as IntersectionObserver)
  const { place, terminal } = opened(400)
  const written = (text: string) => new Promise<void>((done) => terminal.write(text, done))
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
  await written('line\r\n'.repeat(100))
  await frame()
  isSeen(false)
  terminal.resize(terminal.cols, terminal.rows - 10)
  await written('line\r\n'.repeat(100))
  await frame()
  const { active } = terminal.buffer
  expect(active.viewportY).toBe(active.baseY)
  isSeen(true)
  await written('the last one')
  await expect.poll(() => place.querySelector('.xterm-rows')?.textContent).toContain('the last one')
  expect(active.viewportY).toBe(active.baseY)
  // The bar is where the lines are.
  terminal.scrollLines(-1)
  expect(active.viewportY).toBe(active.baseY - 1)
})
