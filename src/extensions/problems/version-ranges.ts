import { compareVersions } from '../../contract/rules/version-order.ts'
import type { Format } from '../jars/facts.ts'

const PARTS_MOST = 50

/** Unintelligible ranges match: a wrong warning is worse than none. */
export function isWithin(version: string, range: string | null, format: Format): boolean {
  if (range === null) return true
  const known = plain(version)
  if (!/^\d/.test(known)) return true
  return format === 'forge' || format === 'neoforge' ? inMaven(known, range) : inFabric(known, range)
}

const plain = (version: string): string => version.replace(/\+.*$/, '').replace(/^v(?=\d)/i, '')

function inFabric(version: string, range: string): boolean {
  return range
    .split('||')
    .slice(0, PARTS_MOST)
    .some((one) =>
      one
        .trim()
        .split(/\s+/)
        .slice(0, PARTS_MOST)
        .every((part) => fits(version, part)),
    )
}

function fits(version: string, part: string): boolean {
  const [, sign = '', wanted = ''] = /^(>=|<=|>|<|=|~|\^)?(.*)$/.exec(part) ?? []
  const bound = plain(wanted).replace(/-$/, '')
  if (!/^\d/.test(bound)) return true
  const wild = /^(.*?)\.[xX*](?:\.|$)/.exec(bound)
  if (wild) return version === wild[1] || version.startsWith(`${wild[1]}.`)
  const order = compareVersions(version, bound)
  switch (sign) {
    case '>=':
      return order >= 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '<':
      return order < 0
    case '~':
      return order >= 0 && compareVersions(version, after(bound, 1)) < 0
    case '^':
      return order >= 0 && compareVersions(version, after(bound, 0)) < 0
    default:
      return order === 0
  }
}

/** The first version that differs at this position, counted from 0. */
function after(version: string, at: number): string {
  const numbers = (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number)
  return [...numbers.slice(0, at), (numbers[at] ?? 0) + 1].join('.')
}

/** `[1.20,1.21)`, `[1.0]`, `(,2]`, comma-separated. A version without brackets is only a recommendation. */
function inMaven(version: string, range: string): boolean {
  const parts = [...range.matchAll(/([[(])([^\])]{0,100})([\])])/g)].slice(0, PARTS_MOST)
  return (
    parts.length === 0 || parts.some(([, open, inside = '', close]) => within(version, open!, inside, close!))
  )
}

function within(version: string, open: string, inside: string, close: string): boolean {
  const [low = '', high] = inside.split(',').map((one) => plain(one.trim()))
  if (high === undefined) return !/^\d/.test(low) || compareVersions(version, low) === 0
  const fromLow = /^\d/.test(low) ? compareVersions(version, low) : 1
  const fromHigh = /^\d/.test(high) ? compareVersions(version, high) : -1
  return (open === '[' ? fromLow >= 0 : fromLow > 0) && (close === ']' ? fromHigh <= 0 : fromHigh < 0)
}
