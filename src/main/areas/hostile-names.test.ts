import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { answerJson, type OddAnswer } from '../../../tests/doubles/services/odd-service.ts'
import { operations } from '../../contract/areas/index.ts'
import type { Operation } from '../../contract/declarations/operation.ts'
import type { CallName } from '../../contract/bridge/calls.ts'
import type { Outcome } from '../../contract/bridge/problem.ts'
import { panelAt } from '../panel/panel.fixture.ts'

/** Inputs tried of each call. Another seed is tried with `FC_SEED=N`. */
const TRIED = 600
const seed = Number(process.env['FC_SEED'] ?? 20261122)

const hostileText = fc.oneof(
  fc.constantFrom('..', '.', '', 'a/b', '../../users/me', 'a?b=c', 'a#b', 'a:b', ':serverId', '%2e%2e', '\\'),
  fc.constantFrom('__proto__', 'constructor', 'a\nb', '\0', '\ud800', 'x'.repeat(201), 'x'.repeat(300_000)),
  fc.string(),
)
const hostile: fc.Arbitrary<unknown> = fc.oneof(hostileText, fc.anything({ maxDepth: 2 }))
const usual = (good: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 40, arbitrary: good }, { weight: 1, arbitrary: hostile })

/** Values that mostly fit a schema. */
function fitting(schema: z.ZodType | undefined): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional) return maybe(fitting(schema.unwrap() as z.ZodType))
  if (schema instanceof z.ZodObject)
    return fields(
      Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, one]) => [name, fitting(one)]),
    )
  if (schema instanceof z.ZodArray)
    return fc.array(fitting(schema.element as z.ZodType), { minLength: 1, maxLength: 3 })
  if (schema instanceof z.ZodEnum) return usual(fc.constantFrom(...schema.options))
  if (schema instanceof z.ZodNumber) return usual(fc.constantFrom(1, 512))
  return usual(fc.constantFrom('a', 'b1'))
}

/** An object of these fields, at times with others. */
function fields(all: [string, fc.Arbitrary<unknown>][]): fc.Arbitrary<unknown> {
  const usually = fc.record(Object.fromEntries(all))
  const strange = fc
    .tuple(usually, fc.constantFrom('__proto__', 'limit', 'cursor', 'token', 'constructor', 'x'), hostile)
    // As it would arrive: an own field, whatever it is called.
    .map(([known, name, value]) => Object.defineProperty({ ...known }, name, { value, enumerable: true }))
  return fc.oneof(
    { weight: 20, arbitrary: usually },
    { weight: 1, arbitrary: strange },
    { weight: 1, arbitrary: hostile },
  )
}

const names = ({ path }: Operation) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')

const maybe = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: undefined })
/** What a view takes beside its pages, which are main's. */
const queryOf = ({ kind, query = z.object({}) }: Operation) => {
  const shape = Object.entries(query.shape)
  const own = shape.filter(([name]) => kind === 'write' || !['limit', 'cursor'].includes(name))
  return fields(own.map(([name, one]) => [name, fitting(one)]))
}

/** What a window that was taken over may send as the input of a generic call. */
const asked = (call: CallName, field: 'view' | 'operation', connectionId: string) => {
  const likely = operations.filter(({ kind }) => (kind === 'read') === (field === 'view'))
  return fc
    .oneof({ weight: 5, arbitrary: fc.constantFrom(...likely) }, fc.constantFrom(...operations))
    .chain((op) => {
      const all: [string, fc.Arbitrary<unknown>][] = [
        [field, usual(fc.constant(op.id))],
        ['connectionId', usual(fc.constant(connectionId))],
        ['params', fields(names(op).map((name) => [name, usual(fc.constantFrom('a', 'é/b', 'c d'))]))],
        ['query', queryOf(op)],
      ]
      if (op.body) all.push(['body', fitting(op.body)])
      if (call === 'view.read') all.push(['again', maybe(fc.boolean())])
      return fields(all)
    })
}

/** The paths of all fields in a value. */
const pathsIn = (value: unknown, at = ''): string[] =>
  typeof value !== 'object' || value === null
    ? [at]
    : Array.isArray(value)
      ? value.flatMap((one) => pathsIn(one, `${at}[]`))
      : [at, ...Object.entries(value).flatMap(([name, one]) => pathsIn(one, `${at}.${name}`))]
const declaredPaths = (schema: z.ZodType | undefined, at = ''): string[] =>
  schema instanceof z.ZodOptional
    ? declaredPaths(schema.unwrap() as z.ZodType, at)
    : schema instanceof z.ZodArray
      ? declaredPaths(schema.element as z.ZodType, `${at}[]`)
      : schema instanceof z.ZodObject
        ? [
            at,
            ...Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, one]) =>
              declaredPaths(one, `${at}.${name}`),
            ),
          ]
        : [at]

/** Why a request is none that a declaration allows; null where it is one. */
function whyNot(method: string, url: URL, body: unknown): string | null {
  const parts = url.pathname.replace(/^\/api\/v1/, '').split('/')
  const op = operations.find((one) => {
    const declared = one.path.split('/')
    if (one.method !== method || declared.length !== parts.length) return false
    return declared.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
  })
  if (!op) return 'no operation'
  // What main asks for itself.
  if (['account.me', 'console.events', 'notifications.events', 'servers.list'].includes(op.id)) return null
  if (op.bridge !== 'pass') return `${op.id} is not passed on`
  const stray = [...url.searchParams.keys()].filter((name) => !Object.hasOwn(op.query?.shape ?? {}, name))
  if (stray.length > 0) return `${op.id} takes no ${stray.join()}`
  const declared = declaredPaths(op.body)
  const strayFields = body === undefined ? [] : pathsIn(body).filter((path) => !declared.includes(path))
  return strayFields.length > 0 ? `${op.id} takes no ${strayFields.join()}` : null
}

test.each([
  ['view.read', 'view'],
  ['view.leave', 'view'],
  ['operation.send', 'operation'],
] as const)(
  '%s sends what a declaration allows, and answers everything else with a problem',
  async (call, field) => {
    const faults: string[] = []
    let arrived = 0
    const service: OddAnswer = async (request, response, url) => {
      const sent = await buffer(request)
      const why = whyNot(request.method ?? '', url, sent.length > 0 ? JSON.parse(sent.toString()) : undefined)
      if (why) faults.push(`${request.method} ${url.pathname}${url.search} ${sent.toString()}: ${why}`)
      arrived++
      answerJson(response, { items: [], nextCursor: null })
    }
    const { panel, link, connectionId } = await panelAt({ '*': service })
    let passed = 0
    const allowed = new Set(operations.filter(({ bridge }) => bridge === 'pass').map(({ id }) => id))
    const before = arrived
    await fc.assert(
      fc.asyncProperty(asked(call, field, connectionId), async (input) => {
        const outcome: Outcome<unknown> = await panel.call(call, input, link)
        if (outcome.ok) {
          passed++
          expect(allowed).toContain((input as Record<string, string>)[field])
          return
        }
        expect(outcome.problem.message).toMatch(/\S/)
        expect(outcome.problem.code).not.toBe('internal')
      }),
      { numRuns: TRIED, seed },
    )
    // What is asked for behind an answer has arrived when the panel has closed.
    await panel.close()
    expect(faults).toEqual([])
    // A test in which nothing passes shows nothing.
    expect(passed).toBeGreaterThan(20)
    expect(arrived - before > 20).toBe(call !== 'view.leave')
  },
  120_000,
)
