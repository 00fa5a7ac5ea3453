import { expect, it } from 'vitest'
import { initials } from './server-words.ts'

it('is short for a name with the first letters of its first two words, as people see them', () => {
  const names = ['survival', 'Sky Block', 'é_ä', 'a-b c', ' 7 days ', '', 'x']
  expect(names.map(initials)).toEqual(['S', 'SB', 'ÉÄ', 'AB', '7D', '', 'X'])
  // Several signs that are seen as one letter.
  const joined = ['e\u0301lan', 'हिन्दी', '👩‍🚀 🇩🇪', '©\ufe0f', 'n\u0303a x']
  expect(joined.map(initials)).toEqual(['E\u0301', 'हि', '👩‍🚀🇩🇪', '©\ufe0f', 'N\u0303X'])
})
