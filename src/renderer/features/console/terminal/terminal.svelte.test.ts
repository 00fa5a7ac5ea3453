import { expect, it, onTestFinished } from 'vitest'
import { openTerminal } from './terminal.ts'

/** What is measured to draw it: texts of the same sign 32 times, as xterm does it. */
async function measuredFor(text: string): Promise<string[]> {
  const place = document.createElement('div')
  place.style.cssText = 'width: 1000px; height: 300px'
  document.body.append(place)
  const { terminal, close } = openTerminal(place, {}, 'Output', () => 1)
  onTestFinished(() => {
    close()
    place.remove()
  })
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
  const place = document.createElement('div')
  place.style.cssText = 'width: 1000px; height: 300px'
  document.body.append(place)
  const { terminal, close } = openTerminal(place, {}, 'Output', () => 1)
  onTestFinished(() => {
    close()
    place.remove()
  })
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
