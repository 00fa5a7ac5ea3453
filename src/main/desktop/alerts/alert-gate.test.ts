import { expect, it } from 'vitest'
import { desktopWords } from '../words.ts'
import type { Alert } from './alert.ts'
import { AlertGate, GATHER_MS, LONG_GATHER_MS } from './alert-gate.ts'

/** A gate whose time passes when it is told to. */
function gate() {
  let now = 0
  let due: { at: number; run: () => void } | null = null
  const shown: Alert[] = []
  const made = new AlertGate({
    show: (alert) => shown.push(alert),
    words: () => desktopWords('en'),
    elapsed: () => now,
    after: (ms, run) => {
      due = { at: now + ms, run }
      return () => (due = null)
    },
  })
  const pass = (ms: number) => {
    now += ms
    const one = due
    if (!one || one.at > now) return
    due = null
    one.run()
  }
  const titles = () => shown.splice(0).map(({ title }) => title)
  return { gate: made, pass, titles }
}
const alert = (key: string): Alert => ({ key, title: key, body: '', to: '#/' })

it('what comes together is shown one by one, up to three', () => {
  const { gate: one, pass, titles } = gate()
  for (const key of ['a', 'b', 'a', 'c']) one.offer(alert(key))
  expect(titles()).toEqual([])
  pass(GATHER_MS)
  expect(titles()).toEqual(['a', 'b', 'c'])
})

it('a thousand are one, which counts them and keeps a hundred alone', () => {
  const { gate: one, pass, titles } = gate()
  for (let at = 0; at < 1000; at++) one.offer(alert(`n${at}`))
  pass(GATHER_MS)
  expect(titles()).toEqual(['1000 notifications'])
})

it('the same is said once a minute', () => {
  const { gate: one, pass, titles } = gate()
  for (let second = 0; second < 59; second++) {
    one.offer(alert('crashed'))
    pass(1000)
  }
  expect(titles()).toEqual(['crashed'])
  pass(2000)
  one.offer(alert('crashed'))
  pass(GATHER_MS)
  expect(titles()).toEqual(['crashed'])
})

it('a flood that does not end is told a few times a minute', () => {
  const { gate: one, pass, titles } = gate()
  for (let second = 0; second < 120; second++) {
    for (let at = 0; at < 50; at++) one.offer(alert(`${second} ${at}`))
    pass(1000)
  }
  expect(titles().length).toBeLessThanOrEqual(2 * (60_000 / LONG_GATHER_MS) + 2)
})

it('nothing is shown once it has stopped', () => {
  const { gate: one, pass, titles } = gate()
  one.offer(alert('a'))
  one.stop()
  pass(GATHER_MS)
  expect(titles()).toEqual([])
})
