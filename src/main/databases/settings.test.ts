import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openCache } from '../views/cache/cache.ts'
import { SettingsStore } from './settings.ts'

test('a change is not taken back by a read that began before it was made', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'settings-'))
  const cache = await openCache(join(folder, 'cache.db'))
  onTestFinished(async () => {
    await cache.close()
    await rm(folder, { recursive: true })
  })
  const told: string[] = []
  const settings = new SettingsStore(cache, ({ language }) => told.push(language))
  const [changed] = await Promise.all([settings.change({ language: 'de' }), settings.read(), settings.read()])
  expect(changed.language).toBe('de')
  expect(told).toEqual(['de'])
  expect((await settings.read()).language).toBe('de')
})
