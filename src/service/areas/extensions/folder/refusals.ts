import { refusal } from '../../../base/refusal.ts'
import type { WhyUnread } from '../../../extensions/jars/facts.ts'

/*
 * | code | status | when |
 * |---|---|---|
 * | `extensions.not-found` | 404 | no such extension is installed, or is in the catalog |
 * | `extensions.no-catalog` | 503 | the service asks no catalogs |
 * | `extensions.not-supported` | 409 | this software has no extensions |
 * | `extensions.busy` | 409 | something is being installed on this server |
 * | `extensions.not-running` | 409 | nothing is being installed that could be canceled |
 * | `extensions.name-taken` | 409 | another file has the name that this one would get |
 * | `extensions.nothing-to-undo` · `extensions.changed-since` | 409 | undo |
 * | `extensions.nothing-new` | 409 | all that was asked for is there |
 * | `extensions.cannot` | 409 | something of what was asked for cannot be had |
 * | `extensions.not-a-jar` | 502 | what was downloaded cannot be read |
 * | `extensions.unreadable` | 422 | what was sent cannot be read as a jar |
 * | `extensions.canceled` | 499 | it was canceled |
 */

export const notInstalled = () => refusal(404, 'extensions.not-found')

export const noCatalog = () => refusal(503, 'extensions.no-catalog')

export const notSupported = () => refusal(409, 'extensions.not-supported')

export const busy = () => refusal(409, 'extensions.busy')

export const oneWish = () => refusal(422, 'request.invalid.one-or-all')

export const notRunning = () => refusal(409, 'extensions.not-running')

export const nameTaken = (name: string) => refusal(409, 'extensions.name-taken', { name })

export const nothingToUndo = () => refusal(409, 'extensions.nothing-to-undo')

export const nothingNew = () => refusal(409, 'extensions.nothing-new')

export const tooManyWait = () => refusal(409, 'extensions.too-many-wait')

export const changedSince = () => refusal(409, 'extensions.changed-since')

export const cannot = (names: readonly string[]) =>
  refusal(409, 'extensions.cannot', { names: names.slice(0, 10).join(', ') })

export const notAJar = (name: string) => refusal(502, 'extensions.not-a-jar', { name })

const UNREADABLE = {
  empty: 'extensions.unreadable.empty',
  'not-zip': 'extensions.unreadable.not-zip',
  damaged: 'extensions.unreadable.damaged',
  'too-large': 'extensions.unreadable.too-large',
  'too-slow': 'extensions.unreadable.too-slow',
  'not-file': 'extensions.unreadable',
  'not-opened': 'extensions.unreadable',
} as const

export const unreadable = (name: string, why: WhyUnread | null | undefined) =>
  refusal(422, UNREADABLE[why ?? 'not-opened'], { name })

export const canceled = () => refusal(499, 'extensions.canceled')
