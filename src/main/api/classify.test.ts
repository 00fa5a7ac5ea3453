import { expect, test } from 'vitest'
import type { Problem } from '../../contract/bridge/problem.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { type ResponseSummary, classify } from './classify.ts'

const offline: Problem = { code: 'offline', message: 'Away.', retryable: true }
const one = { id: 'servers.status', path: '/servers/status/:serverId' }
const all = { id: 'servers.list', path: '/servers' }
const versions = { id: 'software.versions', path: '/software/:softwareId/versions' }
const now = Date.parse('2026-11-20T12:00:00Z')

type Row = [sentence: string, arrived: Partial<ResponseSummary>, expected: string, part?: Partial<Problem>]

const rows: Row[] = [
  ['401 with a token asks for the check', { status: 401, tokenSent: true }, 'check-token'],
  [
    '401 with a token that the check confirms',
    { status: 401, tokenSent: true, tokenCheck: { kind: 'rejected' } },
    'signed-out',
    { retryable: false },
  ],
  [
    '401 with a token where nothing can be asked is its own check',
    { status: 401, tokenSent: true, tokenCheck: { kind: 'unavailable' } },
    'signed-out',
  ],
  [
    '401 with a token that the check finds valid',
    { status: 401, tokenSent: true, tokenCheck: { kind: 'valid' } },
    'invalid',
  ],
  [
    '401 with a token while the check finds nobody ends nothing',
    { status: 401, tokenSent: true, tokenCheck: { kind: 'failed', problem: offline } },
    'offline',
  ],
  [
    '401 without a token: a wrong password',
    { status: 401, error: { code: 'auth.wrong', message: 'Wrong.' } },
    'invalid',
    { serviceCode: 'auth.wrong', message: 'Wrong.' },
  ],
  [
    '403',
    { status: 403, error: { code: 'account.unconfirmed' } },
    'forbidden',
    { serviceCode: 'account.unconfirmed' },
  ],
  ['404 whose code says not found', { status: 404, error: { code: 'server.not-found' } }, 'not-found'],
  ['404 whose whole code is not-found', { status: 404, error: { code: 'not-found' } }, 'not-found'],
  [
    '404 with the id of a server and another code',
    { status: 404, error: { code: 'route.none' } },
    'check-list',
  ],
  ['404 with the id of a server and no code', { status: 404 }, 'check-list'],
  [
    '404 of a server that the list no longer holds',
    { status: 404, listCheck: { kind: 'gone' } },
    'not-found',
  ],
  [
    '404 of a server that the list still holds',
    { status: 404, listCheck: { kind: 'there' } },
    'unavailable',
    { detail: 'servers.status' },
  ],
  ['404 where there is no list', { status: 404, listCheck: { kind: 'unavailable' } }, 'unavailable'],
  [
    '404 while the list cannot be had',
    { status: 404, listCheck: { kind: 'failed', problem: offline } },
    'offline',
  ],
  ['404 with path parameters that are no server', { op: versions, status: 404 }, 'unavailable'],
  [
    '404 without path parameters, even with a code',
    { op: all, status: 404, error: { code: 'route.not-found' } },
    'unavailable',
    { detail: 'servers.list' },
  ],
  ['405', { status: 405 }, 'unavailable'],
  ['501', { status: 501 }, 'unavailable', { retryable: false, detail: 'servers.status' }],
  [
    '400 with fields',
    { status: 400, error: { fields: { name: ['Too long.'] } } },
    'invalid',
    { fields: { name: ['Too long.'] } },
  ],
  ['413', { status: 413 }, 'too-large'],
  ['415', { status: 415 }, 'invalid'],
  ['422', { status: 422, error: { fields: { code: ['No.'] } } }, 'invalid', { fields: { code: ['No.'] } }],
  [
    '409',
    { status: 409, error: { code: 'server.not-online' } },
    'conflict',
    { serviceCode: 'server.not-online' },
  ],
  ['412', { status: 412 }, 'changed'],
  ['410', { status: 410 }, 'incompatible', { detail: 'status' }],
  ['426', { status: 426 }, 'incompatible'],
  [
    'a redirect that is not followed',
    { status: 302, redirect: localized('answer.redirects-in-circle') },
    'incompatible',
    { message: 'The service redirects in a circle.' },
  ],
  ['304, which nobody asked for', { status: 304 }, 'incompatible'],
  ['another 4xx', { status: 418 }, 'incompatible'],
  ['402', { status: 402 }, 'incompatible'],
  [
    'a 2xx that does not fit names the field',
    {
      status: 200,
      fit: { kind: 'misfit', path: 'user.id', why: localized('answer.field', { field: 'user.id' }) },
    },
    'incompatible',
    { detail: 'user.id', retryable: false },
  ],
  [
    'a 2xx whose body is broken',
    { status: 200, fit: { kind: 'broken', why: localized('answer.cut') } },
    'service-failed',
  ],
  ['a 2xx that fits', { status: 200, fit: { kind: 'fits' } }, 'ok'],
  ['another 2xx than declared', { status: 206, fit: { kind: 'fits' } }, 'ok'],
  ['429 with seconds', { status: 429, retryAfter: '7' }, 'rate-limited', { retryAfter: 7, retryable: true }],
  [
    '429 with a date',
    { status: 429, retryAfter: 'Fri, 20 Nov 2026 12:00:30 GMT' },
    'rate-limited',
    { retryAfter: 30 },
  ],
  [
    '429 with a wait beyond reason',
    { status: 429, retryAfter: '999999999' },
    'rate-limited',
    { retryAfter: 3600 },
  ],
  ['429 with nonsense', { status: 429, retryAfter: 'soon' }, 'rate-limited', { retryAfter: undefined }],
  ['500', { status: 500 }, 'service-failed', { retryable: true }],
  [
    '423 with Retry-After',
    { status: 423, retryAfter: '120', error: { code: 'exaroton.moving-files', message: 'Later.' } },
    'service-failed',
    { retryAfter: 120, detail: 'busy', retryable: true, serviceCode: 'exaroton.moving-files' },
  ],
  [
    '503 with Retry-After',
    { status: 503, retryAfter: '3' },
    'service-failed',
    { retryAfter: 3, detail: 'not-now' },
  ],
  [
    '507: no room, which trying again does not make',
    { status: 507, error: { code: 'files.quota', message: 'Full.' } },
    'service-failed',
    { retryable: false, serviceCode: 'files.quota', message: 'Full.', detail: 'no-room' },
  ],
  ['507 without a code', { status: 507 }, 'service-failed', { retryable: false, detail: 'no-room' }],
  [
    '409 of a name that is taken',
    { status: 409, error: { code: 'files.exists' } },
    'conflict',
    { serviceCode: 'files.exists', retryable: false },
  ],
  [
    'a code by which a service would speak for this computer',
    { status: 409, error: { code: 'computer.database', message: 'Your files are damaged.' } },
    'conflict',
    { serviceCode: undefined, message: 'Your files are damaged.' },
  ],
  ['a status the caller takes as an answer', { status: 416, accept: [416] }, 'ok'],
  ['404 of something an operation made', { status: 404, below: true }, 'not-found'],
  ['410 of something an operation made', { status: 410, below: true }, 'not-found'],
  ['a 5xx nobody knows', { status: 599 }, 'service-failed'],
]

test.each(rows)('%s', (_sentence, arrived, expected, part) => {
  const verdict = classify({ op: one, status: 0, error: null, tokenSent: false, now, ...arrived })
  expect(verdict.kind === 'problem' ? verdict.problem.code : verdict.kind).toBe(expected)
  for (const [name, value] of Object.entries(part ?? {})) {
    expect((verdict as { problem: Problem }).problem[name as keyof Problem]).toEqual(value)
  }
})

test('every status that HTTP can carry has exactly one class', () => {
  for (let status = 200; status < 600; status++) {
    expect(classify({ op: one, status, error: null, tokenSent: true, now }).kind).toMatch(/ok|check|problem/)
  }
})
