import { expect, test } from 'vitest'
import { missingComponents } from './components.js'

const missing = (code: string) =>
  missingComponents('src/a/B.svelte', code, (file) => file === 'src/ui/Here.svelte')

test.each([
  "import Gone from './Gone.svelte'",
  "import Gone, { type Row } from './Gone.svelte'",
  "import type Gone from './Gone.svelte'",
  "export { default as Gone } from './Gone.svelte'",
  "const page = () => import('./Gone.svelte')",
  "let page: typeof import('./Gone.svelte')",
])('an import of a component that does not exist is found: %s', (line) => {
  expect(missing(`\n  ${line}\n`)).toEqual(['src/a/B.svelte:2: there is no ./Gone.svelte'])
})

test('a component that exists, a module and a package are not', () => {
  const lines = [
    "import Here from '../ui/Here.svelte'",
    "import { x } from './x.svelte.ts'",
    "import Y from 'y/Y.svelte'",
  ]
  expect(missing(lines.join('\n'))).toEqual([])
})
