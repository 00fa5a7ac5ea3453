import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { nameFault as faultOf } from '../../../contract/rules/names.ts'
import { type SentenceKey, say } from '../../../contract/messages/say.ts'
import type { PanelProblem } from '../../base/problem.ts'
import { problem } from '../../base/problem.ts'

/** Longest name here, in bytes: of the 255 that disks take it leaves room for what a part is called. */
export const NAME_BYTES_MOST = 240
/** Characters of a name that are shown to people. */
const SHOWN_MOST = 80

/** What would mean something else than a name where it is a part of a path. */
const ELSEWHERE = ['empty', 'here', 'up', 'slash'] as const
const ALWAYS = [...ELSEWHERE, 'backslash', 'control'] as const
const ON_WINDOWS = [...ALWAYS, 'windows-character', 'ending', 'device'] as const
type Fault = (typeof ON_WINDOWS)[number] | 'long'

/**
 * What an item has for a target where its name, which is its source then, cannot be there. It fails with the reason when
 * its turn comes.
 */
export const NO_TARGET = ''

/** Why a name that a service gave cannot name something in a folder of a computer; null where it can. */
export function faultHere(name: string, platform: NodeJS.Platform = process.platform): Fault | null {
  return faultOf(name, platform === 'win32' ? ON_WINDOWS : ALWAYS, NAME_BYTES_MOST)
}

/** Whether a name that a service gave would, as a part of a path, mean something else than this name. */
export const leadsElsewhere = (name: string): boolean =>
  faultOf(name, ELSEWHERE, Infinity) !== null || name.includes('\0')

/** Whether a name that a service gave can name something in a folder of this computer. */
export const isUsable = (name: string): boolean => faultHere(name) === null

const reasons = {
  empty: 'name.here-path',
  here: 'name.here-path',
  up: 'name.here-path',
  slash: 'name.here-path',
  backslash: 'name.here-path',
  long: 'name.here-length',
  control: 'name.here-characters',
  'windows-character': 'name.here-characters',
  ending: 'name.here-ending',
  device: 'name.here-reserved',
} as const satisfies Record<Fault, SentenceKey>

/** Why something of a server has no place where it was to go. Its name alone says why, or it is one of two. */
export function unusableName(kind: 'download' | 'copy' | 'upload', name: string): PanelProblem {
  const fault = faultHere(name)
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
