import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LOST, plainly } from '../../../tests/doubles/services/drifting-answers.ts'
import {
  brokenEvent,
  type DriftingEvent,
  driftingEvent,
  eventKinds,
  messageOf,
} from '../../../tests/doubles/services/drifting-events.ts'
import { answerJson, type OddAnswer } from '../../../tests/doubles/services/odd-service.ts'
import { answersOfEach, seed } from '../../../tests/fixtures/seeds.ts'
import type { ConsolePiece } from '../../contract/bridge/values.ts'
import { listenTo } from './live-stream.fixture.ts'

/** The first mark: no message holds such a number. */
const MARK = 5_000_000_000

interface EventRecord {
  kind: string
  serverId: string
  value: unknown
}

const begins: OddAnswer = (_request, response) => answerJson(response, { items: [{ text: 'begins' }] })

/** A stream of a service whose console has lines without ids, and what the panel was told. */
async function stream() {
  const told: EventRecord[] = []
  const open: ServerResponse[] = []
  const tell =
    (kind: string) =>
    (serverId: string, value: unknown): void =>
      void told.push({ kind, serverId, value })
  const at = await listenTo(
    {
      'GET /servers/console/s': begins,
      'GET /servers/console/t': begins,
      'GET /servers/events'(_request, response) {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': begins\n\n')
        open.push(response)
      },
    },
    {
      servers: () => ['s', 't'],
      watched: () => ['s', 't'],
      onStatus(serverId, value) {
        tell('status')(serverId, value)
        marked(value.exitCode)
      },
      onStats: tell('stats'),
      onPlayers: tell('players'),
      onJob: tell('job'),
      onChanged: tell('changed'),
      onPieces: (serverId, pieces) => pieces.forEach((piece) => tell(piece.kind)(serverId, piece)),
    },
  )
  let marked: (mark: unknown) => void = () => undefined
  // What the console held before is told before the stream is asked for.
  while (open.length === 0) await new Promise(setImmediate)
  told.length = 0
  return {
    ...{ cache: at.cache, states: at.states, open },
    /** What is told of each of these messages. */
    async toldOf(events: readonly DriftingEvent[]): Promise<EventRecord[][]> {
      const parts: EventRecord[][] = []
      const all = new Promise<void>((resolve) => {
        marked = (mark) => {
          // What is told between two marks is told of the message between them.
          if (mark !== MARK + parts.length) return
          parts.push(told.splice(0).slice(0, -1))
          if (parts.length === events.length) resolve()
        }
      })
      for (const [at, { text }] of events.entries()) {
        const status = { status: 'online', exitCode: MARK + at }
        open.at(-1)?.write(text + messageOf('status', JSON.stringify({ serverId: 's', status })))
      }
      await all
      return parts
    },
  }
}
type Stream = Awaited<ReturnType<typeof stream>>

const drawn = (events: fc.Arbitrary<DriftingEvent>) => fc.sample(events, { numRuns: answersOfEach, seed })

/** The stream was never left, and is relied on. */
function expectLive({ open, states }: Stream): void {
  expect(open).toHaveLength(1)
  expect(states.at(-1)).toEqual({ state: 'live', asked: null })
}

/** What should be told of a message; lines are looked at by themselves. */
function expected({ facts }: DriftingEvent): unknown {
  if (facts === LOST) return []
  const { kind, serverId, value } = facts
  // Of a console whose lines have no ids nobody can say which ones are gone.
  if (kind === 'gap') return [{ kind, serverId, value: plainly({ kind, from: null, to: null }) }]
  return [{ kind, serverId, value: plainly(value[kind === 'changed' ? 'reads' : kind]) }]
}

/** Lines that were told, with whose they are. */
const textsOf = (told: readonly EventRecord[]): string[] =>
  told.flatMap(({ serverId, value }) => {
    const piece = value as ConsolePiece
    return piece.kind === 'lines' ? piece.batch.texts.map((text) => `${serverId} ${text}`) : []
  })

it.each(eventKinds.filter((kind) => kind !== 'lines'))(
  'tells what an event of the kind %s holds in whatever form it comes, and nothing else',
  async (kind) => {
    const at = await stream()
    const events = drawn(driftingEvent(kind, ['s', 't']))
    for (const [index, told] of (await at.toldOf(events)).entries()) {
      const event = events[index] as DriftingEvent
      const plain = told.map((one) => ({ ...one, value: plainly(one.value) }))
      expect(plain, event.text).toEqual(expected(event))
      // A window tells a hole whose beginning nobody knows by null.
      for (const { kind: piece, value } of told)
        if (piece === 'gap') expect((value as { from: unknown }).from, event.text).not.toBeUndefined()
    }
    expectLive(at)
  },
)

it('shows every line that holds a text in whatever form it comes, and nothing else', async () => {
  const at = await stream()
  const events = drawn(driftingEvent('lines', ['s', 't']))
  const shown = new Set<string>()
  for (const [index, told] of (await at.toldOf(events)).entries()) {
    const { text, facts } = events[index] as DriftingEvent
    const lines = facts === LOST ? [] : (facts.value['lines'] as { text: string }[])
    const serverId = facts === LOST ? null : facts.serverId
    const holds = lines.map((line) => `${serverId} ${line.text}`)
    const texts = textsOf(told)
    for (const one of texts) shown.add(one)
    expect(
      told.filter(({ kind }) => kind !== 'lines'),
      text,
    ).toEqual([])
    expect(
      texts.filter((one) => !holds.includes(one)),
      text,
    ).toEqual([])
    // One that came before, with the same id, is not shown twice.
    expect(
      holds.filter((one) => !shown.has(one)),
      text,
    ).toEqual([])
  }
  expectLive(at)
})

it('passes over what is no event, and goes on', async () => {
  const at = await stream()
  const events = drawn(brokenEvent('s'))
  for (const [index, told] of (await at.toldOf(events)).entries())
    expect(told, events[index]?.text.slice(0, 500)).toEqual([])
  expectLive(at)
})

it('keeps nothing of a server that was not asked for', async () => {
  const at = await stream()
  const events = drawn(fc.oneof(...eventKinds.map((kind) => driftingEvent(kind, ['u']))))
  for (const [index, told] of (await at.toldOf(events)).entries())
    expect(told, events[index]?.text).toEqual([])
  expect(await at.cache.linesBefore('c', 'u', null, 10)).toEqual([])
  expectLive(at)
})
