import { expect, it } from 'vitest'
import { addressOf } from './server-facts.ts'
import { initials } from './server-words.ts'

it('is short for a name with the first letters of its first two words, as people see them', () => {
  const names = ['survival', 'Sky Block', 'é_ä', 'a-b c', ' 7 days ', '', 'x', 'Harbor (copy)']
  expect(names.map(initials)).toEqual(['S', 'SB', 'ÉÄ', 'AB', '7D', '', 'X', 'HC'])
  // Several signs that are seen as one letter.
  const joined = ['e\u0301lan', 'हिन्दी', '👩‍🚀 🇩🇪', '©\ufe0f', 'n\u0303a x']
  expect(joined.map(initials)).toEqual(['E\u0301', 'हि', '👩‍🚀🇩🇪', '©\ufe0f', 'N\u0303X'])
})

it('shows an address as a game takes it, however the service wrote it', () => {
  const shown = (host: string, port?: number | null) => addressOf({ address: { host, port } })
  expect(shown('127.0.0.1:25565')).toBe('127.0.0.1:25565')
  expect(shown('127.0.0.1', 25565)).toBe('127.0.0.1:25565')
  expect(shown('::1', 25565)).toBe('[::1]:25565')
  expect(shown('[::1]:25570', 25570)).toBe('[::1]:25570')
  expect(shown('play.example.com')).toBe('play.example.com')
  expect(shown('', 25565)).toBeNull()
  expect(addressOf({})).toBeNull()
})
