import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { nameFault as faultOf } from '../../../contract/rules/names.ts'
import { type SentenceKey, localized } from '../../../contract/messages/localized-text.ts'
import type { PanelProblem } from '../../base/problem.ts'
import { problem } from '../../base/problem.ts'

/** Bytes; leaves room for the part's suffix within the 255 that disks allow. */
export const NAME_BYTES_MOST = 240
const SHOWN_MOST = 80

/** Names with a special meaning in a path. */
const ELSEWHERE = ['empty', 'here', 'up', 'slash'] as const
const ALWAYS = [...ELSEWHERE, 'backslash', 'control'] as const
const ON_WINDOWS = [...ALWAYS, 'windows-character', 'ending', 'device'] as const
type Fault = (typeof ON_WINDOWS)[number] | 'long'

/** Target of an item with an unusable name, which its source contains. It fails in its turn. */
export const NO_TARGET = ''

export function faultHere(name: string, platform: NodeJS.Platform = process.platform): Fault | null {
  return faultOf(name, platform === 'win32' ? ON_WINDOWS : ALWAYS, NAME_BYTES_MOST)
}

export const leadsElsewhere = (name: string): boolean =>
  faultOf(name, ELSEWHERE, Infinity) !== null || name.includes('\0')

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

/** Problem for an unusable name, or for one of two that clash. */
export function unusableName(kind: 'download' | 'copy' | 'upload', name: string): PanelProblem {
  const fault = faultHere(name)
  const here = fault ? reasons[fault] : 'name.here-alike'
  const there = leadsElsewhere(name) ? 'name.there-path' : 'name.there-alike'
  const why = localized(kind === 'download' ? here : there, { name: shown(name) })
  return problem('invalid', why, { retryable: false, serviceCode: 'computer.name' })
}

function shown(name: string): string {
  // eslint-disable-next-line no-control-regex -- what a person reads has none
  const clean = name.replaceAll(/[\u0000-\u001f\u007f]/g, '�')
  return clean.length > SHOWN_MOST ? `${clean.slice(0, SHOWN_MOST)}…` : clean
}

/** Equal for names that some disk may treat as the same. */
const folded = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase()

/** Names the disk treats as equal to an earlier one; only creating them in the folder `trial` tells. */
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
    // Left over from a crash.
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

/** Invisible characters and direction marks: `gpj.exe` can be made to read as `exe.jpg`. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
// eslint-disable-next-line no-control-regex -- control characters are among what is replaced
const UNFIT = /[<>:"|?*/\\\u0000-\u001f\u007f]/g
const FALLBACK = 'download'

/** A local file name suggested for a service's name: valid on every system, no path, no disguise. */
export function safeName(name: string): string {
  const plain = name
    .replaceAll(UNSEEN, '')
    .replaceAll(UNFIT, '_')
    .trim()
    .replaceAll(/[. ]+$/g, '')
  let fits = faultOf(plain, ['device']) === 'device' ? `_${plain}` : plain
  if (fits === '') fits = FALLBACK
  const letters = [...fits]
  while (faultHere(letters.join('')) === 'long') letters.splice(Math.floor(letters.length / 2), 1)
  return letters.join('')
}
