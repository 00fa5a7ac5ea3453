import type { CatalogVersion } from './extension-catalog.ts'

/** Ms; versions without a date count as oldest. */
const timeOf = ({ releasedAt }: CatalogVersion): number => {
  const ms = releasedAt === null ? NaN : Date.parse(releasedAt)
  return Number.isNaN(ms) ? -Infinity : ms
}

export const newestFirst = (a: CatalogVersion, b: CatalogVersion): number => {
  const [one, other] = [timeOf(a), timeOf(b)]
  return one === other ? 0 : other - one
}

const isRelease = ({ channel }: CatalogVersion): boolean => channel === 'release'

export function newestOf(versions: readonly CatalogVersion[]): CatalogVersion | null {
  const sorted = versions.toSorted(newestFirst)
  return sorted.find(isRelease) ?? sorted[0] ?? null
}

/** Whether `version` is newer, and not a beta for a release. */
export const updates = (version: CatalogVersion, current: CatalogVersion): boolean =>
  version.id !== current.id &&
  timeOf(version) > timeOf(current) &&
  (isRelease(version) || !isRelease(current)) &&
  !isSameFile(version, current)

export const updateAmong = (
  versions: readonly CatalogVersion[],
  current: CatalogVersion,
): CatalogVersion | null => newestOf(versions.filter((one) => updates(one, current)))

/** The same file may be republished under another name. */
const isSameFile = ({ file: one }: CatalogVersion, { file: other }: CatalogVersion): boolean =>
  Boolean(one?.checksum) &&
  one?.checksum?.algorithm === other?.checksum?.algorithm &&
  one?.checksum?.value === other?.checksum?.value
