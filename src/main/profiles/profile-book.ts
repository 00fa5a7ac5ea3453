import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { say } from '../../contract/messages/say.ts'
import { problem } from '../api/problem.ts'
import { type ApiProfile, loadProfiles, parseProfile, type Profiles } from '../api/profile.ts'

/** The profiles of services, as files that their owners write, or the panel for them. */
export class ProfileBook {
  readonly #folder: string
  /** Writes go one after the other. */
  #writing: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.#folder = folder
  }

  load(): Promise<Profiles> {
    return loadProfiles(this.#folder)
  }

  /** Keeps a profile in place of the one there is of its service. */
  save(profile: ApiProfile): Promise<void> {
    return this.#oneByOne(async () => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      const { fileOf } = await this.load()
      const name = fileOf.get(profile.baseUrl) ?? (await this.#freeName(profile.baseUrl))
      const coming = join(this.#folder, `.${name}.part`)
      await writeFile(coming, writeProfile(profile), { mode: 0o600 })
      await rename(coming, join(this.#folder, name))
    })
  }

  remove(baseUrl: string): Promise<void> {
    return this.#oneByOne(async () => {
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

  #oneByOne<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writing.then(work)
    this.#writing = done.catch(() => undefined)
    return done
  }
}

/** A profile as it is kept and exported. What its headers hold is no part of it. */
export const writeProfile = (profile: ApiProfile): string => `${JSON.stringify(profile, null, 2)}\n`

/** Reads a profile that was typed or imported for one service. Throws `invalid` with what is wrong with it. */
export function profileFor(baseUrl: string, text: string): ApiProfile {
  const parsed = parseProfile(text)
  if (!parsed.ok) throw problem('invalid', { message: parsed.reason }, { fields: { text: [parsed.reason] } })
  const { profile } = parsed
  if (profile.baseUrl === baseUrl) return profile
  const why = say('profile.other-service', { theirs: profile.baseUrl, ours: baseUrl })
  throw problem('invalid', why, { fields: { text: [why.message] } })
}
