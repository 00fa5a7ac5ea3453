import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readDataFile } from '../../host/data-file.ts'
import { say } from '../../contract/messages/say.ts'
import { type ApiProfile, parseProfile } from '../api/profile/profile.ts'
import type { Fault } from '../api/profile/profile-faults.ts'

/** Most files of a folder of profiles that are read. */
const FILES_MOST = 500

/** A file that could not be used, and why. */
export interface FileFault extends Fault {
  /** Null: it is about the whole folder. */
  file: string | null
}

/** Profiles by base address, and what is wrong with files that could not be used. */
export interface Profiles {
  byBaseUrl: ReadonlyMap<string, ApiProfile>
  /** The file each was read from. */
  fileOf: ReadonlyMap<string, string>
  faults: readonly FileFault[]
}

/** Reads every `*.json` of a folder; a missing folder holds no profiles. A bad file hinders no other. */
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
      faults.push({ file: null, at: [], said: say('profile.no-folder') })
    return { byBaseUrl, fileOf, faults }
  }
  for (const file of files) {
    const text = await readDataFile(join(folder, file)).catch(() => null)
    const parsed = text === null ? null : parseProfile(text)
    if (!parsed) faults.push({ file, at: [], said: say('profile.no-file') })
    else if (!parsed.ok) faults.push(...parsed.faults.map((fault) => ({ file, ...fault })))
    else if (byBaseUrl.has(parsed.profile.baseUrl))
      faults.push({ file, at: [], said: say('profile.twice', { address: parsed.profile.baseUrl }) })
    else {
      byBaseUrl.set(parsed.profile.baseUrl, parsed.profile)
      fileOf.set(parsed.profile.baseUrl, file)
    }
  }
  return { byBaseUrl, fileOf, faults }
}
