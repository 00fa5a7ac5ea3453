import { expect, it, onTestFinished } from 'vitest'
import { kinds } from '../../messages/en/kinds.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
import { kindWords } from './software-versions.ts'

const sources = Object.values(
  import.meta.glob<string>('../../../service/software/{java-kinds,custom-jar,demo/demo}.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).join('\n')

it('what the built-in service says of its software is said in German; other words stay', async () => {
  onTestFinished(() => useLanguage('en'))
  for (const text of Object.values(kinds)) expect(sources).toContain(text)
  expect(sources.match(/description:\s*['"]/g), 'each has its words').toHaveLength(Object.keys(kinds).length)
  await useLanguage('de')
  expect(kindWords(kinds['kind.vanilla'])).toBe('Der Server, wie Mojang ihn macht, ohne Plugins und Mods.')
  expect(kindWords('Best of all')).toBe('Best of all')
})
