import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readDataFile } from '../../host/data-file.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { type ApiProfile, parseProfile } from '../api/profile/profile.ts'
import type { Fault } from '../api/profile/profile-faults.ts'

const FILES_MOST = 500

export interface FileFault extends Fault {
  file: string | null
}

export interface Profiles {
  byBaseUrl: ReadonlyMap<string, ApiProfile>
  fileOf: ReadonlyMap<string, string>
  faults: readonly FileFault[]
}

/** Reads every `*.json`; a missing folder is empty. Invalid files do not affect others. */
export async function loadProfiles(folder: string): Promise<Profiles> {
  const byBaseUrl = new Map<string, ApiProfile>()
  const fileOf = new Map<string, string>()
  const faults: FileFault[] = []
  let files: string[]
  try {
    files = (await readdir(folder))
      .filter((name) => name.endsWith('.json'))
      .sort()
      .slice(0, FILES_MOST)
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ENOENT')
      faults.push({ file: null, at: [], said: localized('profile.no-folder') })
    return { byBaseUrl, fileOf, faults }
  }
  for (const file of files) {
    const text = await readDataFile(join(folder, file)).catch(() => null)
    const parsed = text === null ? null : parseProfile(text)
    if (!parsed) faults.push({ file, at: [], said: localized('profile.no-file') })
    else if (!parsed.ok) faults.push(...parsed.faults.map((fault) => ({ file, ...fault })))
    else if (byBaseUrl.has(parsed.profile.baseUrl))
      faults.push({ file, at: [], said: localized('profile.twice', { address: parsed.profile.baseUrl }) })
    else {
      byBaseUrl.set(parsed.profile.baseUrl, parsed.profile)
      fileOf.set(parsed.profile.baseUrl, file)
    }
  }
  return { byBaseUrl, fileOf, faults }
}
