import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { operations } from './index.ts'

/** Rows of the specification's tables that name a path: `| POST | /a |` or `| /a |`. */
const stated = readFileSync(new URL('../../../docs/spec/hosting-control-api.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const row = /^\| (?:(GET|POST|PUT|PATCH|DELETE) \| )?`(\/[^`]+)` \| (.*) \|$/.exec(line)
    return row ? [{ method: row[1] ?? null, path: row[2] ?? '', purpose: row[3] ?? '' }] : []
  })

const at = (path: string) => operations.filter((op) => op.path === path)

describe('the contract holds what the specification states', () => {
  test('its tables are read: six operations with a method, three paths without', () => {
    expect(stated.filter(({ method }) => method !== null)).toHaveLength(6)
    expect(stated.filter(({ method }) => method === null)).toHaveLength(3)
  })

  for (const { method, path } of stated.filter((row) => row.method !== null)) {
    test(`${method} ${path} is declared, method and path as stated`, () => {
      const op = at(path).find((one) => one.method === method)
      expect(op?.origin).toEqual({ path: 'stated', method: 'stated', shape: 'assumed' })
    })
  }

  for (const { path } of stated.filter((row) => row.method === null)) {
    test(`${path} is declared, its path as stated and its method as assumed`, () => {
      const origins = at(path).map((op) => op.origin)
      expect(origins).toContainEqual({ path: 'stated', method: 'assumed', shape: 'assumed' })
    })
  }

  test('nothing else claims to be stated', () => {
    const claimed = operations.filter((op) => Object.values(op.origin).includes('stated'))
    expect(claimed.map((op) => op.path).sort()).toEqual(stated.map((row) => row.path).sort())
  })

  test('what the tables call authenticated needs the token (§4, §5)', () => {
    for (const { path, purpose } of stated) {
      if (!/Authenticated\.|authenticated account|bearer token/.test(purpose)) continue
      for (const op of at(path)) expect(op, op.id).toMatchObject({ token: true })
    }
    for (const op of operations.filter(({ path }) => path.startsWith('/servers'))) {
      expect(op, op.id).toMatchObject({ token: true })
    }
  })

  test('what is used before a token exists needs none (§5)', () => {
    for (const path of [
      '/auth/email/resend',
      '/auth/email/confirm',
      '/auth/password/forgot',
      '/auth/password/reset',
    ]) {
      for (const op of at(path)) expect(op, op.id).toMatchObject({ token: false })
    }
    for (const op of at('/auth/google')) expect(op).toMatchObject({ token: false })
  })
})

describe('the declarations are sound', () => {
  test('ids are unique and begin with their area', () => {
    expect(new Set(operations.map((op) => op.id)).size).toBe(operations.length)
    for (const op of operations) expect(op.id.startsWith(`${op.area}.`), op.id).toBe(true)
  })

  test('no two operations share method and path, whatever their parameters are called', () => {
    const places = operations.map((op) => `${op.method} ${op.path.replaceAll(/:\w+/g, ':')}`)
    expect(new Set(places).size).toBe(places.length)
  })

  test('a path begins with one slash, ends in none, and holds no query', () => {
    for (const { path } of operations) expect(path).toMatch(/^(\/:?[a-zA-Z]+(-[a-z]+)*)+$/)
  })

  test('a GET has no body and makes nothing stale', () => {
    for (const op of operations.filter(({ method }) => method === 'GET')) {
      expect(op.body, op.id).toBeUndefined()
      expect(op.stale, op.id).toEqual([])
    }
  })

  test('every mutation of a server says what it makes stale (§4)', () => {
    const mutations = operations.filter((op) => op.method !== 'GET' && op.path.startsWith('/servers'))
    expect(mutations.length).toBeGreaterThan(3)
    for (const op of mutations) expect(op.stale, op.id).not.toEqual([])
  })
})
