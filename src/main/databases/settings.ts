import { z } from 'zod'
import type { Settings } from '../../contract/bridge/values.ts'
import type { Cache } from '../views/cache/cache.ts'
import { storedJson } from '../storage/stored-json.ts'

const StoredSettings = z.object({
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  language: z.enum(['system', 'en', 'de']).catch('system'),
  timestamps: z.boolean().catch(true),
  playersOn: z.enum(['ask', 'warn', 'now']).catch('ask'),
})

export class SettingsStore {
  #now: Settings | null = null
  readonly #cache: Cache
  readonly #onChange: (settings: Settings) => void

  constructor(cache: Cache, onChange: (settings: Settings) => void) {
    this.#cache = cache
    this.#onChange = onChange
  }

  async read(): Promise<Settings> {
    if (this.#now) return this.#now
    const stored = StoredSettings.parse(storedJson(await this.#cache.readSetting('settings')) ?? {})
    // Changes made meanwhile are newer than what was read.
    return (this.#now ??= stored)
  }

  async change(change: Partial<Settings>): Promise<Settings> {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    this.#now = { ...(await this.read()), ...given }
    await this.#cache.writeSetting('settings', JSON.stringify(this.#now))
    this.#onChange(this.#now)
    return this.#now
  }
}
