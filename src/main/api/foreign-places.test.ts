import { describe, expect, test } from 'vitest'
import { api } from '../../contract/areas/index.ts'
import { readValue } from './answers/read-answer.ts'

// Where others put a token, and histories that are no lists.

const { account, console: consoles, files } = api

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
const signedIn = (body: unknown, headers: Record<string, string> = {}, contentType = 'application/json') =>
  readValue(account.signIn, typeof body === 'string' ? body : JSON.stringify(body), { contentType, headers })

describe('a token is found where services put it', () => {
  test.each<[string, unknown, Record<string, string>?]>([
    ['of an access and a refresh', { refresh: 'r'.repeat(20), access: JWT }],
    [
      'with its times',
      { tokens: { access: { token: JWT, expires: '2026-11-20' }, refresh: { token: 'r' } } },
    ],
    ['among tokens', { user: { id: 1 }, tokens: { accessToken: JWT, refreshToken: 'r' } }],
    ['as a key', { key: JWT }],
    ['as a JWT', { jwt: JWT }],
    ['in data', { data: { token: JWT } }],
    ['in data among tokens', { data: { tokens: { access: JWT } } }],
    ['in attributes', { object: 'session', attributes: { token: JWT } }],
    ['by JSON:API', { data: { type: 'tokens', id: '1', attributes: { access_token: JWT } } }],
    ['in a token', { token: { plainTextToken: JWT } }],
    ['in an authorization', { status: 'success', authorization: { token: JWT, type: 'bearer' } }],
    ['in a header', { user: { id: 1 } }, { authorization: `Bearer ${JWT}` }],
    ['in a header without a word', {}, { authorization: JWT }],
    ['in a header of its own', '', { 'x-auth-token': JWT }],
    ['in a header beside a text', 'OK', { 'x-auth-token': JWT }],
    ['in a header beside an envelope', { data: { user: { id: 1 } } }, { 'x-auth-token': JWT }],
  ])('%s', (_where, body, headers) => {
    expect(signedIn(body, headers)).toMatchObject({ fit: { kind: 'fits' }, value: { token: JWT } })
  })

  test('whose account it is stands beside it', () => {
    const user = { id: '1', name: 'Ann' }
    expect(signedIn({ user, tokens: { access: { token: JWT } } }).value).toMatchObject({ user })
    expect(signedIn({ data: { user } }, { authorization: JWT }).value).toMatchObject({ user })
    expect(signedIn({ token: 'of-the-body', user }, { authorization: JWT }).value).toMatchObject({
      token: 'of-the-body',
    })
  })

  test.each<[string, unknown, Record<string, string>?]>([
    ['for refreshing', { refresh: JWT, tokens: { refresh: { token: JWT } } }],
    ['for a reset', { reset: { token: JWT }, resetToken: JWT, csrf: JWT, csrfToken: JWT }],
    ['that is a word', { access: 'granted', key: 'auth.two_factor_required' }],
    ['of two that nobody can tell apart', { access: JWT, key: JWT }],
    ['in two places', { tokens: { token: JWT }, auth: { token: 'another' } }],
    ['in a list', { tokens: [{ token: JWT }] }],
    ['deeper than anybody puts it', { auth: { tokens: { access: { token: { token: JWT } } } } }],
    ['in a header that is for something else', {}, { 'x-csrf-token': JWT, 'set-cookie': `token=${JWT}` }],
    ['in a header that only says how', {}, { authorization: 'Bearer' }],
    ['in a header of two words', {}, { authorization: `Basic ${JWT}` }],
    ['beside a text that was cut', '{"user":', { authorization: JWT }],
    ['beside a refusal', { success: false }, { authorization: JWT }],
    ['beside a page', '<!doctype html><p>Sign in', { authorization: JWT }],
  ])('none is one %s', (_where, body, headers) => {
    expect(signedIn(body, headers).fit.kind).not.toBe('fits')
  })
})

describe('a history that comes as one text', () => {
  const history = (body: string, contentType = 'text/plain; charset=utf-8') =>
    readValue(consoles.history, body, { contentType })
  const texts = (body: string, contentType?: string) =>
    (history(body, contentType).value as { items: { text: string }[] } | undefined)?.items.map(
      ({ text }) => text,
    )

  test.each<[string, string, string | undefined, string[]]>([
    ['ends with a line', 'a\nb\n', undefined, ['a', 'b']],
    ['ends within one', 'a\r\n\r\nb', undefined, ['a', '', 'b']],
    ['is JSON', JSON.stringify('a\nb'), 'application/json', ['a', 'b']],
    ['has a name', JSON.stringify({ logs: 'a\nb\n' }), 'application/json', ['a', 'b']],
    ['lies in an envelope', JSON.stringify({ data: { output: 'a' } }), 'application/json', ['a']],
  ])('and %s is read line by line', (_how, body, contentType, lines) => {
    expect(texts(body, contentType)).toEqual(lines)
  })

  test.each<[string, string, string?]>([
    ['a word', 'OK'],
    ['cut JSON', '{"items":[\n{"text":"a"'],
    ['nothing', ''],
    ['lines of nothing', '\n\n'],
    ['bytes', 'a\u0000\nb\n'],
    ['of another kind', 'a\nb\n', 'application/octet-stream'],
    ['a page', '<p>\na</p>\n'],
    ['nothing under a name', JSON.stringify({ log: '' }), 'application/json'],
    ['a message', JSON.stringify({ message: 'Not\nnow' }), 'application/json'],
  ])('is none where it is %s', (_what, body, contentType) => {
    expect(texts(body, contentType)).toBeUndefined()
  })

  test('is none where a list stands beside it', () => {
    expect(texts(JSON.stringify({ log: 'latest.log', lines: ['a'] }), 'application/json')).toEqual(['a'])
  })

  test('gives its last lines where it has more than anybody reads, and says that there are more', () => {
    const value = history('x\n'.repeat(50_000) + 'last').value as {
      items: { text: string }[]
      complete: boolean
    }
    expect(value.items).toHaveLength(20_000)
    expect(value.items.at(-1)?.text).toBe('last')
    expect(value.complete).toBe(false)
  })

  test('and no other list does', () => {
    expect(readValue(files.list, 'a\nb\n', { contentType: 'text/plain' }).fit.kind).toBe('broken')
  })
})
