import type { Terminal } from '@xterm/xterm'
import { expect, it, onTestFinished } from 'vitest'
import { openTerminal } from './terminal.ts'

/** A terminal in the page, with how to write to it: answered once all of it can be seen. */
function opened() {
  const place = document.createElement('div')
  place.style.cssText = 'width: 1000px; height: 300px'
  document.body.append(place)
  const { terminal, close } = openTerminal(place, { foreground: '#c0c0c0' }, 'Output', () => 1)
  onTestFinished(() => {
    close()
    place.remove()
  })
  const row = (at: number) => place.querySelectorAll<HTMLElement>('.xterm-rows > div')[at]!
  const parts = (at: number) => [...row(at).querySelectorAll('span')]
  return { terminal, row, parts, write: (text: string) => drawn(terminal, text) }
}

function drawn(terminal: Terminal, text: string): Promise<void> {
  return new Promise((done) => {
    // The cell with the cursor is a part of its own, so it goes to a row that nothing is written to.
    terminal.write(`${text}\u001b[4;1H`, () => {
      const seen = terminal.onRender(() => {
        seen.dispose()
        done()
      })
      terminal.refresh(0, terminal.rows - 1)
    })
  })
}

const HOME = '\u001b[H\u001b[2K'
const looks = (part: Element) => {
  const { color, fontWeight, letterSpacing } = getComputedStyle(part)
  return { color, fontWeight, letterSpacing }
}

it('keeps the elements of a row that looks as before, and gives them the new text', async () => {
  const { write, row, parts } = opened()
  await write(`${HOME}\u001b[31mred\u001b[0m one`)
  const before = parts(0)
  expect(before.map((part) => part.textContent)).toEqual(['red', ' one'])
  await write(`${HOME}\u001b[31mcrimson\u001b[0m two`)
  expect(row(0).textContent).toBe('crimson two')
  expect(parts(0)).toEqual(before)
})

it('draws a row that is reused as one that is new', async () => {
  const { write, parts } = opened()
  const texts = [
    'plain',
    '\u001b[31mred\u001b[0m then plain',
    '\u001b[1mbold\u001b[0m',
    '\u001b[38;2;90;160;250mof any color\u001b[0m, \u001b[44mon blue\u001b[0m',
    '\u001b[4munderlined\u001b[0m 世界',
    '',
  ]
  for (const first of texts)
    for (const then of texts) {
      await write(HOME + first)
      await write(HOME + then)
      await write(`\r\n${HOME.replace('H', '2H')}${then}`)
      const seen = (at: number) => parts(at).map((part) => [part.textContent, looks(part), part.className])
      expect(seen(0)).toEqual(seen(1))
    }
})

it('shows what is selected, and no longer once it is not', async () => {
  const { terminal, write, parts } = opened()
  await write(`${HOME}some words`)
  const before = parts(0).map((part) => [part.textContent, part.className, part.style.cssText])
  terminal.select(5, 0, 5)
  await write('')
  const [, selected] = parts(0)
  expect(selected?.textContent).toBe('words')
  expect(selected?.style.backgroundColor).not.toBe('')
  terminal.clearSelection()
  await write('')
  expect(parts(0).map((part) => [part.textContent, part.className, part.style.cssText])).toEqual(before)
})

it('has as many rows as the terminal, each reused, after it was made larger', async () => {
  const { terminal, write, parts } = opened()
  await write('')
  terminal.resize(80, terminal.rows + 5)
  const last = terminal.rows - 1
  const at = `\u001b[${terminal.rows};1H\u001b[2K`
  await write(`${at}one`)
  const before = parts(last)
  await write(`${at}two`)
  expect(parts(last)).toEqual(before)
  expect(before.map((part) => part.textContent)).toEqual(['two'])
})
