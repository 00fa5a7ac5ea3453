import { expect, it } from 'vitest'
import { inlined } from './inlined.js'

const tag = '<script type="module" crossorigin src="./assets/a.js"></script>'

it('puts a script where it was loaded, with nothing in it taken for something else', () => {
  expect(inlined(`<head>${tag}</head>`, 'assets/a.js', 'const dollar = "$&"\n')).toBe(
    '<head><script>(()=>{"use strict";const dollar = "$&"\n})()</script></head>',
  )
})

it.each([
  ['does not load it', '<head></head>', 'x()'],
  ['loads it twice', tag + tag, 'x()'],
  ['would end before its end', tag, 'x("</script>")'],
])('refuses a page that %s', (_, html, code) => {
  expect(() => inlined(html, 'assets/a.js', code)).toThrow()
})
