import { afterEach, expect, it } from 'vitest'
import { currentLanguage, t, useLanguage } from './t.svelte.ts'

afterEach(() => useLanguage('en'))

it('speaks the language that was chosen last, also where an earlier one is loaded only then', async () => {
  const german = useLanguage('de')
  await useLanguage('en')
  await german
  expect([currentLanguage(), t('do.cancel')]).toEqual(['en', 'Cancel'])
  await Promise.all([useLanguage('de'), useLanguage('en'), useLanguage('de')])
  expect([currentLanguage(), t('do.cancel')]).toEqual(['de', 'Abbrechen'])
})
