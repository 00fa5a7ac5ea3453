import { beforeEach, describe, expect, it, vi } from 'vitest'
import { given, told } from '../../../tests/doubles/electron/electron.ts'
import { type QuitAnswer, QuitSequence } from '../desktop/quitting.ts'
import { startInBackground } from '../local/background/hand-over.ts'
import { askToQuit, tellIfNotKept } from './windows/dialogs.ts'

vi.mock('electron', () => import('../../../tests/doubles/electron/electron.ts'))

/** Ports that write down what happens, in order. */
function ports(running: number | null, agrees: boolean | 'hand-over' | Promise<boolean>) {
  const happened: string[] = []
  const told: string[] = []
  return {
    happened,
    running: () => Promise.resolve(running),
    keeps: () => Promise.resolve(false),
    ask: (count: number | null): Promise<QuitAnswer> => {
      happened.push(`asked about ${count}`)
      return Promise.resolve(agrees).then((yes) => (yes === 'hand-over' ? yes : yes ? 'stop' : 'stay'))
    },
    stay: () => void happened.push('stayed'),
    closing: (how: 'stop' | 'hand-over') => void told.push(how),
    told,
    close: (how?: 'stop' | 'hand-over') => {
      happened.push({ stop: 'closed, all stopped', 'hand-over': 'handed over', '': 'closed' }[how ?? ''])
      return Promise.resolve()
    },
    failed: (error: unknown) => void happened.push(String(error)),
    exit: (by: 'person' | 'system' | 'keeping') =>
      void happened.push(
        { person: 'ended', system: 'ended by the system', keeping: 'ended, servers stay' }[by],
      ),
  }
}

describe('quitting', () => {
  it('asks nobody where no server runs', async () => {
    const way = ports(0, false)
    await new QuitSequence(way).request()
    expect(way.happened).toEqual(['closed', 'ended'])
  })

  it('asks about running servers, stops them and ends', async () => {
    const way = ports(2, true)
    await new QuitSequence(way).request()
    expect(way.happened).toEqual(['asked about 2', 'closed', 'ended'])
  })

  it('tells windows what is waited for, where something is', async () => {
    const told = async (way: ReturnType<typeof ports>, act: (quitting: QuitSequence) => Promise<void>) => {
      await act(new QuitSequence(way))
      return way.told
    }
    const request = (quitting: QuitSequence) => quitting.request()
    expect(await told(ports(2, true), request)).toEqual(['stop'])
    expect(await told(ports(2, 'hand-over'), request)).toEqual(['hand-over'])
    expect(await told(ports(null, true), request)).toEqual(['stop'])
    expect(await told(ports(2, false), (quitting) => quitting.proceed())).toEqual(['stop'])
    expect(await told(ports(2, false), (quitting) => quitting.demand())).toEqual(['stop'])
    expect(await told(ports(0, true), request)).toEqual([])
    expect(await told(ports(2, false), request)).toEqual([])
    expect(await told({ ...ports(2, true), keeps: () => Promise.resolve(true) }, request)).toEqual([])
  })

  it('asks where nobody can say whether servers run', async () => {
    const way = ports(null, false)
    await new QuitSequence(way).request()
    expect(way.happened).toEqual(['asked about null', 'stayed'])
  })

  it('asks nobody about servers where a person has agreed to an update already', async () => {
    const way = ports(2, false)
    const quitting = new QuitSequence(way)
    await quitting.proceed()
    await quitting.proceed()
    expect(way.happened).toEqual(['closed, all stopped', 'ended'])
  })

  it('asks nobody about servers that stay in the background, and an update stops them all the same', async () => {
    const way = { ...ports(2, false), keeps: () => Promise.resolve(true) }
    await new QuitSequence(way).request()
    expect(way.happened).toEqual(['closed', 'ended, servers stay'])
    way.happened.length = 0
    await new QuitSequence(way).proceed()
    expect(way.happened).toEqual(['closed, all stopped', 'ended'])
  })

  it('hands servers over to the background where a person wants that, and installs nothing then', async () => {
    const way = ports(2, 'hand-over')
    await new QuitSequence(way).request()
    expect(way.happened).toEqual(['asked about 2', 'handed over', 'ended, servers stay'])
  })

  it('goes on where a person says no, and asks again the next time', async () => {
    const way = ports(1, false)
    const quitting = new QuitSequence(way)
    await quitting.request()
    expect(quitting.closed).toBe(false)
    await quitting.request()
    expect(way.happened).toEqual(['asked about 1', 'stayed', 'asked about 1', 'stayed'])
  })

  it('stops servers without asking when the system demands it', async () => {
    const way = ports(3, false)
    await new QuitSequence(way).demand()
    expect(way.happened).toEqual(['closed', 'ended by the system'])
  })

  it('does not wait for an answer any more when the system demands it, and closes once', async () => {
    const answer = Promise.withResolvers<boolean>()
    const way = ports(1, answer.promise)
    const quitting = new QuitSequence(way)
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
    await new QuitSequence(way).request()
    expect(way.happened).toEqual(['Error: no cache', 'ended'])
  })

  it('says so before it ends where servers that were to run on do not, and says nothing of other faults', async () => {
    told.errors.length = 0
    const notStarted = startInBackground(
      {
        prepare: () => Promise.resolve(),
        start: () => Promise.reject(new Error('no bus')),
        kill: () => Promise.resolve(),
        remove: () => Promise.resolve(),
      },
      '/nowhere',
    )
    const way = {
      ...ports(2, 'hand-over'),
      // What is closed after it may fail too.
      close: () =>
        notStarted.catch((error: unknown) => {
          throw new SuppressedError(new Error('no cache'), error, 'both')
        }),
      failed: tellIfNotKept,
    }
    await new QuitSequence(way).request()
    expect(told.errors.map(({ title }) => title)).toEqual(['Servers may not be running'])
    expect(way.happened).toEqual(['asked about 2', 'ended, servers stay'])
    tellIfNotKept(new Error('no cache'))
    expect(told.errors).toHaveLength(1)
  })
})

