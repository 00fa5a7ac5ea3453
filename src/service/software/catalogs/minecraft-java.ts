import { compareVersions } from '../../../contract/rules/version-order.ts'

/** First release per Java, newest first. */
const BY_RELEASE = [
  ['26.1', 25],
  ['1.20.5', 21],
  ['1.18', 17],
  ['1.17', 16],
] as const
/** First weekly snapshot per Java: year, week. */
const BY_WEEK = [
  ['24w14', 21],
  ['21w44', 17],
  ['21w19', 16],
] as const
const OLDEST = 8

/** Snapshots and pre-releases need the same as their release. */
export function javaByTable(version: string): number {
  const week = /^\d\dw\d\d/.exec(version)?.[0]
  if (week !== undefined) return BY_WEEK.find(([from]) => week >= from)?.[1] ?? OLDEST
  const numbers = /^\d+(\.\d+)+/.exec(version)?.[0]
  if (numbers === undefined) return OLDEST
  return BY_RELEASE.find(([from]) => compareVersions(numbers, from) >= 0)?.[1] ?? OLDEST
}
