import { expect, it } from 'vitest'
import { answerJson, beginEvents } from '../../../tests/doubles/services/odd-service.ts'
import { listenTo } from './live-stream.fixture.ts'
import { overlapOf } from './overlap.ts'

const history = 'GET /servers/console/s'
const uuid = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
/** A time of a line; some services write it in their own way. */
const second = (at: number) => 1_790_000_000 + at

interface Kind {
  line: (text: string, at: number) => unknown
  /** The newest so many lines are given, whatever is asked for. */
  newest?: number
  descending?: boolean
  /** What is new alone is given where `after` names a line. */
  places?: boolean
}

const kinds: Record<string, Kind> = {
  'numbers that count something else': { line: (text, at) => ({ id: at * 7, text }) },
  'numbers with a word before them': { line: (text, at) => ({ id: `srv-${at * 3}`, text }) },
  uuids: { line: (text, at) => ({ id: uuid(at), text }) },
  'integers of 18 digits as text': {
    line: (text, at) => ({ id: `${900_000_000_000_000_000n + BigInt(at)}`, text }),
  },
  'hashes, newest first': {
    line: (text, at) => ({ id: `h${(at * 7919) % 1009}`, time: second(at), text }),
    descending: true,
  },
  'numbers, newest first': { line: (text, at) => ({ id: at, text }), descending: true },
  'none at all': { line: (text) => ({ text }) },
  'none, with times in seconds': { line: (text, at) => ({ message: text, timestamp: second(at) }) },
  'its place in the answer': { line: (text) => ({ id: 0, text }) },
  'one for all lines': { line: (text) => ({ id: 'console', text }) },
  'none, and only the newest five lines': { line: (text) => ({ text }), newest: 5 },
  'places to go on after': { line: (text, at) => ({ id: `p${at}x`, text }), places: true },
  'a time and a source of other types': {
    line: (text, at) => ({ id: at, text, time: { s: at }, source: 7 }),
  },
}

/** A console of a service; the answered function writes a line. */
function consoleOf({ line, newest = 1000, descending, places }: Kind) {
  const written: { text: string; at: number }[] = []
  return {
    write: (text: string) => void written.push({ text, at: written.length + 1 }),
    answer(response: Parameters<typeof answerJson>[0], url: URL) {
      const after = url.searchParams.get('after')
      const from = places && after ? Number(after.slice(1, -1)) : 0
      const items = written.slice(from).slice(-newest)
      const lines = items.map(({ text, at }) => line(text, at))
      answerJson(response, { items: descending ? lines.toReversed() : lines, nextCursor: null })
    },
  }
}

it.each(Object.entries(kinds))(
  'shows polled lines once each and in order, and claims no loss, with ids that are %s',
  async (_what, kind) => {
    const console = consoleOf(kind)
    for (const text of ['a', 'b', 'tick', 'c']) console.write(text)
    const { lines, until, again } = await listenTo({
      [history]: (_request, response, url) => console.answer(response, url),
    })
    await until(() => lines.length >= 4)
    for (const text of ['d', 'tick', 'e']) {
      console.write(text)
      await until(() => lines.at(-1) === text)
    }
    expect(lines).toEqual(['a', 'b', 'tick', 'c', 'd', 'tick', 'e'])
    // The panel was closed for a while: what was archived is not shown anew.
    again()
    console.write('f')
    await until(() => lines.includes('f'))
    expect(lines).toEqual(['f'])
  },
)

it('shows lines of a stream with foreign ids in the order they came, and none twice when it connects anew', async () => {
  const written = [1, 2, 3].map((at) => ({ id: uuid(at), text: `line ${at}` }))
  let connected = 0
  const { lines, until } = await listenTo({
    [history]: (_request, response) => answerJson(response, { items: written.slice(0, 2), nextCursor: null }),
    'GET /servers/events'(_request, response) {
      const send = beginEvents(response)
      send('lines', { serverId: 's', lines: written })
      if (++connected > 1) send('lines', { serverId: 's', lines: [{ id: uuid(9), text: 'line 9' }] })
      else response.end()
    },
  })
  await until(() => lines.includes('line 9'))
  expect(lines).toEqual(['line 1', 'line 2', 'line 3', 'line 9'])
})

it('claims a gap only where ids were seen to count', async () => {
  const counted = (...seqs: number[]) => seqs.map((seq) => ({ id: `e-${seq}`, text: `line ${seq}` }))
  let items = counted(1, 2)
  const { lines, until } = await listenTo({
    [history]: (_request, response) => answerJson(response, { items, nextCursor: null }),
  })
  await until(() => lines.length === 2)
  items = counted(5, 6)
  await until(() => lines.length === 5)
  expect(lines).toEqual(['line 1', 'line 2', 'gap e-3 e-4', 'line 5', 'line 6'])
})

it('keeps the text of lines whose time or source is of another type', async () => {
  const { lines, until } = await listenTo({
    [history]: (_request, response) => answerJson(response, { items: [], nextCursor: null }),
    'GET /servers/events': (_request, response) =>
      beginEvents(response)('lines', {
        serverId: 's',
        lines: [
          { id: '1-1', text: 'one', time: 1_790_000_000, source: 4 },
          { id: '1-2', text: 'two', time: { at: 1 }, source: {} },
          { id: '1-3', text: 'three', time: 'yesterday', source: null },
        ],
      }),
  })
  await until(() => lines.length === 3)
  expect(lines).toEqual(['one', 'two', 'three'])
})

it('finds what of a page was there before, in pages of thousands of lines that repeat themselves', () => {
  const line = (text: string) => ({ id: null, time: 0, text, source: null })
  const many = Array.from({ length: 20_000 }, (_, at) => line(at % 2 ? 'tick' : 'tock'))
  expect(overlapOf(many.slice(0, 5000), many.slice(0, 5002))).toBe(5000)
  expect(overlapOf(many.slice(0, 5000), many.slice(0, 20_000))).toBe(5000)
  expect(overlapOf([], many)).toBe(0)
  expect(overlapOf(many, [])).toBe(0)
})

it('a history is told as read once its lines are there: before, it would look empty', async () => {
  const told: string[] = []
  await listenTo(
    { [history]: (_request, response) => answerJson(response, [{ text: 'a line' }, 7]) },
    {
      onPieces: () => told.push('lines'),
      onHistory: (_server, { read, leftOut }) => told.push(`read ${read}, left out ${leftOut}`),
    },
  )
  await expect.poll(() => told).toEqual(['lines', 'read true, left out 1'])
})
