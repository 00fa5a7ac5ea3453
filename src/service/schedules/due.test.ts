import { expect, onTestFinished, test } from 'vitest'
import { add, DAY, HOUR, MINUTE, rule, CALLER, scheduling } from './schedules.fixture.ts'

const START = Date.UTC(2026, 0, 1)

test('a rule runs when it is due, once, and its next time is known', async () => {
  const { begin } = await scheduling(START)
  const it = await begin()
  onTestFinished(() => it.end())
  const nightly = add(it)
  expect(nightly.nextAt).toBe(START + 5 * HOUR)
  await it.timers.pass(5 * HOUR - 1000)
  expect(it.results(nightly)).toEqual([])
  await it.timers.pass(2 * DAY)
  expect(it.results(nightly)).toEqual(['2026-01-01T05:00 done', '2026-01-02T05:00 done'])
  expect(it.schedules.of('one', nightly.id).nextAt).toBe(START + 2 * DAY + 5 * HOUR)
})

test('a clock that is set back and forth runs nothing twice, and nothing in a storm', async () => {
  const { begin, clock } = await scheduling(START)
  const it = await begin()
  onTestFinished(() => it.end())
  const hourly = add(it, { when: { cron: '0 * * * *', timeZone: 'UTC' }, missed: 'run' })
  await it.timers.pass(3 * HOUR + MINUTE)
  const before = it.results(hourly)
  expect(before).toHaveLength(3)
  for (let n = 0; n < 5; n++) {
    clock.set(-2 * HOUR)
    await it.timers.pass(2 * MINUTE)
    clock.set(2 * HOUR)
    await it.timers.pass(2 * MINUTE)
  }
  expect(it.results(hourly)).toEqual(before)
  // Ahead, over three times: they are run as one.
  clock.set(3 * HOUR)
  await it.timers.pass(2 * MINUTE)
  expect(it.results(hourly)).toEqual([...before, '2026-01-01T06:00 done'])
  expect(it.runsOf(hourly)[0]).toMatchObject({ missed: 3 })
})

test.each([
  // 2:30 does not exist in one night, and comes twice in another.
  ['begins', '2026-03-28T12:00Z', ['2026-03-29T01:00 done', '2026-03-30T00:30 done']],
  ['ends', '2026-10-24T12:00Z', ['2026-10-25T00:30 done', '2026-10-26T01:30 done']],
])(
  'a clock that is set back and forth over the hour in which summer time %s runs each night once',
  async (_what, start, nights) => {
    for (const missed of ['run', 'skip'] as const) {
      const { begin, clock } = await scheduling(Date.parse(start))
      const before = await begin()
      const nightly = add(before, { when: { cron: '30 2 * * *', timeZone: 'Europe/Berlin' }, missed })
      // From half an hour before on, every few minutes, until well after both of the times.
      await before.timers.pass(12 * HOUR)
      // Where it runs what was missed, also ahead: then it runs early, and not again.
      const jumps = [...(missed === 'run' ? [HOUR, -HOUR] : []), -HOUR, HOUR, -2 * HOUR, 2 * HOUR]
      for (let round = 0; round < 15; round++) {
        for (const ms of jumps) {
          clock.set(ms)
          await before.timers.pass(MINUTE)
        }
        await before.timers.pass(5 * MINUTE)
      }
      await before.end()
      // So does a service that starts with such a clock.
      clock.set(-2 * HOUR)
      const it = await begin()
      onTestFinished(() => it.end())
      await it.timers.pass(MINUTE)
      clock.set(2 * HOUR)
      await it.timers.pass(DAY)
      expect(it.results(nightly), missed).toEqual(nights)
    }
  },
)

test('a clock that was years ahead does not keep a rule from running once it is right again', async () => {
  const { begin, clock } = await scheduling(START)
  const it = await begin()
  onTestFinished(() => it.end())
  const nightly = add(it)
  clock.set(1000 * DAY)
  await it.timers.pass(2 * MINUTE)
  // No more are counted.
  expect(it.runsOf(nightly)).toMatchObject([{ result: 'missed', missed: 100 }])
  clock.set(-1000 * DAY)
  await it.timers.pass(DAY)
  expect(it.results(nightly).slice(1)).toEqual(['2026-01-01T05:00 done'])
})

