import { expect, it } from 'vitest'
import { countless } from '../../../tests/fixtures/large-answers.ts'
import { answerJson, beginEvents } from '../../../tests/doubles/services/odd-service.ts'
import { AnswerComplexityError } from '../api/body/unpack.ts'
import { Findings } from '../api/reader/drift.ts'
import { listenTo } from './live-stream.fixture.ts'
import { readEvent } from './stream-events.ts'

const MIB = 1024 * 1024
const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `1-${at + 1}`, text: `line ${at + 1}` }))

it.each(Object.entries(countless))('an event of countless %s is not parsed', (_name, make) => {
  for (const name of ['lines', 'status', 'message'])
    expect(() => readEvent(name, make(4 * MIB), new Findings())).toThrow(AnswerComplexityError)
})

it.each(['status', 'job', 'changed'])('an event %s is not read where no such event is so large', (name) => {
  const values = { id: 'a', reads: Array.from({ length: 4000 }, () => 'a'), status: { status: 'online' } }
  const event = (more: object) => JSON.stringify({ serverId: 's', job: values, ...values, ...more })
  expect(() => readEvent(name, event({}), new Findings())).toThrow(AnswerComplexityError)
  expect(readEvent('status', event({ job: {}, reads: [] }), new Findings())).toMatchObject({ kind: 'status' })
})

it('a stream goes on after an event that is too large, and lines by the ten thousand are taken in their order', async () => {
  const at = await listenTo({
    'GET /servers/console/s': (_request, response) => answerJson(response, { items: [], nextCursor: null }),
    'GET /servers/events': (_request, response) => {
      const send = beginEvents(response)
      send('lines', { serverId: 's', lines: Array.from({ length: 300_000 }, () => []) })
      send('lines', { serverId: 's', lines: lines(12_000) })
    },
  })
  await at.until(() => at.lines.length >= 12_000)
  expect(at.lines).toEqual(lines(12_000).map(({ text }) => text))
})
