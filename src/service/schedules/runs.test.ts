import { expect, onTestFinished, test } from 'vitest'
import type { NewSchedule } from '../../contract/areas/schedule-values.ts'
import { messageStep, timeLeft } from './perform.ts'
import { add, CALLER, handTimers, HOUR, MINUTE, scheduling } from './schedules.fixture.ts'
import { heldClock } from '../service.fixture.ts'

type Steps = NewSchedule['steps']
const power = (action: 'start' | 'stop' | 'restart'): Steps[number] => ({
  ...{ kind: 'power', power: action, onFailure: 'stop' },
})
const wait = (seconds: number): Steps[number] => ({ kind: 'wait', seconds, onFailure: 'stop' })
const command = (text: string): Steps[number] => ({ kind: 'command', command: text, onFailure: 'stop' })

async function opened(ports: Parameters<Awaited<ReturnType<typeof scheduling>>['begin']>[0] = {}) {
  const { begin, ...rest } = await scheduling()
  const it = await begin(ports)
  onTestFinished(() => it.end())
  const run = (id: string) => it.schedules.run('one', id, CALLER)
  return { ...it, ...rest, run }
}

test('steps are done in order, each when the one before is done, and what each did is known', async () => {
  const it = await opened()
  const all = add(it, {
    steps: [power('start'), command('say hi'), power('restart'), power('stop'), power('stop')],
  })
  it.run(all.id)
  expect(() => it.run(all.id)).toThrow('already running')
  await expect.poll(() => it.runsOf(all)[0]?.result).toBe('done')
  expect(it.runsOf(all)[0]!.steps.map(({ result }) => result)).toEqual([
    ...['done', 'done', 'done', 'done', 'unchanged'],
  ])
  expect(it.status()).toBe('offline')
  expect(it.told.at(-1)).toBe('Nightly done')
})

test('a step that fails ends the run, unless it is to go on', async () => {
  const it = await opened()
  const stops = add(it, { name: 'Stops', steps: [command('say hi'), wait(1)] })
  const goesOn = add(it, {
    name: 'Goes on',
    steps: [{ ...command('say hi'), onFailure: 'continue' }, power('stop')],
  })
  for (const { id } of [stops, goesOn]) it.run(id)
  await it.timers.pass(MINUTE)
  expect(it.runsOf(stops)[0]).toMatchObject({
    result: 'failed',
    steps: [{ result: 'failed', error: { sentence: 'server.not-running.commands' } }, { result: 'not-run' }],
  })
  expect(it.runsOf(goesOn)[0]).toMatchObject({
    result: 'failed',
    steps: [{ result: 'failed' }, { result: 'unchanged' }],
  })
})

test('rules that would stop each other wait for each other; others do not', async () => {
  const it = await opened()
  const first = add(it, { name: 'First', steps: [power('start'), wait(600)] })
  const second = add(it, { name: 'Second', steps: [power('stop')] })
  const other = add(it, { name: 'Other', steps: [wait(1)] })
  for (const { id } of [first, second, other]) it.run(id)
  await expect.poll(() => it.status()).toBe('online')
  await it.timers.pass(MINUTE)
  expect(it.results(second)).toEqual(['waiting'])
  expect(it.results(other)).toEqual(['done'])
  expect(it.status()).toBe('online')
  await it.timers.pass(10 * MINUTE)
  await expect.poll(() => it.results(second)).toEqual(['done'])
  expect(it.results(first)).toEqual(['done'])
  expect(it.status()).toBe('offline')
})

test('whoever lost what a step needs: the rule is paused and says so, also between two steps', async () => {
  const it = await opened()
  const stops = add(it, { steps: [wait(60), power('stop')] })
  it.run(stops.id)
  await it.timers.pass(1000)
  it.held.now = ['control.start']
  await it.timers.pass(2 * MINUTE)
  expect(it.runsOf(stops)[0]).toMatchObject({
    result: 'failed',
    error: { sentence: 'schedules.paused', values: { author: 'A', scopes: 'control.stop' } },
    steps: [{ result: 'done' }, { result: 'not-run' }],
  })
  expect(it.schedules.of('one', stops.id)).toMatchObject({ enabled: false, nextAt: null })
  expect(it.told).toContain('Nightly paused: schedules.paused')
  it.held.now = null
  const other = add(it, { name: 'Other' })
  it.run(other.id)
  await it.timers.pass(MINUTE)
  expect(it.schedules.of('one', other.id).paused?.sentence).toBe('schedules.paused.gone')
  // Who turns it on does so in their own name.
  it.held.now = 'owner'
  const again = it.schedules.change('one', other.id, { enabled: true }, CALLER)
  expect(again).toMatchObject({ enabled: true, paused: null, author: 'a' })
})

test('nobody writes, changes, turns on or runs a rule without what its steps need', async () => {
  const it = await opened()
  const restarts = add(it, { steps: [power('restart')], enabled: false })
  const ben = { accountId: 'ben', held: ['control.stop'] } as const
  const wish = {
    name: 'x',
    enabled: true,
    missed: 'skip',
    when: restarts.when,
    steps: restarts.steps,
  } as const
  expect(() => it.schedules.create('one', { ...wish, steps: [...wish.steps] }, ben)).toThrow(/control\.start/)
  expect(() => it.schedules.change('one', restarts.id, { missed: 'run' }, ben)).toThrow(/control\.start/)
  expect(() => it.schedules.change('one', restarts.id, { enabled: true }, ben)).toThrow(/control\.start/)
  expect(() => it.schedules.run('one', restarts.id, ben)).toThrow(/control\.start/)
  expect(it.schedules.change('one', restarts.id, { name: 'Mine' }, ben)).toMatchObject({
    author: 'a',
    name: 'Mine',
  })
})

