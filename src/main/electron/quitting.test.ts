import { beforeEach, describe, expect, it, vi } from 'vitest'
import { given, told } from './electron-stand-in.ts'
import { Quitting } from '../desktop/quitting.ts'
import { askToQuit } from './ask-to-quit.ts'

vi.mock('electron', () => import('./electron-stand-in.ts'))

/** Ports that write down what happens, in order. */
function ports(running: number | null, agrees: boolean | Promise<boolean>) {
  const happened: string[] = []
  return {
    happened,
    running: () => Promise.resolve(running),
    keeps: () => Promise.resolve(false),
    ask: (count: number | null) => {
      happened.push(`asked about ${count}`)
      return Promise.resolve(agrees)
    },
    stay: () => void happened.push('stayed'),
    close: (how?: 'stop') => {
      happened.push(how === 'stop' ? 'closed, all stopped' : 'closed')
      return Promise.resolve()
    },
    exit: (by: 'person' | 'system' | 'keeping') =>
      void happened.push(
        { person: 'ended', system: 'ended by the system', keeping: 'ended, servers stay' }[by],
      ),
  }
}

describe('quitting', () => {
  it('asks nobody where no server runs', async () => {
    const way = ports(0, false)
    await new Quitting(way).request()
    expect(way.happened).toEqual(['closed', 'ended'])
  })

  it('asks about running servers, stops them and ends', async () => {
    const way = ports(2, true)
    await new Quitting(way).request()
    expect(way.happened).toEqual(['asked about 2', 'closed', 'ended'])
  })

  it('asks where nobody can say whether servers run', async () => {
    const way = ports(null, false)
    await new Quitting(way).request()
    expect(way.happened).toEqual(['asked about null', 'stayed'])
  })

  it('asks nobody about servers where a person has agreed to an update already', async () => {
    const way = ports(2, false)
    const quitting = new Quitting(way)
    await quitting.proceed()
    await quitting.proceed()
    expect(way.happened).toEqual(['closed, all stopped', 'ended'])
  })

  it('asks nobody about servers that stay in the background, and an update stops them all the same', async () => {
    const way = { ...ports(2, false), keeps: () => Promise.resolve(true) }
    await new Quitting(way).request()
    expect(way.happened).toEqual(['closed', 'ended, servers stay'])
    way.happened.length = 0
    await new Quitting(way).proceed()
    expect(way.happened).toEqual(['closed, all stopped', 'ended'])
  })

  it('goes on where a person says no, and asks again the next time', async () => {
    const way = ports(1, false)
    const quitting = new Quitting(way)
    await quitting.request()
    expect(quitting.closed).toBe(false)
    await quitting.request()
    expect(way.happened).toEqual(['asked about 1', 'stayed', 'asked about 1', 'stayed'])
  })

  it('stops servers without asking when the system demands it', async () => {
    const way = ports(3, false)
    await new Quitting(way).demand()
    expect(way.happened).toEqual(['closed', 'ended by the system'])
  })

  it('does not wait for an answer any more when the system demands it, and closes once', async () => {
    const answer = Promise.withResolvers<boolean>()
    const way = ports(1, answer.promise)
    const quitting = new Quitting(way)
    const asking = quitting.request()
    await expect.poll(() => way.happened).toEqual(['asked about 1'])
    await quitting.demand()
    answer.resolve(true)
    await asking
    await quitting.request()
    expect(way.happened).toEqual(['asked about 1', 'closed', 'ended by the system'])
  })

  it('ends also where closing fails, and where it cannot be said what runs', async () => {
    const way = {
      ...ports(1, false),
      running: () => Promise.reject(new Error('no panel')),
      close: () => Promise.reject(new Error('no cache')),
    }
    await new Quitting(way).request()
    expect(way.happened).toEqual(['ended'])
  })
})

describe('the question before quitting', () => {
  beforeEach(() => {
    told.asked.length = 0
    given.locale = 'en-GB'
  })

  it('says how many servers run and what happens to them', async () => {
    given.choice = 0
    expect(await askToQuit(null, 2)).toBe(true)
    expect(told.asked[0]?.message).toBe('2 servers are running on this computer.')
    expect(told.asked[0]?.buttons?.[0]).toBe('Stop and quit')
  })

  it('says so where it is not known whether servers run', async () => {
    await askToQuit(null, null)
    expect(told.asked[0]?.message).toMatch('Servers may be running')
  })

  it('is answered with no by its second button, which Escape presses', async () => {
    given.choice = 1
    expect(await askToQuit(null, 1)).toBe(false)
    expect(told.asked[0]?.cancelId).toBe(1)
  })

  it("is asked in the system's language", async () => {
    given.locale = 'de-AT'
    await askToQuit(null, 1)
    expect(told.asked[0]?.message).toBe('Auf diesem Computer läuft ein Server.')
  })
})
