import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type SentenceKey, say } from '../../contract/messages/say.ts'
import type { PanelProblem } from '../api/problem.ts'
import { problem } from '../api/problem.ts'

/** Longest name here, in bytes: of the 255 that disks take it leaves room for what a part is called. */
export const NAME_BYTES_MOST = 240
/** Characters of a name that are shown to people. */
const SHOWN_MOST = 80

type Fault = 'path' | 'characters' | 'ending' | 'reserved' | 'length'

/**
 * What an item has for a target where its name, which is its source then, cannot be there. It fails with the reason when
 * its turn comes.
 */
export const NO_PLACE = ''

/** Why a name that a service gave cannot name something in a folder of a computer; null where it can. */
export function nameFault(name: string, platform: NodeJS.Platform = process.platform): Fault | null {
  if (leadsElsewhere(name) || name.includes('\\')) return 'path'
  if (Buffer.byteLength(name) > NAME_BYTES_MOST) return 'length'
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f]/.test(name)) return 'characters'
  if (platform !== 'win32') return null
  if (/[<>:"|?*]/.test(name)) return 'characters'
  if (/[. ]$/.test(name)) return 'ending'
  return /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])([. ]|$)/i.test(name) ? 'reserved' : null
}

/** Whether a name that a service gave would, as a part of a path, mean something else than this name. */
export const leadsElsewhere = (name: string): boolean =>
  name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0')

/** Whether a name that a service gave can name something in a folder of this computer. */
export const isUsable = (name: string): boolean => nameFault(name) === null

const reasons = {
  path: 'name.here-path',
  length: 'name.here-length',
  characters: 'name.here-characters',
  ending: 'name.here-ending',
  reserved: 'name.here-reserved',
} as const satisfies Record<Fault, SentenceKey>

/** Why something of a server has no place where it was to go. Its name alone says why, or it is one of two. */
export function noPlace(kind: 'download' | 'copy' | 'upload', name: string): PanelProblem {
  const fault = nameFault(name)
  const here = fault ? reasons[fault] : 'name.here-alike'
  const there = leadsElsewhere(name) ? 'name.there-path' : 'name.there-alike'
  const why = say(kind === 'download' ? here : there, { name: shown(name) })
  return problem('invalid', why, { retryable: false, serviceCode: 'computer.name' })
}

function shown(name: string): string {
  // eslint-disable-next-line no-control-regex -- what a person reads has none
  const clean = name.replaceAll(/[\u0000-\u001f\u007f]/g, '�')
  return clean.length > SHOWN_MOST ? `${clean.slice(0, SHOWN_MOST)}…` : clean
}

/** What comes out the same for two names that some disk takes for one. */
const folded = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase()

/**
 * Of names that are to lie in one folder those that its disk takes for an earlier one. Only the disk itself knows, so
 * those that look alike are tried in a folder of their own, `trial`, which is gone afterwards.
 */
export async function clashing(
  names: readonly string[],
  trial: string,
  make: (path: string) => Promise<void> = makeNew,
): Promise<Set<string>> {
  const alike = Map.groupBy(names, folded)
  const doubtful = [...alike.values()].filter((some) => some.length > 1).flat()
  const found = new Set<string>()
  if (doubtful.length === 0) return found
  try {
    // An earlier try may have been killed.
    await rm(trial, { recursive: true, force: true })
    await mkdir(trial)
    for (const name of doubtful) {
      try {
        await make(join(trial, name))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        found.add(name)
      }
    }
  } finally {
    await rm(trial, { recursive: true, force: true })
  }
  return found
}

async function makeNew(path: string): Promise<void> {
  await (await open(path, 'wx')).close()
}
