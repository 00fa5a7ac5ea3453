import { refusal, type Refusal } from '../../../base/refusal.ts'
import type { Build } from '../../catalogue.ts'

/** Refuses a version that a catalogue does not list. */
export function versionNotKnown(software: string): Refusal {
  return refusal(422, 'software.version-not-known', { software }).at('software.version')
}

/**
 * The build that is wanted; where none is named the newest that is stable, else the newest. Refuses one that is not there.
 *
 * @param builds newest first
 */
export function chosenBuild<B extends Build>(
  builds: readonly B[],
  wanted: string | null,
  software: string,
  version: string,
): B {
  const found =
    wanted === null
      ? (builds.find(({ channel }) => channel === 'release') ?? builds[0])
      : builds.find(({ id }) => id === wanted)
  if (found) return found
  if (wanted === null) throw refusal(422, 'software.no-build', { software, version }).at('software.version')
  throw refusal(422, 'software.build-not-known', { software, version, build: wanted }).at('software.build')
}

/**
 * What channel builds have where a catalogue marks one of them as the one to take: that and older ones are releases, newer
 * ones still have to prove themselves. Where none is marked, all have to.
 *
 * @param builds newest first
 */
export function channelsByMark<T>(
  builds: readonly T[],
  isMarked: (build: T) => boolean,
): ('release' | 'experimental')[] {
  const marked = builds.findIndex(isMarked)
  return builds.map((_, index) => (marked >= 0 && index >= marked ? 'release' : 'experimental'))
}
