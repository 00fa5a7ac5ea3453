import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { StatsHistory, StatsRange } from '../../../../contract/areas/stats-history.ts'
import { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { answers, MIB, NONE, prepare, UNAVAILABLE, view, graph } from '../overview.fixture.ts'
import Graphs from './Graphs.svelte'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const time = (old: number) => new Date(Date.now() - old).toISOString()
const used = (old: number, cpuPercent: number) => ({
  ...{ at: time(old), cpuPercent, cpuPercentMost: cpuPercent + 1 },
  ...{ memoryBytes: MIB, memoryBytesMost: MIB, playersMost: 2 },
})
const kept: Record<StatsRange, StatsHistory> = {
  hour: {
    ...{ points: [used(30 * MINUTE, 20)], seconds: 60 },
    marks: [
      // What was installed within the first minute has not stopped.
      { at: time(29.7 * MINUTE), status: 'offline' },
      { at: time(29.6 * MINUTE), status: 'starting' },
    ],
  },
  day: {
    points: [used(20 * HOUR, 40)],
    seconds: 300,
    marks: [
      { at: time(21 * HOUR), status: 'starting' },
      { at: time(19 * HOUR), status: 'crashed' },
    ],
  },
  week: { points: [used(140 * HOUR, 60)], seconds: 1800, marks: [] },
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const open = () => render(Graphs, { server: new ServerState('c', 's') })
const asked = () =>
  answers.way.called.flatMap(({ name, input }) =>
    name === 'view servers.stats-history' ? [(input as { query: { range: string } }).query.range] : [],
  )

beforeEach(() => {
  prepare()
  answers.way.answer('view servers.stats-history', ({ query }) => view(kept[query?.range ?? 'hour']))
})

it('an hour, a day and a week are as the service kept them while no panel was open', async () => {
  await open()
  await expect.element(graph('CPU')).toHaveAccessibleName('CPU: now 1.5%, peak 21%')
  await expect.element(page.getByRole('region', { name: 'Last hour' })).toBeVisible()
  const marks = page.getByRole('listitem')
  const kinds = () => marks.elements().map((one) => one.textContent?.split(':')[0])
  await expect.poll(kinds).toEqual(['Started'])
  await button('24 h').click()
  await expect.element(graph('CPU')).toHaveAccessibleName('CPU: now 1.5%, peak 41%')
  await expect.element(page.getByRole('region', { name: 'Last 24 hours' })).toBeVisible()
  await expect.poll(kinds).toEqual(['Started', 'Crashed'])
  await button('7 d').click()
  await expect.element(graph('CPU')).toHaveAccessibleName('CPU: now 1.5%, peak 61%')
  expect(marks.elements()).toEqual([])
})

it('the range is remembered, and asked for at once', async () => {
  const first = await open()
  await button('7 d').click()
  await expect.element(button('7 d')).toHaveAttribute('aria-pressed', 'true')
  await first.unmount()
  const before = asked().length
  await open()
  await expect.element(graph('Memory')).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Last 7 days' })).toBeVisible()
  expect(new Set(asked().slice(before))).toEqual(new Set(['week']))
})

it('of a service that keeps nothing the panel shows its own hour, whatever is remembered', async () => {
  localStorage.setItem('graphs-range', 'week')
  answers.way.answer('view servers.stats-history', () => ({
    ok: true,
    value: { ...NONE, problem: UNAVAILABLE },
  }))
  await open()
  await expect.element(graph('CPU')).toHaveAccessibleName('CPU: now 1.5%, peak 1.5%')
  await expect.element(page.getByRole('region', { name: 'Last hour' })).toBeVisible()
  expect(page.getByRole('group').query()).toBeNull()
})

it('a range that could not be read says so, and is read when asked again', async () => {
  const problem = { ...UNAVAILABLE, code: 'service-failed' as const, retryable: true }
  const fine = answers.way
  await open()
  await expect.element(graph('CPU')).toBeVisible()
  answers.way.answer('view servers.stats-history', () => ({ ok: true, value: { ...NONE, problem } }))
  await button('24 h').click()
  await expect.element(page.getByRole('note')).toBeVisible()
  fine.answer('view servers.stats-history', () => view(kept.day))
  await button('Try again').click()
  await expect.element(graph('CPU')).toHaveAccessibleName(/peak 41%/)
})
