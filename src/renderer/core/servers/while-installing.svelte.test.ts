import { expect, test } from 'vitest'
import type { StatusKind } from './status.ts'
import { whileInstalling } from './server-facts.ts'

const at = (kind: StatusKind, since: string | null) => ({ kind, since })

test('what was begun is under way from before it is seen until it is over', () => {
  const server = at('offline', '2026-01-01T10:00:00Z')
  const holds = whileInstalling(server)
  expect(holds()).toBe(true)
  Object.assign(server, at('installing', '2026-01-01T10:01:00Z'))
  expect(holds()).toBe(true)
  Object.assign(server, at('offline', '2026-01-01T10:02:00Z'))
  expect(holds()).toBe(false)
})

test('what was over before anybody saw it is not under way any more', () => {
  const server = at('offline', '2026-01-01T10:00:00Z')
  const holds = whileInstalling(server)
  Object.assign(server, at('offline', '2026-01-01T10:02:00Z'))
  expect(holds()).toBe(false)
})

test('where a service does not tell since when, it is over once it was seen and is gone', () => {
  const server = at('offline', null)
  const holds = whileInstalling(server)
  expect(holds()).toBe(true)
  Object.assign(server, at('installing', null))
  expect(holds()).toBe(true)
  Object.assign(server, at('crashed', null))
  expect(holds()).toBe(false)
})
