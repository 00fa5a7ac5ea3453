import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'
import { inWords } from '../../core/problems.ts'
import { asProblem, type Problem } from '../../core/bridge.ts'
import type { Words } from '../../messages/t.svelte.ts'

export type NoticeSubject = 'transfers' | 'notifications' | `trash of ${string}/${string}`

/** Success notices and brief ones disappear; failures stay until dismissed. */
export interface Notice {
  id: number
  tone: 'done' | 'warning' | 'error'
  text: Words
  more?: Words | undefined
  problem?: Problem | undefined
  action?: NoticeAction | undefined
  /** While this place is visible the notice is not shown, and showing the place dismisses it. */
  about?: NoticeSubject | undefined
  /** Nothing has to be done about it. */
  brief?: boolean
  /** Whether the notice still applies; default is always. */
  holds?: (() => boolean) | undefined
}

export interface NoticeAction {
  label: Words
  run: () => unknown
  /** Stays until dismissed, because nothing else undoes all of it in one step. */
  lasting?: boolean
}

let shown = $state.raw<readonly Notice[]>([])
let inSight = $state.raw<readonly NoticeSubject[]>([])
let announcement = $state.raw<Words>(() => '')
let lastId = 0
const most = 4
const stay = 5000
/** Long enough to read more and reach the button, in ms. */
const stayLonger = 12_000

const stands = (notice: Notice): boolean => notice.holds?.() ?? true

export function notices(): readonly Notice[] {
  return shown.filter(stands)
}

export function announced(): string {
  return announcement()
}

/** Reads a text out; notices are read out anyway. */
export function announce(words: Words): void {
  announcement = words
}

/** Shows a notice, or only reads it out if its place is visible. Never shows the same text twice. */
export function notify(notice: Omit<Notice, 'id'>): void {
  const { tone, text, more, action, about, brief = false } = notice
  if (about && inSight.includes(about)) {
    announce(() => [text(), more?.()].filter(Boolean).join(' · '))
    return
  }
  const id = ++lastId
  const others = shown.filter(
    (other) => stands(other) && (other.text() !== text() || other.more?.() !== more?.()),
  )
  shown = [{ ...notice, id }, ...others].slice(0, most)
  if ((tone === 'done' || brief) && !action?.lasting)
    setTimeout(() => dismiss(id), action || brief ? stayLonger : stay)
}

export function dismiss(id: number): void {
  shown = shown.filter((notice) => notice.id !== id)
}

export function notifyProblem(thrown: unknown, about?: Words, action?: NoticeAction): void {
  const problem = asProblem(thrown)
  const words = () => inWords(problem)
  notify({
    tone: words().severity === 'error' ? 'error' : 'warning',
    text: () => [about?.(), words().what].filter(Boolean).join(': '),
    more: () => [words().why, words().now].filter(Boolean).join(' '),
    problem: words().severity === 'error' ? problem : undefined,
    action,
  })
}

/** Marks an element as a place: `{@attach shows('transfers')}`. */
export function shows(place: NoticeSubject): Attachment {
  return () =>
    untrack(() => {
      inSight = [...inSight, place]
      shown = shown.filter(({ about }) => about !== place)
      return () => (inSight = inSight.toSpliced(inSight.indexOf(place), 1))
    })
}
