import { expect, test } from 'vitest'
import { readError } from './error.ts'

const both = { code: 'name.taken', message: 'This name is taken.' }

test.each([
  ["the contract's", { error: { ...both, requestId: 'r1' } }, { ...both, requestId: 'r1' }],
  ['bare', both, both],
  ['a text', { error: 'This name is taken.' }, { message: both.message }],
  ['a code and a text', { error: 'name.taken', message: both.message }, both],
  ['OAuth', { error: 'invalid_grant', error_description: 'No.' }, { code: 'invalid_grant', message: 'No.' }],
  [
    'problem details',
    { type: 'about:blank', title: 'Taken', detail: both.message, status: 409 },
    { message: both.message },
  ],
  ['a list', { errors: [{ code: 'name.taken', detail: both.message }] }, both],
  ['a list of texts', { errors: ['This name is taken.'] }, { message: both.message }],
  [
    'fields as a record of lists',
    { message: 'Look again.', errors: { name: ['Too long.'], port: ['Taken.', 'Low.'] } },
    { message: 'Look again.', fields: { name: ['Too long.'], port: ['Taken.', 'Low.'] } },
  ],
  [
    'the sentences at its fields',
    {
      error: {
        fields: { name: ['Too long.'] },
        fieldSentences: {
          name: { sentence: 'request.invalid.long', values: { count: 80, odd: {} } },
          port: { sentence: 'In my own words.' },
          size: 7,
        },
      },
    },
    {
      fields: { name: ['Too long.'] },
      fieldSentences: { name: { sentence: 'request.invalid.long', values: { count: 80 } } },
    },
  ],
  [
    'fields as a record of texts',
    { error: { message: 'Look again.', fields: { name: 'Too long.' } } },
    { message: 'Look again.', fields: { name: ['Too long.'] } },
  ],
  [
    'fields as a list',
    { error: { message: 'Look again.', errors: [{ field: 'name', message: 'Too long.' }] } },
    { message: 'Look again.', fields: { name: ['Too long.'] } },
  ],
  [
    'one field of another kind costs no other',
    { error: { code: {}, message: 'No.', fields: 7 } },
    { message: 'No.' },
  ],
  ['a number as a code', { code: 4001, message: 'No.' }, { code: '4001', message: 'No.' }],
  ['a short name for the words', { success: false, msg: 'No.' }, { message: 'No.' }],
  ['a text', 'No.', { message: 'No.' }],
])('an error is read: %s', (_form, body, wanted) => {
  expect(readError(JSON.stringify(body))).toEqual(wanted)
})

test.each([
  ['OK', { message: 'OK' }],
  ['a success', { message: 'Success!' }],
  ['the words of a status', { statusCode: 422, message: 'Unprocessable Entity' }],
  ['the words of a status alone', { message: 'Bad Request', error: 'Bad Request' }],
  ['that something went wrong', { error: { message: 'Something went wrong.' } }],
  ['nothing in words', { error: { message: 'null' }, message: '-' }],
])('no reason is read where what stands in its place is %s', (_what, body) => {
  expect(readError(JSON.stringify(body))?.message).toBeUndefined()
})

test('a phrase that says nothing does not stand before a reason', () => {
  expect(readError('{"message": "OK", "reason": "It sleeps."}')).toEqual({ message: 'It sleeps.' })
  expect(readError('{"error": "Bad Request", "message": "It sleeps."}')).toEqual({ message: 'It sleeps.' })
})

test.each(['', 'no', '<html>', '[]', '7', 'null', '{}', '{"servers": []}'])('there is none in %j', (body) => {
  expect(readError(body)).toBeNull()
})

test('what a service says of an error is bounded', () => {
  const fields = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`f${at}`, Array.from({ length: 20 }, () => 'x'.repeat(3000))]),
  )
  const error = readError(JSON.stringify({ error: { message: 'y'.repeat(100_000), fields } }))
  expect(error?.message).toHaveLength(2000)
  expect(Object.keys(error?.fields ?? {})).toHaveLength(50)
  expect(error?.fields?.['f0']?.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 2000))
  const hostile = readError('{"errors": {"__proto__": ["a"], "constructor": ["b"]}}')
  expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  expect(hostile?.fields?.['constructor']).toEqual(['b'])
})

test('which sentence of the contract it is stands beside its code, with what stands in it', () => {
  const told = {
    code: 'files.exists',
    message: 'a is there.',
    sentence: 'files.exists',
    values: { path: 'a', n: 2 },
  }
  expect(readError(JSON.stringify({ error: told }))).toEqual(told)
  const odd = { ...told, values: { path: { a: 1 }, n: 2 } }
  expect(readError(JSON.stringify({ error: odd }))).toEqual({ ...told, values: { n: 2 } })
  for (const sentence of [5, '', 'A sentence of words'])
    expect(readError(JSON.stringify({ error: { ...told, sentence } }))).not.toHaveProperty('sentence')
})
