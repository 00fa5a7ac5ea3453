import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { at } from '../scripts/project.js'

interface Workflow {
  jobs: { test: { strategy: { matrix: { part: string[] } }; steps: { if?: string; run?: string }[] } }
}

it('every part of the tests is run by one of the jobs beside each other, and so are the checks', async () => {
  const { steps, strategy } = (parse(await readFile(at('.github/workflows/ci.yml'), 'utf8')) as Workflow).jobs
    .test
  const wanted = steps.flatMap((step) => /^matrix\.part == '(\w+)'/.exec(step.if ?? '')?.[1] ?? [])
  expect([...new Set(wanted)]).toEqual(strategy.matrix.part)
  const script = await readFile(at('build/scripts/test.js'), 'utf8')
  const parts = [...script.matchAll(/'(--\w+)':/g)].map(([, part]) => `npm test -- ${part}`)
  expect(parts).toHaveLength(4)
  expect(steps.map(({ run }) => run)).toEqual(expect.arrayContaining(['npm run check', ...parts]))
})
