import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Sample } from '../../../../contract/bridge/values.ts'
import type { Bridge } from '../../../../contract/bridge/bridge.ts'
import { columnsOf, eventsOf, joined, merged, readingsOf } from './readings.ts'
import { Samples } from './samples.svelte.ts'

const server = { connectionId: 'c', serverId: 's' }
/** Readings are of the last hour as the clock has it; they are given in ms after this moment. */
const START = Date.now() - 1_800_000
const sample = (at: number, cpu: number | null = 1): Sample => ({ at, cpu, memory: null, players: null })

describe('the samples of the last hour', () => {
  let listeners: Record<string, (value: never) => void> = {}
  let stop = (): void => undefined
  let samples: Samples

  beforeEach(async () => {
    localStorage.removeItem('graphs-range')
    listeners = {}
    window.panel = {
      call: async () => ({ ok: true, value: { samples: [sample(START)], marks: [] } }),
      on: (event, listener) => {
        listeners[event] = listener
        return () => delete listeners[event]
      },
      upload: () => Promise.reject(new Error('not here')),
      onReach: () => () => undefined,
    } as Bridge
    samples = new Samples(server)
    stop = samples.start()
    await expect.poll(() => samples.loaded).toBe(true)
  })
  afterEach(() => stop())
  const come = (next: Sample, of = server) => listeners.sample?.({ ...of, sample: next } as never)

  it('grow with those that come, and forget what is older than an hour', () => {
    come(sample(START + 3000, 50))
    expect(samples.summary('cpu').most).toBe(50)
    come(sample(START + 3_601_000, 20))
    expect(samples.samples.map((one) => one.at)).toEqual([START + 3000, START + 3_601_000])
  })

  it('go on where the clock was set back: main, which has moved those before, is asked again', async () => {
    come(sample(START + 7_200_000, 50))
    come(sample(START + 9000, 99))
    await expect.poll(() => samples.samples).toEqual([sample(START)])
    come(sample(START + 9000, 99))
    expect(samples.samples.map((one) => one.at)).toEqual([START, START + 9000])
  })

  it('take one reading of a moment, and none of another server', () => {
    come(sample(START, 99))
    come(sample(START + 8000, 99), { ...server, serverId: 'other' })
    expect(samples.samples).toEqual([sample(START)])
  })

  it('have a value of now only until the next reading is overdue', () => {
    expect(samples.summary('cpu')).toEqual({ now: null, most: 1 })
    come(sample(Date.now(), 50))
    expect(samples.summary('cpu')).toEqual({ now: 50, most: 50 })
  })

  it('are those of the last hour by the clock, also where none are added any more', () => {
    samples.samples = [sample(Date.now() - 3_700_000, 90), sample(START, 10)]
    samples.marks = [{ at: Date.now() - 3_700_000, status: 'starting' }]
    expect(samples.recent).toEqual([sample(START, 10)])
    expect(samples.summary('cpu').most).toBe(10)
    expect(samples.columns('cpu')[0]).toEqual([START / 1000])
    expect(samples.events).toEqual([])
  })
})

describe('columns', () => {
  it('are interrupted where nothing was read for a while', () => {
    expect(columnsOf([sample(1000), sample(6000), sample(60_000)], 'cpu')).toEqual([
      [1, 6, 6.001, 60],
      [1, 1, null, 1],
    ])
  })

  const time = (at: number) => new Date(at).toISOString()
  const kept = (...minutes: number[]) =>
    readingsOf({
      points: minutes.map((minute) => ({
        at: time(minute * 60_000),
        cpuPercent: minute,
        cpuPercentMost: 99,
      })),
      ...{ seconds: 60, marks: [] },
    })

  it('of what a service kept are as long as that is, in order, however they were sent', () => {
    expect(columnsOf(kept(5, 2, 1, 2), 'cpu')).toEqual([
      [60, 120, 180, 180.001, 300, 360],
      [1, 2, 2, null, 5, 5],
    ])
  })

  it('of an hour are what a service kept until the samples of the panel begin', () => {
    const all = joined(kept(1, 2, 3), [sample(150_000, 7), sample(155_000, 8)])
    expect(columnsOf(all, 'cpu')).toEqual([
      [60, 150, 155],
      [1, 7, 8],
    ])
  })
})

describe('events', () => {
  const kinds = (...statuses: string[]) =>
    eventsOf(statuses.map((status, at) => ({ at, status }))).map((event) => event.kind)

  it('are a start, a stop and a crash, once each', () => {
    expect(kinds('starting', 'online', 'stopping', 'offline', 'starting', 'online', 'crashed')).toEqual([
      'start',
      'stop',
      'start',
      'crash',
    ])
  })

  it('are seen where only the outcome was', () => {
    expect(kinds('online', 'offline', 'online', 'crashed', 'offline')).toEqual([
      'start',
      'stop',
      'start',
      'crash',
    ])
  })
  it('have no stop of what was never up', () => {
    expect(kinds('offline', 'starting', 'online')).toEqual(['start'])
    expect(kinds('installing', 'offline', 'starting')).toEqual(['start'])
    expect(eventsOf([{ at: 5, status: 'offline' }], 1)).toEqual([{ at: 5, kind: 'stop' }])
  })

  it('that are close are one: a crash, or the last', () => {
    const event = (at: number, kind: 'start' | 'stop' | 'crash') => ({ at, kind })
    const all = [event(0, 'start'), event(4, 'crash'), event(8, 'start'), event(12, 'stop')]
    expect(merged(all, 10)).toEqual([event(0, 'crash'), event(12, 'stop')])
    expect(merged(all, 3)).toEqual(all)
    expect(merged([event(0, 'stop'), event(4, 'start')], 10)).toEqual([event(0, 'start')])
  })
})
