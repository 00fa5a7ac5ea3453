import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'
import { inWords } from '../../core/problems.ts'
import { asProblem, type Problem } from '../../core/bridge.ts'
import type { Words } from '../../messages/t.svelte.ts'

/** Where something is shown that a notice may speak of: the transfers, or what a server's trash contains. */
export type NoticeSubject = 'transfers' | 'notifications' | `trash of ${string}/${string}`

/** A short message in a strip of its own. What went well goes by itself; what went wrong stays until it is dismissed. */
export interface Notice {
  id: number
  tone: 'done' | 'warning' | 'error'
  text: Words
  /** A second sentence, such as what to do now. */
  more?: Words | undefined
  /** What went wrong, where there is more to copy for a report. */
  problem?: Problem | undefined
  /** What can be done about it, such as undoing it. The notice goes when it is done. */
  action?: NoticeAction | undefined
  /** The place it speaks of. While that is in sight it says nothing new, and once it comes in sight the notice goes. */
  about?: NoticeSubject | undefined
  /** Whether what it says is still so. A notice that says what was done is so for ever. */
  holds?: (() => boolean) | undefined
}

export interface NoticeAction {
  label: Words
  run: () => unknown
  /** Nothing else undoes all of it at once, so the notice stays until it is dismissed. */
  lasting?: boolean
}

let shown = $state.raw<readonly Notice[]>([])
let inSight = $state.raw<readonly NoticeSubject[]>([])
let announcement = $state.raw<Words>(() => '')
let lastId = 0
const most = 4
const stay = 5000
/** Long enough to read what happened and to reach the button. */
const stayWithAction = 12_000

const stands = (notice: Notice): boolean => notice.holds?.() ?? true

/** The notices on the screen, newest first. */
export function notices(): readonly Notice[] {
  return shown.filter(stands)
}

/** What is read out to whoever listens to the page; it is not shown. */
export function announced(): string {
  return announcement()
}

/** Has something read out. What a notice says is read out by itself. */
export function announce(words: Words): void {
  announcement = words
}

/** Shows a notice, or has it read out where what it speaks of is in sight. The same text is not shown twice. */
export function notify(notice: Omit<Notice, 'id'>): void {
  const { tone, text, more, action, about } = notice
  if (about && inSight.includes(about)) {
    announce(() => [text(), more?.()].filter(Boolean).join(' · '))
    return
  }
  const id = ++lastId
  const others = shown.filter(
    (other) => stands(other) && (other.text() !== text() || other.more?.() !== more?.()),
  )
  shown = [{ ...notice, id }, ...others].slice(0, most)
  if (tone === 'done' && !action?.lasting) setTimeout(() => dismiss(id), action ? stayWithAction : stay)
}

/** Takes a notice away. */
export function dismiss(id: number): void {
  shown = shown.filter((notice) => notice.id !== id)
}

/** Shows what was thrown, in words. `about` names what it concerns, such as a server. */
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

/** Declares that an element shows a place: `{@attach shows('transfers')}`. It is in sight for as long as it is there. */
export function shows(place: NoticeSubject): Attachment {
  return () =>
    untrack(() => {
      inSight = [...inSight, place]
      shown = shown.filter(({ about }) => about !== place)
      return () => (inSight = inSight.toSpliced(inSight.indexOf(place), 1))
    })
}
