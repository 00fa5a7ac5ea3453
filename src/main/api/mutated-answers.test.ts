import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../contract/areas/index.ts'
import type { Operation } from '../../contract/declarations/operation.ts'
import {
  brokenText,
  driftingAnswer,
  LOST,
  plainly,
  REFUSED,
} from '../../../tests/doubles/services/drifting-answers.ts'
import { answersOfEach, seed } from '../../../tests/fixtures/seeds.ts'
import { InMemoryDispatcher } from './answers-at-once.fixture.ts'
import { ApiClient } from './client.ts'
import { makeDispatcher } from './requests/transport.ts'
import { PanelProblem } from '../base/problem.ts'
import { type Listener, listen } from './test-listener.ts'

/** Of the answers of an operation; the others are broken. */
const DRIFTED = Math.ceil(answersOfEach * 0.6)

const line = makeDispatcher()
let listener: Listener
let client: ApiClient
/** What the service answers next. */
let next = { status: 200, type: 'application/json', text: '{}' }

beforeAll(async () => {
  listener = await listen((_request, response) => {
    response.writeHead(next.status, { 'content-type': next.type }).end(next.text)
  })
  client = new ApiClient({
    baseUrl: listener.baseUrl,
    dispatcher: new InMemoryDispatcher(() => next, line),
    token: async () => 'good',
    clock: { now: Date.now, elapsed: () => performance.now(), random: () => 0, sleep: async () => undefined },
  })
})
afterAll(async () => {
  await listener.stop()
  await line.close()
})

/** What the client makes of an answer: a value, or the problem a person is told. Anything else fails the test. */
async function outcome(op: Operation) {
  client.trust()
  const params = Object.fromEntries([...op.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, 'a1']))
  try {
    const { value } = await client.send(op, { params, query: {}, ...(op.kind === 'write' && { body: {} }) })
    return { kind: 'value' as const, value: value }
  } catch (error) {
    if (!(error instanceof PanelProblem)) throw error
    return { kind: 'problem' as const, problem: error.problem }
  }
}

const needsAnswer = ({ answer }: Operation) => answer.kind === 'json' && answer.needed === true

const answering = operations.filter(
  ({ kind, answer }) => kind === 'write' || answer.kind === 'json' || answer.kind === 'list',
)

describe.each(answering.map((op) => [op.id, op] as const))('%s', (_id, op) => {
  test.skipIf(op.answer.kind === 'none')(
    'finds the facts in whatever form they come, and loses nothing beside what is not there',
    async () => {
      await fc.assert(
        fc.asyncProperty(driftingAnswer(op), async ({ text, facts, complete }) => {
          next = { status: 200, type: 'application/json', text }
          const found = await outcome(op)
          if (facts === REFUSED) {
            expect(found).toMatchObject({ kind: 'problem', problem: { code: 'invalid' } })
            return
          }
          if (facts === LOST && op.kind === 'write' && !needsAnswer(op)) {
            // It was done all the same.
            expect(found).toEqual({ kind: 'value', value: null })
            return
          }
          if (facts === LOST) {
            expect(found).toMatchObject({ kind: 'problem', problem: { code: 'incompatible' } })
            return
          }
          const value =
            found.kind === 'value' && op.answer.kind === 'list'
              ? (found.value as { items: unknown }).items
              : found
          if (complete !== undefined) expect(found).toMatchObject({ value: { complete } })
          expect(plainly(value)).toEqual(
            plainly(op.answer.kind === 'list' ? facts : { kind: 'value', value: facts }),
          )
        }),
        { numRuns: DRIFTED, seed },
      )
    },
  )

  test('makes a value or a problem of anything, and nothing else', async () => {
    const anything = driftingAnswer(op).chain(({ text }) => brokenText(text))
    const status = fc.constantFrom(
      200,
      200,
      200,
      201,
      204,
      206,
      302,
      400,
      401,
      403,
      404,
      409,
      422,
      429,
      500,
      503,
    )
    const type = fc.constantFrom('application/json', 'text/plain', 'text/html', 'image/png', 'nonsense')
    await fc.assert(
      fc.asyncProperty(anything, status, type, async (text, code, contentType) => {
        next = { status: code, type: contentType, text: code === 204 ? '' : text }
        const found = await outcome(op)
        // What is not offered, or whose list is not, is not asked again: the next answer has to be looked at too.
        client.offered.askAgain()
        if (found.kind === 'problem') expect(found.problem.message).toMatch(/\S/)
        if (contentType === 'text/html' && code < 204) expect(found.kind).toBe('problem')
        // A write that was answered with success is done, or not confirmed; never is it said to have failed.
        if (op.kind === 'write' && code < 300 && !needsAnswer(op) && found.kind === 'problem')
          expect(found.problem).toMatchObject({ code: 'unconfirmed', unsure: true })
        if (op.kind === 'write' && code >= 400 && code < 500 && found.kind === 'problem')
          expect(found.problem.unsure).toBeUndefined()
      }),
      { numRuns: answersOfEach - DRIFTED, seed },
    )
  })
})
