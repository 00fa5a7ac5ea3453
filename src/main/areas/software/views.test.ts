import { expect, test } from 'vitest'
import { answerJson, type OddAnswer } from '../../../../tests/doubles/services/odd-service.ts'
import type { ViewValue } from '../../../contract/bridge/passed.ts'
import { panelAt } from '../../panel/panel.fixture.ts'

const catalog = [
  { id: 'paper', name: 'Paper' },
  { id: 'demo', name: 'Demo' },
]
const items =
  (all: object[]): OddAnswer =>
  (_request, response) =>
    answerJson(response, { items: all, nextCursor: null })
const refused: OddAnswer = (_request, response) =>
  answerJson(response, { error: { code: 'software.busy', message: 'Later.' } }, 422)

/** What a panel shows of the software of a service that answers so. */
async function shownOf(routes: Record<string, OddAnswer>) {
  const { view, until, connectionId } = await panelAt({ 'GET /software': items(catalog), ...routes })
  await view('software.list', { connectionId })
  const { now } = await until(
    'view',
    ({ view, now }) => view === 'software.list' && (now.value !== null || now.problem !== null),
  )
  return now
}

test('software whose versions could not be read is offered beside the others, and nobody says that it has none', async () => {
  const { value, problem } = await shownOf({
    'GET /software/paper/versions': refused,
    'GET /software/demo/versions': items([{ id: '1.21' }]),
  })
  expect(problem).toBeNull()
  expect(value).toEqual({
    items: [
      { id: 'paper', name: 'Paper', versions: [] },
      { id: 'demo', name: 'Demo', versions: [{ id: '1.21' }] },
    ],
    leftOut: [],
    more: 'perhaps',
  })
})

test('software whose catalog the service cannot reach says so', async () => {
  const unreachable: OddAnswer = (_request, response) =>
    answerJson(response, { error: { code: 'software.catalogue-unreachable', message: 'Away.' } }, 503)
  const { value } = await shownOf({
    'GET /software/paper/versions': unreachable,
    'GET /software/demo/versions': items([{ id: '1.21' }]),
  })
  expect(value).toMatchObject({
    items: [
      { id: 'paper', versions: [], unreached: true },
      { id: 'demo', versions: [{ id: '1.21' }] },
    ],
  })
})

test('where the versions of no software could be read, that is the answer', async () => {
  const { value, problem } = await shownOf({
    'GET /software/paper/versions': refused,
    'GET /software/demo/versions': refused,
  })
  expect(value).toBeNull()
  expect(problem).toMatchObject({ serviceCode: 'software.busy' })
})

test('a service that offers no software says so', async () => {
  const { value, problem } = await shownOf({ 'GET /software': items([]) })
  expect(problem).toBeNull()
  expect(value).toEqual({ items: [], leftOut: [], more: false })
})

test('what is odd in one extension of the catalog costs that field alone', async () => {
  const { value } = await shownOf({
    'GET /software': items([
      { id: 'paper', name: 'Paper', license: 'GPL-3.0' },
      { id: 'demo', name: 'Demo', license: { name: 'MIT' } },
    ]),
    'GET /software/paper/versions': items([
      { id: '1.21', channel: 7, releasedAt: 'yesterday' },
      { id: '1.20', channel: 'beta' },
    ]),
    'GET /software/demo/versions': items([{ id: '1', channel: null, releasedAt: null }]),
  })
  expect(value).toMatchObject({ leftOut: [], more: false })
  const all = (value as { items: { id: string; license?: unknown; versions: object[] }[] }).items
  expect(all.map(({ id, license }) => [id, license])).toEqual([
    ['paper', undefined],
    ['demo', undefined],
  ])
  expect(all[0]?.versions[0]).toHaveProperty('id', '1.21')
  expect(all[0]?.versions[1]).toEqual({ id: '1.20', channel: { kind: 'unknown', raw: 'beta' } })
})

test('versions that the service had to keep say of which time they are, and no others', async () => {
  const before = Date.now()
  const { value } = await shownOf({
    'GET /software/paper/versions': (_request, response) => {
      response.setHeader('Age', '3600')
      answerJson(response, { items: [{ id: '1.21' }], nextCursor: null })
    },
    'GET /software/demo/versions': items([{ id: '1.21' }]),
  })
  const [paper, demo] = (value as ViewValue<'software.list'> | null)?.items ?? []
  const since = Date.parse(paper?.heldSince ?? '') + 3_600_000
  expect(since).toBeGreaterThanOrEqual(before)
  expect(since).toBeLessThanOrEqual(Date.now())
  expect(demo).not.toHaveProperty('heldSince')
})
