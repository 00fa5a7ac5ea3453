import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Server } from '../../../contract/bridge/values.ts'
import { ago, answers, facts, MIB, open, prepare, tell, UNAVAILABLE, view } from './overview.fixture.ts'

beforeEach(prepare)

it('says each fact once: who is on, what is used of what is allowed, and for how long', async () => {
  await open()
  await expect
    .poll(facts)
    .toMatch(/^Players\s*3 of 20\s*CPU\s*1\.5%\s*Memory\s*130 MB\s*of 2 GB\s*Uptime\s*3 hr/)
  await expect.poll(facts).toMatch(/Disk\s*1 GB\s*3 GB free$/)
  tell({ status: 'offline', since: ago(0) })
  await expect
    .poll(facts)
    .toMatch(/Players\s*–\s*CPU\s*–\s*Memory\s*–\s*of 2 GB\s*Uptime\s*–\s*offline since \d/)
})

it('says of a server that never ran neither since when it is off nor, while it starts, that it is offline', async () => {
  const fresh: Server = { id: 's', name: 'Meadow', status: 'offline', role: 'owner', ran: false }
  answers.now = { status: 'offline', since: ago(0) }
  answers.way.answer('view servers.read', () => view(fresh))
  answers.way.answer('view players.list', () => view({ items: [], leftOut: [], more: false }))
  await open()
  await expect.poll(facts).toMatch(/Uptime\s*–\s*Disk/)
  tell({ status: 'starting' })
  await expect.element(page.getByRole('region', { name: 'Online', exact: true })).toMatchTextContent(/Nobody/)
})

it.each(['unavailable', 'forbidden'] as const)(
  'leaves out what a service does not give: %s',
  async (code) => {
    const problem = { ...UNAVAILABLE, code }
    const bare: Server = { id: 's', name: 'Meadow', status: 'online' }
    const none = { value: null, asOf: null, stale: true, problem }
    answers.now = { status: 'online' }
    answers.way.answer('view servers.read', () => view(bare))
    answers.way.answer('view servers.list', () => view({ items: [bare], leftOut: [], more: false }))
    answers.way.answer('servers.samples', () => ({
      ok: true,
      value: { samples: [], marks: [], problem },
    }))
    for (const name of ['files.limits', 'players.list', 'activity.list', 'servers.stats-history'] as const)
      answers.way.answer(`view ${name}`, () => ({ ok: true as const, value: none }))
    await open()
    await expect.element(page.getByRole('region', { name: 'Console' })).toBeVisible()
    await expect.poll(facts).toBe('')
    expect(
      page
        .getByRole('region')
        .elements()
        .map((one) => one.getAttribute('aria-label')),
    ).toEqual(['Console'])
    expect(page.getByRole('button', { name: 'Try again' }).query()).toBeNull()
  },
)

const measured = () => answers.way.called.filter(({ name }) => name === 'view files.limits').length

it('measures the disk again when a server goes on or off, and while it runs', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let used = 0
  answers.way.answer('view files.limits', () => view({ usedBytes: used }))
  answers.now = { status: 'offline' }
  await open()
  await expect.poll(facts).toMatch(/Disk\s*0 bytes/)
  used = 5 * MIB
  tell({ status: 'online' })
  await expect.poll(facts).toMatch(/Disk\s*5 MB/)
  used = 7 * MIB
  const before = measured()
  vi.advanceTimersByTime(59_000)
  expect(measured()).toBe(before)
  vi.advanceTimersByTime(1000)
  expect(measured()).toBe(before + 1)
  await expect.poll(facts).toMatch(/Disk\s*7 MB/)
})

it('does not measure the disk at every word of a server that stays as it is', async () => {
  await open()
  await expect.poll(facts).toMatch(/Disk\s*1 GB/)
  const before = measured()
  expect(before).toBeGreaterThan(0)
  for (const online of [4, 5, 6]) {
    tell({ status: 'online', players: { online, max: 20 } })
    await expect.poll(facts).toMatch(new RegExp(`${online} of 20`))
  }
  expect(measured()).toBe(before)
})
