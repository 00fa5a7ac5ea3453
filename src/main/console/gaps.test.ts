import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { answerJson, beginEvents, type OddAnswer } from '../../../tests/doubles/services/odd-service.ts'
import { listenTo, shown } from './live-stream.fixture.ts'

const line = (seq: number, epoch = '1') => ({ id: `${epoch}-${seq}`, text: `${epoch} line ${seq}` })
type Event = readonly ['gap' | 'lines', object]
const gap = (to: string, from: string | null = null): Event => ['gap', { from, to }]
const told = (...lines: object[]): Event => ['lines', { lines }]

/** What a window is told by a service whose console holds these lines, and whose stream then tells these events. */
const toldOf = (held: readonly object[], ...events: readonly Event[]) => toldWith([], held, ...events)

/** The history has `later` too when it is asked for what follows. */
async function toldWith(later: readonly object[], held: readonly object[], ...events: readonly Event[]) {
  const history: OddAnswer = (_request, response, url) =>
    answerJson(response, { items: url.searchParams.has('after') ? later : held, nextCursor: null })
  const asked: (string | null)[] = []
  const open: ServerResponse[] = []
  const at = await listenTo({
    'GET /servers/console/s': history,
    'GET /servers/events'(_request, response, url) {
      asked.push(url.searchParams.get('after'))
      open.push(response)
      const send = beginEvents(response)
      for (const [kind, data] of events) send(kind, { serverId: 's', ...data })
      send('lines', { serverId: 's', lines: [{ ...line(1, 'end'), text: 'end' }] })
    },
  })
  await at.until(() => at.lines.includes('end'))
  return { ...at, asked, lines: at.lines.slice(held.length, at.lines.indexOf('end')) }
}

it.each(['xx-5', '1-900', '1-9007199254740991'])(
  'keeps taking lines after a gap up to %s that is none',
  async (to) => {
    const { lines, cache } = await toldOf([line(1), line(2)], gap(to), told(line(3)), told(line(4)))
    const from = to.startsWith('1-') ? '1-3' : null
    expect(lines).toEqual([`gap ${from} ${to}`, '1 line 3', '1 line 4'])
    expect(
      shown(
        (await cache.linesAfter('c', 's', { epoch: '1', seq: 0 }, 4)).map((batch) => ({
          kind: 'lines',
          batch,
        })),
      ),
    ).toEqual(['1 line 1', '1 line 2', '1 line 3', '1 line 4'])
  },
)

it('does not tell a gap twice, nor one of lines that were there', async () => {
  const { lines } = await toldOf([line(1), line(2)], gap('1-2'), gap('1-9', '1-3'), gap('1-9', '1-3'))
  expect(lines).toEqual(['gap 1-3 1-9'])
})

it('goes on behind a gap without asking for what is gone, in a new epoch too', async () => {
  const within = await toldOf([line(1), line(2)], gap('1-9', '1-3'), told(line(10)))
  expect(within.lines).toEqual(['gap 1-3 1-9', '1 line 10'])
  const into = await toldOf([line(1), line(2)], gap('2-5', '1-3'), told(line(6, '2')))
  expect(into.lines).toEqual(['gap 1-3 2-5', '2 line 6'])
  const twice = await toldOf([line(1), line(2)], gap('2-5', '1-3'), gap('2-9'), told(line(10, '2')))
  expect(twice.lines).toEqual(['gap 1-3 2-5', 'gap 2-6 2-9', '2 line 10'])
})

it('fills what is missing at the beginning of a new epoch from the history, and marks what that has not', async () => {
  const begins = [line(1, '2'), line(2, '2')]
  const whole = await toldWith(begins, [line(1), line(2)], told(line(3, '2')), told(line(4, '2')))
  expect(whole.lines).toEqual(['2 line 1', '2 line 2', '2 line 3', '2 line 4'])
  const part = await toldWith(begins, [line(1), line(2)], told(line(5, '2')))
  expect(part.lines).toEqual(['2 line 1', '2 line 2', 'gap 2-3 2-4', '2 line 5'])
  const none = await toldOf([line(1), line(2)], told(line(3, '2')))
  expect(none.lines).toEqual(['gap null 2-2', '2 line 3'])
})

it('names no line that is gone where ids say nothing of the order', async () => {
  const { lines } = await toldOf([{ text: 'begins' }, { text: 'goes on' }], gap('1-5', '1-2'), gap('nowhere'))
  expect(lines).toEqual(['gap null null', 'gap null null'])
  const counted = await toldOf([line(1), line(2)], gap('nowhere', '1-3'))
  expect(counted.lines).toEqual(['gap null null'])
})

it('shows the lines of an epoch that comes back, and none of them twice', async () => {
  const { lines } = await toldOf(
    [line(1), line(2)],
    told(line(1, 'xx')),
    told(line(2)),
    told(line(3)),
    told(line(4)),
  )
  expect(lines).toEqual(['xx line 1', '1 line 3', '1 line 4'])
})
