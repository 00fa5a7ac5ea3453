import { refusal, type Refusal } from '../../../base/refusal.ts'
import type { Build } from '../../catalogue.ts'

export function versionNotKnown(software: string): Refusal {
  return refusal(422, 'software.version-not-known', { software }).at('software.version')
}

/** Default: the newest stable build, else the newest. @param builds newest first */
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

/** The marked build and older ones are releases, newer ones aren't. @param builds newest first */
export function channelsByMark<T>(
  builds: readonly T[],
  isMarked: (build: T) => boolean,
): ('release' | 'experimental')[] {
  const marked = builds.findIndex(isMarked)
  return builds.map((_, index) => (marked >= 0 && index >= marked ? 'release' : 'experimental'))
}
