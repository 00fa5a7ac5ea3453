import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { operations } from '../../src/contract/areas/index.ts'
import { contractPage, INSTEAD } from './contract-page.ts'

const page = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8')

describe('docs/contract.md', () => {
  it('is what the declarations say (write it with: npm run openapi)', async () => {
    expect(page).toBe(await contractPage())
  })

  it('has a line for every operation, with what the specification states of it', () => {
    for (const { id, method, path, origin } of operations) {
      const line = page.split('\n').find((one) => one.includes(`\`${id}\`<br>`))
      expect(line, id).toContain(`\`${method} ${path}\``)
      expect(line, id).toContain(origin.path)
    }
  })

  it('says what takes the place of operations that there are', () => {
    const declared: string[] = operations.map(({ id }) => id)
    expect(Object.keys(INSTEAD).filter((id) => !declared.includes(id))).toEqual([])
  })
})
