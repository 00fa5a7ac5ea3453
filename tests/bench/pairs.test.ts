import { expect, test } from 'vitest'
import { inTurns, LEAST_ROUNDS, movementOf, ratioOf } from './pairs.ts'
import { report } from './table.ts'

/** Answers the values one after the other, the last one for ever. */
const told = (values: number[]) => {
  let at = 0
  return () => Promise.resolve(values[Math.min(at++, values.length - 1)]!)
}

test('a figure is the median of the ratios of pairs, without the round that warms up', async () => {
  const ways = { limit: told([1, 100]), ours: told([1000, 110, 120, 130, 140, 150, 160, 170]) }
  const rounds = await inTurns('a test', ways, ['limit'])
  expect(rounds.rounds).toHaveLength(LEAST_ROUNDS)
  const figure = ratioOf(rounds, 'ours', 'limit', { name: 'ours', target: 1.5, limitIs: 'bare' })
  expect(figure).toMatchObject({ value: 1.4, range: [1.1, 1.7], unit: '×' })
  expect(figure.note).not.toContain('RESTLESS')
})

test('the ways take turns', async () => {
  const order: string[] = []
  const way = (name: string) => () => Promise.resolve(order.push(name) && 100)
  await inTurns('a test', { limit: way('limit'), ours: way('ours') }, ['limit'])
  expect(order.slice(0, 4)).toEqual(['limit', 'ours', 'limit', 'ours'])
})

test('a limit that moves is measured until it is calm, and only the calm rounds count', async () => {
  const restless = [100, 100, 300, 100, 300, 100, 300, 100]
  const ways = { limit: told([...restless, 100]), ours: told([200]) }
  const { rounds, moved } = await inTurns('a test', ways, ['limit'])
  expect(moved).toBeLessThanOrEqual(0.4)
  expect(rounds).toHaveLength(LEAST_ROUNDS)
  expect(rounds.filter(({ limit }) => limit === 300).length).toBeLessThanOrEqual(1)
})

test('a limit that never gets calm ends after a while, and the figure says so', async () => {
  let at = 0
  const limit = () => Promise.resolve(at++ % 2 === 0 ? 100 : 300)
  let clock = 0
  const options = { patienceMs: 50, now: () => (clock += 10) }
  const rounds = await inTurns('a test', { limit, ours: told([200]) }, ['limit'], options)
  expect(rounds.rounds.length).toBeGreaterThan(LEAST_ROUNDS)
  expect(ratioOf(rounds, 'ours', 'limit', { name: 'ours', limitIs: 'bare' }).note).toMatch(
    /RESTLESS: the limit moved by 200 %/,
  )
})

test('one slip of seven is no movement, and two are', () => {
  expect(movementOf([100, 100, 100, 100, 100, 100, 900])).toBe(0)
  expect(movementOf([100, 100, 100, 100, 100, 900, 900])).toBe(8)
})

test('the last line counts targets and what was lost', () => {
  const figure = { name: 'one', value: 2, unit: '×' as const, range: [1.5, 2.5] as [number, number] }
  const outcome = {
    bench: 'a',
    lost: 1,
    figures: [{ ...figure, target: 2 }, { ...figure, target: 1.9 }, figure],
  }
  const { last, table, ok } = report([outcome])
  expect(last).toBe('2 targets, 1 reached, lost: 1')
  expect(table).toContain('1.50–2.50×')
  expect(ok).toBe(false)
})
