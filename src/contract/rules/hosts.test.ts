import { expect, test } from 'vitest'
import { EXAROTON, hostKindOf, hostPanelOf, isExaroton, originIn } from './hosts.ts'

test.each([
  [EXAROTON, 'exaroton'],
  ['http://127.0.0.1:4000/exaroton/v1', 'exaroton'],
  ['http://[::1]/exaroton/v1', 'exaroton'],
  ['https://evil.example/exaroton/v1', null],
  ['http://127.0.0.1.evil.example/exaroton/v1', null],
  ['https://api.exaroton.com.evil.example/v1', null],
  ['https://panel.example.com/api/client', 'pterodactyl'],
  ['https://a.example/api/v1', null],
  ['', null],
] as const)('%s is of the kind %s', (baseUrl, kind) => {
  expect(hostKindOf(baseUrl)).toBe(kind)
})

test('exaroton is known by its names alone, and its panel is not where its API is', () => {
  expect(['exaroton.com', 'www.Exaroton.com', 'me.exaroton.me'].every(isExaroton)).toBe(true)
  expect(['notexaroton.com', 'exaroton.com.example'].some(isExaroton)).toBe(false)
  expect(hostPanelOf(EXAROTON)).toBe('https://exaroton.com/')
  expect(hostPanelOf('https://panel.example.com/api/client')).toBe('https://panel.example.com')
})

test.each([
  [' panel.example.com/server/1 ', 'https://panel.example.com'],
  ['http://localhost:8000', 'http://localhost:8000'],
  ['javascript:alert(1)', null],
  ['', null],
])('the origin in %j is %s', (typed, origin) => {
  expect(originIn(typed)).toBe(origin)
})