test('what was due while the service was off is told, and run only where the rule says so', async () => {
  const { begin, clock } = await scheduling(START)
  const before = await begin()
  const skips = add(before, { name: 'Skips' })
  const runs = add(before, { name: 'Runs', missed: 'run' })
  await before.end()
  clock.forward(3 * DAY)
  const it = await begin()
  onTestFinished(() => it.end())
  await it.timers.pass(MINUTE)
  expect(it.results(skips)).toEqual(['2026-01-03T05:00 missed'])
  expect(it.results(runs)).toEqual(['2026-01-03T05:00 done'])
  for (const one of [skips, runs]) expect(it.runsOf(one)).toMatchObject([{ missed: 3 }])
})

test('a run that a killed service left is told as interrupted, and not repeated', async () => {
  const { begin, clock } = await scheduling(START)
  const before = await begin()
  const long = add(before, {
    missed: 'run',
    steps: [
      { kind: 'wait', seconds: 1, onFailure: 'stop' },
      { kind: 'wait', seconds: 3600, onFailure: 'stop' },
    ],
  })
  await before.timers.pass(5 * HOUR + MINUTE)
  expect(before.results(long)).toEqual(['2026-01-01T05:00 running'])
  await before.kill()
  clock.forward(MINUTE)
  const it = await begin()
  onTestFinished(() => it.end())
  await it.timers.pass(2 * HOUR)
  expect(it.results(long)).toEqual(['2026-01-01T05:00 interrupted'])
  expect(it.runsOf(long)[0]!.steps).toEqual([{ kind: 'wait', result: 'done' }])
  expect(it.told).toEqual(['Nightly interrupted'])
})

test('a run that ends with the service is told as interrupted, and fails nothing', async () => {
  const { begin } = await scheduling(START)
  const before = await begin()
  const long = add(before, { steps: [{ kind: 'wait', seconds: 3600, onFailure: 'stop' }] })
  await before.timers.pass(5 * HOUR + MINUTE)
  await before.end()
  const it = await begin()
  onTestFinished(() => it.end())
  expect(it.results(long)).toEqual(['2026-01-01T05:00 interrupted'])
  expect([...before.told, ...it.told]).toEqual(['Nightly interrupted'])
})

test('the rules of 300 servers share one timer, which looks once a minute', async () => {
  const { begin } = await scheduling(START, { servers: 300 })
  const it = await begin()
  onTestFinished(() => it.end())
  const rules = it.store.servers.all().map(({ id }) => add(it, {}, id))
  await it.timers.pass(MINUTE)
  expect(it.timers.waiting()).toBe(1)
  await it.timers.pass(5 * HOUR)
  expect(rules.map((one) => it.results(one).join())).toEqual(rules.map(() => '2026-01-01T05:00 done'))
  expect(it.timers.waiting()).toBe(1)
})

test('conditions are looked at when it is due, and what was not met is told', async () => {
  const { begin } = await scheduling(START)
  const it = await begin()
  onTestFinished(() => it.end())
  const online = add(it, { only: { online: true } })
  const night = add(it, { only: { between: { begins: '22:00', ends: '04:00', timeZone: 'UTC' } } })
  const empty = add(it, {
    only: { players: 'none', between: { begins: '04:00', ends: '06:00', timeZone: 'UTC' } },
  })
  await it.timers.pass(6 * HOUR)
  expect([online, night, empty].map((one) => it.runsOf(one)[0])).toMatchObject([
    { result: 'skipped', error: { sentence: 'schedules.unmet.online' } },
    { result: 'skipped', error: { sentence: 'schedules.unmet.between' } },
    { result: 'done' },
  ])
})

test('a rule that is turned off, deleted or still running is not run', async () => {
  const { begin } = await scheduling(START)
  const it = await begin()
  onTestFinished(() => it.end())
  const off = add(it, { enabled: false })
  const gone = add(it)
  it.schedules.remove('one', gone.id)
  const long = add(it, {
    when: { cron: '0 * * * *', timeZone: 'UTC' },
    steps: [{ kind: 'wait', seconds: 7000, onFailure: 'stop' }],
  })
  await it.timers.pass(5 * HOUR + MINUTE)
  expect(it.results(off)).toEqual([])
  expect(it.results(long).slice(0, 2)).toEqual(['2026-01-01T01:00 done', '2026-01-01T02:00 skipped'])
  const changed = it.schedules.change('one', off.id, { enabled: true }, CALLER)
  expect(changed.nextAt).toBe(START + DAY + 5 * HOUR)
  expect(() => it.schedules.create('one', rule({ when: {} }), CALLER)).toThrow('Choose when it runs')
})
