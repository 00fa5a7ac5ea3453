import { expect, it } from 'vitest'
import { at } from '../scripts/project.js'
import { billOf, billText, inlinedPackages, packagesIn } from './bill.js'

it('packages are found where sources name them, and nothing else is', () => {
  const text = `import { a } from 'svelte/reactivity'\nimport x from "@codemirror/view"\nimport './own.ts'
import fs from 'node:fs'\nimport path from 'path'\nawait import('uplot')\n@import 'tailwindcss';\nimport 'b/c.css'`
  expect(packagesIn(text)).toEqual(['svelte', '@codemirror/view', 'uplot', 'tailwindcss', 'b'])
})

const component = (name: string) => ({ 'bom-ref': `${name}@1.0.0`, name, scope: 'optional', properties: [] })
const bill = (names: string[], needs: Record<string, string[]>) => ({
  metadata: { component: { 'bom-ref': 'own@1.0.0' } },
  components: names.map(component),
  dependencies: Object.entries(needs).map(([name, all]) => ({
    ref: `${name}@1.0.0`,
    dependsOn: all.map((one) => `${one}@1.0.0`),
  })),
})

it('what is inlined is listed with all that it needs, and what only tests is not', () => {
  const all = bill(['hono', 'svelte', 'acorn', 'vitest', 'chai'], {
    own: ['hono', 'svelte', 'vitest'],
    svelte: ['acorn'],
    vitest: ['chai', 'acorn'],
  })
  const made = billOf(all, bill(['hono'], {}), ['svelte'])
  expect(made.components.map(({ name }) => name)).toEqual(['hono', 'svelte', 'acorn'])
  // It is no option, and not for development.
  expect(made.components.every(({ scope }) => scope === 'required')).toBe(true)
  expect(made.dependencies).toEqual([
    { ref: 'own@1.0.0', dependsOn: ['hono@1.0.0', 'svelte@1.0.0'] },
    { ref: 'svelte@1.0.0', dependsOn: ['acorn@1.0.0'] },
  ])
  expect(() => billOf(all, bill(['hono'], {}), ['svelte', 'lodash'])).toThrow('does not name lodash')
})

it('the list of this program has what its page is made of, Electron, and nothing of its tests', async () => {
  expect(await inlinedPackages(at())).toEqual(
    expect.arrayContaining([
      'electron',
      'svelte',
      '@xterm/xterm',
      '@lucide/svelte',
      'uplot',
      '@codemirror/view',
    ]),
  )
  const { components } = JSON.parse(await billText()) as { components: { name: string }[] }
  const names = components.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['svelte', '@xterm/xterm', 'electron', 'hono', 'undici', 'zod', 'keytar']),
  )
  for (const tests of ['vitest', '@playwright/test', 'axe-core', 'fast-check', 'eslint', 'electron-builder'])
    expect(names).not.toContain(tests)
}, 120_000)
