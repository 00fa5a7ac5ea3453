import { describe, expect, it } from 'vitest'
import { textsOf } from './texts.ts'

const declared = new Map([
  ['console.ts', ['console.title', 'console.level.warn', 'console.level.error']],
  ['files.ts', ['files.title', 'files.read']],
])
const of = (code: string) => textsOf(code, declared)

describe('the texts of a module', () => {
  it('are those whose keys it holds, in whatever quotes, also as values of a table', () => {
    expect(of(`t('console.title')`)).toEqual(['console.ts'])
    expect(of('{t("console.title")} {t(`files.title`)}')).toEqual(['console.ts', 'files.ts'])
    expect(of(`const titles = { a: 'files.title' } as const`)).toEqual(['files.ts'])
  })

  it('are those a key that is put together may mean', () => {
    expect(of('t(`console.level.${level}`)')).toEqual(['console.ts'])
    expect(of('t(`console.rank.${level}`)')).toEqual([])
  })

  it('are none for a call or a column that is named like a text, or a longer word', () => {
    expect(of(`panel.call('files.read', { path })`)).toEqual([])
    expect(of(`const sorts = { 'files.read': 1 }`)).toEqual([])
    expect(of(`t('files.title.long')`)).toEqual([])
  })
})