describe('the question before quitting', () => {
  beforeEach(() => {
    told.asked.length = 0
    given.locale = 'en-GB'
  })

  it('says how many servers run and what happens to them', async () => {
    given.choice = 0
    expect(await askToQuit(null, 2, null)).toBe('stop')
    expect(told.asked[0]?.message).toBe('2 servers are running on this computer.')
    expect(told.asked[0]?.buttons?.[0]).toBe('Stop and quit')
  })

  it('says so where it is not known whether servers run', async () => {
    await askToQuit(null, null, null)
    expect(told.asked[0]?.message).toMatch('Servers may be running')
  })

  it('is answered with no by its second button, which Escape presses', async () => {
    given.choice = 1
    expect(await askToQuit(null, 1, null)).toBe('stay')
    expect(told.asked[0]?.cancelId).toBe(1)
  })

  it('offers to keep servers running where the system can, and only where some run', async () => {
    let prepared = 0
    const prepare = () => Promise.resolve(void prepared++)
    given.choice = 1
    expect(await askToQuit(null, 2, prepare)).toBe('hand-over')
    expect(prepared).toBe(1)
    expect(told.asked[0]).toMatchObject({
      buttons: ['Stop and quit', 'Quit, keep servers running', 'Cancel'],
      cancelId: 2,
      detail: expect.stringContaining('disconnects players for a moment'),
    })
    expect(await askToQuit(null, null, prepare)).toBe('stay')
    expect(told.asked[1]?.buttons).toEqual(['Stop and quit', 'Cancel'])
  })

  it('stays, and says so, where the system cannot keep them running after all', async () => {
    given.choice = 1
    told.errors.length = 0
    expect(await askToQuit(null, 2, () => Promise.reject(new Error('no bus')))).toBe('stay')
    expect(told.errors.map(({ content }) => content)).toEqual([
      expect.stringContaining('Wheelhouse stays open'),
    ])
  })

  it("is asked in the system's language", async () => {
    given.locale = 'de-AT'
    await askToQuit(null, 1, null)
    expect(told.asked[0]?.message).toBe('Auf diesem Computer läuft ein Server.')
  })
})
