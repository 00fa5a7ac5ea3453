import type { Page } from '@playwright/test'
import type { ServerRef } from '../../src/contract/bridge/values.ts'
import { call } from './panel.ts'

/** A line read back: its id's number, and its text. */
export interface ReadLine {
  seq: number
  text: string
}

/** Reads lines back by id through `console.page`, after `after` up to and with `last`. Gaps are simply not there. */
export async function readLines(
  page: Page,
  server: ServerRef,
  epoch: string,
  after: number,
  last: number,
): Promise<ReadLine[]> {
  const lines: ReadLine[] = []
  for (let from = after; from < last;) {
    const { pieces, end } = await call(page, 'console.page', {
      ...server,
      after: `${epoch}-${from}`,
      limit: 10_000,
    })
    const before = from
    for (const piece of pieces) {
      if (piece.kind !== 'lines' || piece.batch.epoch !== epoch) continue
      piece.batch.texts.forEach((text, at) => lines.push({ seq: piece.batch.firstSeq + at, text }))
      from = piece.batch.firstSeq + piece.batch.texts.length - 1
    }
    if (end || from === before) break
  }
  return lines.filter((line) => line.seq <= last)
}

/** The number the flood software has put into a line; null for any other line. */
export function floodNumber(text: string): number | null {
  const found = /Line (\d+) of the flood/.exec(text)
  return found ? Number(found[1]) : null
}

/** How many of the numbers `first` … `first + count - 1` are not there exactly once and in order. */
export function countLost(numbers: readonly number[], first: number, count: number): number {
  let lost = 0
  let expected = first
  for (const number of numbers) {
    if (number < first || number >= first + count) continue
    if (number === expected) expected += 1
    else if (number > expected) {
      lost += number - expected
      expected = number + 1
    } else lost += 1
  }
  return lost + (first + count - expected)
}

/**
 * Reads lines back from the terminal as a person does: from the newest upwards, a screen at a time, until line `first`
 * of the flood is in sight. Answers the numbers in the order of the lines, each as often as it stood on a new screen.
 */
export async function readTerminal(page: Page, first: number): Promise<number[]> {
  return page.evaluate(async (first) => {
    const rows = () => [...document.querySelectorAll('.xterm-rows > div')].map((row) => row.textContent)
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    const numberOf = (text: string) => Number(/Line (\d+) of the flood/.exec(text)?.[1] ?? NaN)
    const busy = () => document.querySelector('.console')?.getAttribute('aria-busy') === 'true'
    const input = document.querySelector('.xterm-helper-textarea')!
    const screens: number[][] = []
    let shown = ''
    /** Waits until another screen is drawn and stays; false where none comes. */
    const changed = async () => {
      for (let turn = 0, steady = 0, seen = shown; turn < 60 || busy(); turn++) {
        await frame()
        const now = rows().join('\n')
        steady = now === seen && !busy() ? steady + 1 : 0
        seen = now
        if (now === shown || steady < 2) continue
        shown = now
        return true
      }
      return false
    }
    for (let still = 0; still < 5;) {
      if (await changed()) {
        still = 0
        screens.unshift(
          rows()
            .map(numberOf)
            .filter((number) => !Number.isNaN(number)),
        )
        if (screens[0]!.some((number) => number <= first)) break
      } else still += 1
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageUp', bubbles: true, cancelable: true }))
    }
    // Screens overlap by a row or more; what the screen above has shown already is left out once.
    const numbers: number[] = []
    for (const screen of screens) {
      const last = numbers.at(-1)
      const overlap = last === undefined ? -1 : screen.indexOf(last)
      const tail = numbers.slice(-(overlap + 1))
      const same = overlap >= 0 && screen.slice(0, overlap + 1).every((number, at) => number === tail[at])
      numbers.push(...(same ? screen.slice(overlap + 1) : screen))
    }
    return numbers
  }, first)
}
