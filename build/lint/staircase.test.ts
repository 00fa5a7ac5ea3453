import { expect, it } from 'vitest'
import { reachable } from './staircase.js'

/** The folders that are in a circle, in a project of these files. */
function circles(files: Record<string, string>): string[] {
  const all = reachable(new Map(Object.entries(files)))
  return [...all].filter(([folder, from]) => from.has(folder)).map(([folder]) => folder)
}

const upper = 'src/main/panel/panel.ts'
const middle = 'src/main/views/store.ts'
const lower = 'src/main/base/problem.ts'
const down = {
  [upper]: `import { store } from '../views/store.ts'\n`,
  [middle]: `import { problem } from '../base/problem.ts'\n`,
}

it('folders that import one another downwards are no circle', () => {
  expect(circles({ ...down, [lower]: `export const problem = 1\n` })).toEqual([])
})

it.each([
  ['an import', `import { panel } from '../panel/panel.ts'\n`],
  ['an import over several lines', `import {\n  type Panel,\n  panel,\n} from '../panel/panel.ts'\n`],
  ['an export', `export { panel } from '../panel/panel.ts'\n`],
  ['an import for its effect', `import '../panel/panel.ts'\n`],
  [
    'an import in a component',
    `<script lang="ts">\n  import { panel } from '../panel/panel.ts'\n</script>\n`,
  ],
  ['an import when it is needed', `const panel = () => import('../panel/panel.ts')\n`],
])('%s through two others is a circle', (_, code) => {
  expect(circles({ ...down, [lower]: code })).toEqual(['src/main/panel', 'src/main/views', 'src/main/base'])
})

it.each([
  `import type { Panel } from '../panel/panel.ts'\n`,
  `import { type Panel, type Ports } from '../panel/panel.ts'\n`,
  `export type { Panel } from '../panel/panel.ts'\n`,
])('types go any way: %s', (code) => {
  expect(circles({ ...down, [lower]: code })).toEqual([])
})
