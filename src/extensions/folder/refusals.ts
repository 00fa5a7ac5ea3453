import { refusal } from '../../host/refusal.ts'
import type { UnreadReason } from '../jars/facts.ts'

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

export const unreadable = (name: string, why: UnreadReason | null | undefined) =>
  refusal(422, UNREADABLE[why ?? 'not-opened'], { name })

export const canceled = () => refusal(499, 'extensions.canceled')
