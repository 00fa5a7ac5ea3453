import { expect, test } from 'vitest'
import type { DoubleTask } from '../../../tests/doubles/hosts/pterodactyl/routes.ts'
import { signedIn } from './pterodactyl.fixture.ts'

const task = (id: number, action: string, payload: string, more: Partial<DoubleTask> = {}): DoubleTask => ({
  ...{ id, action, payload, time_offset: 0, continue_on_failure: false, ...more },
})

/** A schedule that the host has already. */
async function withSchedule(tasks: DoubleTask[]) {
  const panel = await signedIn()
  const { server, at, view, send } = panel
  const schedule = {
    ...{ id: 5, name: 'Nightly', cron: ['0', '5', '*', '*', '*'], active: true, onlineOnly: true },
    ...{ processing: false, lastRun: '2026-11-01T05:00:00+01:00', tasks },
  }
  server.schedules.push(schedule)
  const of = { ...at, params: { ...at.params, scheduleId: '5' } }
  return {
    ...{ ...panel, schedule, of },
    list: async () => (await view('schedules.list', at, true)).value?.items,
    change: (body: object) => send('schedules.change', { ...of, body }),
  }
}

const warned = [
  task(1, 'command', 'say Restart soon', { continue_on_failure: true }),
  task(2, 'backup', 'cache/*', { time_offset: 60 }),
  task(3, 'power', 'restart', { time_offset: 240 }),
]
const steps = [
  { kind: 'command', command: 'say Restart soon', onFailure: 'continue' },
  { kind: 'wait', seconds: 60, onFailure: 'stop' },
  { kind: 'backup', onFailure: 'stop' },
  { kind: 'wait', seconds: 240, onFailure: 'stop' },
  { kind: 'power', power: 'restart', onFailure: 'stop' },
] as const

test('schedules of the host are listed with their steps, waits, next run and last run', async () => {
  const { list, view, at, of } = await withSchedule(structuredClone(warned))
  expect(await list()).toMatchObject([
    {
      ...{ id: '5', name: 'Nightly', enabled: true, only: { online: true }, steps },
      ...{ when: { cron: '0 5 * * *' }, nextAt: '2026-11-03T04:00:00.000Z' },
      last: { state: 'started', at: '2026-11-01T04:00:00.000Z' },
    },
  ])
  expect((await list())?.[0]?.when.timeZone ?? null).toBeNull()
  expect((await view('schedules.kinds', at, true)).value).toEqual({
    ...{ steps: ['command', 'power', 'wait', 'backup'], events: [] },
  })
  expect((await view('schedules.runs', of, true)).value?.items).toMatchObject([{ state: 'started' }])
})

test('a schedule of several tasks survives a change of its name', async () => {
  const { change, schedule, host } = await withSchedule(structuredClone(warned))
  await change({
    name: 'Every night',
    enabled: true,
    steps,
    only: { online: true },
    when: { cron: '0 6 * * *' },
  })
  expect(schedule).toMatchObject({ name: 'Every night', cron: ['0', '6', '*', '*', '*'], onlineOnly: true })
  expect(schedule.tasks).toEqual(warned)
  await change({ enabled: false })
  expect(schedule).toMatchObject({ name: 'Every night', active: false, tasks: warned })
  expect(host.seen.filter(({ path }) => path.includes('/tasks'))).toEqual([])
})

test('changed steps keep what a backup leaves out, and the tasks that stay', async () => {
  const { change, schedule } = await withSchedule(structuredClone(warned))
  await change({ steps: [steps[2], { ...steps[0], command: 'say Done' }] })
  expect(schedule.tasks).toEqual([
    task(1, 'backup', 'cache/*'),
    task(2, 'command', 'say Done', { continue_on_failure: true }),
  ])
})

test('steps that only the panel knows are shown and never edited away', async () => {
  const killed = [
    task(1, 'power', 'kill', { time_offset: 5 }),
    task(2, 'delete_files', 'logs'),
    task(3, 'power', 'start'),
  ]
  const { list, change, schedule } = await withSchedule(structuredClone(killed))
  const raw = (word: string) => ({ kind: { kind: 'unknown', raw: word } })
  expect(await list()).toMatchObject([
    { steps: [raw('kill'), raw('delete files'), { kind: 'power', power: 'start' }] },
  ])
  const start = { kind: 'power', power: 'start', onFailure: 'stop' }
  await change({ name: 'Tidy', steps: [start] })
  await expect(change({ steps: [{ ...start, power: 'stop' }] })).rejects.toMatchObject({
    problem: { serviceCode: 'host.schedule-steps' },
  })
  expect(schedule).toMatchObject({ name: 'Tidy', tasks: killed })
})

test('a schedule is made, run and deleted', async () => {
  const { send, list, server, at } = await withSchedule([])
  server.schedules = []
  const body = { name: 'New', enabled: true, when: { cron: '30 4 * * 1-5' }, missed: 'skip', steps } as const
  await send('schedules.create', { ...at, body: { ...body, steps: [...steps] } })
  expect(server.schedules).toMatchObject([
    {
      ...{ name: 'New', cron: ['30', '4', '*', '*', '1-5'], active: true, onlineOnly: false },
      tasks: [
        { action: 'command' },
        { action: 'backup', time_offset: 60 },
        { action: 'power', time_offset: 240 },
      ],
    },
  ])
  const [made] = (await list()) ?? []
  const of = { ...at, params: { ...at.params, scheduleId: made!.id } }
  await send('schedules.run', of)
  server.schedules[0]!.lastRun = '2026-11-01T05:00:00+01:00'
  expect(await list()).toMatchObject([{ last: { state: 'running', at: null } }])
  await send('schedules.remove', of)
  expect(await list()).toEqual([])
})

test('what the host cannot do is refused, and leaves nothing behind', async () => {
  const { send, server, at, change, schedule } = await withSchedule(structuredClone(warned))
  const refused = async (more: object) => {
    const body = {
      name: 'New',
      enabled: true,
      when: { cron: '0 5 * * *' },
      missed: 'skip',
      steps: [steps[0]],
      ...more,
    }
    const asked = send('schedules.create', { ...at, body } as never)
    return asked.then(
      () => null,
      ({ problem }: { problem: { serviceCode: string } }) => problem.serviceCode,
    )
  }
  const many = Array.from({ length: 11 }, () => steps[0])
  expect(await refused({ steps: many })).toBe('host.said')
  expect(await refused({ steps: [steps[0], steps[1]] })).toBe('host.schedule-wait')
  expect(await refused({ steps: [{ ...steps[1], seconds: 901 }, steps[0]] })).toBe('host.schedule-wait')
  expect(await refused({ when: { event: 'online' } })).toBe('host.schedule-time')
  expect(await refused({ only: { players: 'none' } })).toBe('host.schedule-time')
  expect(server.schedules).toEqual([schedule])
  await expect(change({ steps: [...warned.map(() => steps[0]), ...many] })).rejects.toBeDefined()
  expect(schedule.tasks).toEqual(warned)
})

test('who may only look at schedules is told so by the role', async () => {
  const { view, server, at } = await withSchedule([])
  server.owner = false
  server.permissions = ['schedule.read']
  const { value } = await view('servers.read', at, true)
  expect(value?.role).toContain('schedules.read')
  expect(value?.role).not.toContain('schedules.write')
})
