import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { localized } from '../../contract/messages/localized-text.ts'
import { Lanes } from '../../contract/rules/lanes.ts'
import { fitsHeader, type HeaderValue } from './header-constants.ts'
import type { Fault } from '../api/profile/profile-faults.ts'
import { type ApiProfile, type ParsedProfile, parseProfile } from '../api/profile/profile.ts'
import { loadProfiles, type Profiles } from './load-profiles.ts'

export class ProfileBook {
  readonly #folder: string
  readonly #writes = new Lanes({ atOnce: 1 })

  constructor(folder: string) {
    this.#folder = folder
  }

  load(): Promise<Profiles> {
    return loadProfiles(this.#folder)
  }

  save(profile: ApiProfile): Promise<void> {
    return this.#writes.run('', async () => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      const { fileOf } = await this.load()
      const name = fileOf.get(profile.baseUrl) ?? (await this.#freeName(profile.baseUrl))
      const coming = join(this.#folder, `.${name}.part`)
      await writeFile(coming, writeProfile(profile), { mode: 0o600 })
      await rename(coming, join(this.#folder, name))
    })
  }

  remove(baseUrl: string): Promise<void> {
    return this.#writes.run('', async () => {
      const name = (await this.load()).fileOf.get(baseUrl)
      if (name !== undefined) await rm(join(this.#folder, name), { force: true })
    })
  }

  async #freeName(baseUrl: string): Promise<string> {
    const host = new URL(baseUrl).host.replace(/[^A-Za-z0-9.-]/g, '-')
    const taken = new Set(await readdir(this.#folder))
    for (let number = 1; ; number++) {
      const name = number === 1 ? `${host}.json` : `${host} (${number}).json`
      if (!taken.has(name)) return name
    }
  }
}

/** Stored and exported form; excludes header values. */
export const writeProfile = (profile: ApiProfile): string => `${JSON.stringify(profile, null, 2)}\n`

export function profileFor(baseUrl: string, text: string, values: readonly HeaderValue[]): ParsedProfile {
  const parsed = parseProfile(text)
  if (!parsed.ok) return parsed
  const { profile } = parsed
  const faults: Fault[] = []
  if (profile.baseUrl !== baseUrl)
    faults.push({
      at: ['baseUrl'],
      said: localized('profile.other-service', { theirs: profile.baseUrl, ours: baseUrl }),
    })
  for (const { name, value } of values) {
    const at = profile.headers?.findIndex((one) => one.toLowerCase() === name.toLowerCase()) ?? -1
    if (at < 0) faults.push({ at: ['headers'], said: localized('profile.no-header', { name }) })
    else if (!fitsHeader(value))
      faults.push({ at: ['headers', String(at), 'value'], said: localized('profile.header-value') })
  }
  return faults.length > 0 ? { ok: false, faults } : parsed
}
