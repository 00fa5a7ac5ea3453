import type { CatalogVersion } from './extension-catalog.ts'

/** When a version came, in ms; versions without a time are older than all others. */
const timeOf = ({ releasedAt }: CatalogVersion): number => {
  const ms = releasedAt === null ? NaN : Date.parse(releasedAt)
  return Number.isNaN(ms) ? -Infinity : ms
}

/** For lists, newest first. */
export const newestFirst = (a: CatalogVersion, b: CatalogVersion): number => {
  const [one, other] = [timeOf(a), timeOf(b)]
  return one === other ? 0 : other - one
}

const isRelease = ({ channel }: CatalogVersion): boolean => channel === 'release'

/** The version to install of those that fit: the newest release, else the newest; null where none fits. */
export function newestOf(versions: readonly CatalogVersion[]): CatalogVersion | null {
  const sorted = versions.toSorted(newestFirst)
  return sorted.find(isRelease) ?? sorted[0] ?? null
}

/** Whether a version is an update of another one: it came later, and who has a release is not given a beta. */
export const updates = (version: CatalogVersion, current: CatalogVersion): boolean =>
  version.id !== current.id &&
  timeOf(version) > timeOf(current) &&
  (isRelease(version) || !isRelease(current)) &&
  !isSameFile(version, current)

/** The newest update of a version among those that fit; null where there is none. */
export const updateAmong = (
  versions: readonly CatalogVersion[],
  current: CatalogVersion,
): CatalogVersion | null => newestOf(versions.filter((one) => updates(one, current)))

/** A file may be published again under another name. */
const isSameFile = ({ file: one }: CatalogVersion, { file: other }: CatalogVersion): boolean =>
  Boolean(one?.checksum) &&
  one?.checksum?.algorithm === other?.checksum?.algorithm &&
  one?.checksum?.value === other?.checksum?.value
