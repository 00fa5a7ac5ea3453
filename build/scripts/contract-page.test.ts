import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { operations } from '../../src/contract/areas/index.ts'
import { refusals } from '../../src/contract/messages/refusals/index.ts'
import { contractPage, INSTEAD, nameOf } from './contract-page.ts'

const page = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8')

/** The text from a heading to the next one of its level. */
function section(heading: string): string {
  const begin = page.indexOf(`\n${heading}\n`)
  expect(begin, heading).toBeGreaterThan(0)
  const level = heading.slice(0, heading.indexOf(' ') + 1)
  const end = page.indexOf(`\n${level}`, begin + heading.length)
  return page.slice(begin, end < 0 ? undefined : end)
}

describe('docs/contract.md', () => {
  it('is what the declarations say (write it with: npm run openapi)', async () => {
    expect(page).toBe(await contractPage())
  })

  it('has a line for every operation, under its area and what the specification states of it', () => {
    const titles = { stated: 'Stated', assumed: 'Filled in', extension: 'Added' }
    for (const op of operations) {
      const { id, area, method, path, origin } = op
      const groups = section(`### ${area[0]?.toUpperCase()}${area.slice(1)}`).split('\n**')
      const group = groups.find((one) => one.startsWith(`${titles[origin.path]}**`)) ?? ''
      const line = group.split('\n- ').find((one) => one.startsWith(`\`${method} ${path}\`:`))
      expect(line, id).toContain(`(\`${nameOf(op)}\``)
    }
  })

  it('names every field of what stated and filled-in operations answer', () => {
    for (const { id, answer, origin } of operations) {
      if (origin.path === 'extension' || (answer.kind !== 'json' && answer.kind !== 'list')) continue
      const { shape } = (answer.kind === 'json' ? answer.schema : answer.item) as z.ZodObject
      const missing = Object.keys(shape).filter((name) => !new RegExp(`\`${name}\\??\``).test(page))
      expect(missing, id).toEqual([])
    }
  })

  it('says what takes the place of operations that exist', () => {
    const declared: string[] = operations.map(({ id }) => id)
    expect(Object.keys(INSTEAD).filter((id) => !declared.includes(id))).toEqual([])
  })

  it('names only codes that the built-in service uses too', () => {
    const listed = /The panel acts on these:\n\n(.+?)\n\n/s.exec(section('### Errors'))?.[1] ?? ''
    const codes = [...listed.matchAll(/`([a-z-]+\.[a-z-]+)`/g)].map(([, code]) => code)
    expect(codes.length).toBeGreaterThan(5)
    const known = Object.keys(refusals)
    expect(codes.filter((code) => !known.some((key) => `${key}.`.startsWith(`refused.${code}.`)))).toEqual([])
  })
})