test('events begin rules: online, joined, over a number, left, empty for a while, crashed', async () => {
  const it = await opened()
  const of = (name: string, when: NewSchedule['when']) => add(it, { name, when })
  const rules = [
    of('online', { event: 'online' }),
    of('joined', { event: 'joined' }),
    of('over', { event: 'players', over: 1 }),
    of('under', { event: 'players', under: 1 }),
    of('empty', { event: 'empty', minutes: 10 }),
    of('offline', { event: 'offline' }),
    of('crashed', { event: 'crashed' }),
  ]
  const counts = () => Object.fromEntries(rules.map((one) => [one.name, it.runsOf(one).length]))
  const players = () => it.runtime.status('one')?.players?.online
  await it.runtime.find('one').power('start')
  await expect.poll(() => it.status()).toBe('online')
  for (const [at, name] of ['Alex', 'Steve'].entries()) {
    it.runtime.command('one', `join ${name}`)
    await expect.poll(players).toBe(at + 1)
    await it.timers.pass(2000)
  }
  await it.timers.pass(HOUR)
  expect(counts()).toEqual({ online: 1, joined: 2, over: 1, under: 0, empty: 0, offline: 0, crashed: 0 })
  for (const [at, name] of ['Alex', 'Steve'].entries()) {
    it.runtime.command('one', `leave ${name}`)
    await expect.poll(players).toBe(1 - at)
  }
  await it.timers.pass(9 * MINUTE)
  expect(counts()).toMatchObject({ under: 1, empty: 0 })
  await it.timers.pass(2 * HOUR)
  expect(counts()).toMatchObject({ empty: 1 })
  it.runtime.command('one', 'crash 3')
  await expect.poll(() => it.status()).toBe('crashed')
  expect(counts()).toMatchObject({ crashed: 1, offline: 0 })
})

test('a rule that starts itself over and over is paused', async () => {
  const it = await opened()
  const loops = add(it, { when: { event: 'online' } })
  await it.runtime.find('one').power('start')
  for (let n = 0; n < 11; n++) {
    await expect.poll(() => it.status()).toBe('online')
    await it.timers.pass(2000)
    await it.runtime.find('one').power('restart')
  }
  expect(it.runsOf(loops)).toHaveLength(10)
  expect(it.schedules.of('one', loops.id)).toMatchObject({
    enabled: false,
    paused: { sentence: 'schedules.paused.often' },
  })
})

test('nothing begins in a service that is stopping', async () => {
  const { begin } = await scheduling()
  const it = await begin()
  const offline = add(it, { when: { event: 'offline' } })
  await it.runtime.find('one').power('start')
  await expect.poll(() => it.status()).toBe('online')
  await it.end()
  const again = await begin()
  onTestFinished(() => again.end())
  expect(again.runsOf(offline)).toEqual([])
})

test('an update that the server does not start with is undone, and the server started again', async () => {
  const undone: string[] = []
  const it = await opened({
    updates: {
      isOffered: () => true,
      update: async () => {
        it.runtime.beforeStart(async () => {
          if (undone.length === 0) throw new Error('does not start')
        })
        return ['Essentials']
      },
      undo: async (id) => void undone.push(id),
    },
  })
  const weekly = add(it, {
    steps: [{ kind: 'update-extensions', onFailure: 'stop' }, power('restart'), wait(1)],
  })
  it.run(weekly.id)
  await expect.poll(() => it.runsOf(weekly)[0]?.result).toBe('failed')
  expect(it.runsOf(weekly)[0]!.steps).toMatchObject([
    { result: 'done', names: ['Essentials'] },
    { result: 'failed', error: { sentence: 'schedules.undone' } },
    { result: 'not-run' },
  ])
  expect(undone).toEqual(['one'])
  expect(it.status()).toBe('online')
})

test('a countdown says at once and then at each mark how much time is left, in its language', async () => {
  const clock = heldClock()
  const timers = handTimers(clock)
  const said: string[] = []
  const at0 = clock.elapsed()
  const step = { text: 'Restarting in {time}', countdown: 300 }
  const ended = messageStep(step, (text) => said.push(`${(clock.elapsed() - at0) / 1000}: ${text}`), {
    timers,
    signal: new AbortController().signal,
  })
  await timers.pass(300_000)
  await ended
  expect(said).toEqual([
    '0: Restarting in 5 minutes',
    '240: Restarting in 1 minute',
    '270: Restarting in 30 seconds',
    '290: Restarting in 10 seconds',
  ])
  expect(clock.elapsed()).toBe(300_000)
  expect(timeLeft(600, 'de')).toBe('10 Minuten')
})

test('a message to nobody is not said, and its countdown not waited for', async () => {
  const it = await opened()
  await it.runtime.find('one').power('start')
  await expect.poll(() => it.status()).toBe('online')
  const warns = add(it, {
    steps: [{ kind: 'message', text: 'Restarting in {time}', countdown: 300, onFailure: 'stop' }],
  })
  it.run(warns.id)
  await it.timers.pass(0)
  expect(it.runsOf(warns)[0]).toMatchObject({ result: 'done', steps: [{ result: 'unchanged' }] })
})
