import { inWords } from '../app/problems.ts'
import { asProblem } from '../bridge.ts'

/** A short message in the corner. What went well goes by itself; what went wrong stays until it is dismissed. */
export interface Notice {
  id: number
  tone: 'done' | 'warning' | 'error'
  text: string
  /** A second sentence, such as what to do now. */
  more?: string
  /** What can be done about it, such as undoing it. The notice goes when it is done. */
  action?: NoticeAction
}

export interface NoticeAction {
  label: string
  run: () => unknown
  /** Nothing else undoes all of it at once, so the notice stays until it is dismissed. */
  lasting?: boolean
}

let shown = $state.raw<Notice[]>([])
let lastId = 0
const stay = 5000
/** Long enough to read what happened and to reach the button. */
const stayWithAction = 12_000

/** The notices on the screen, oldest first. */
export function notices(): readonly Notice[] {
  return shown
}

/** Shows a notice. The same text is not shown twice. */
export function notify(tone: Notice['tone'], text: string, more?: string, action?: NoticeAction): void {
  const id = ++lastId
  const others = shown.filter((notice) => notice.text !== text || notice.more !== more)
  shown = [...others, { id, tone, text, more, action }].slice(-4)
  if (tone === 'done' && !action?.lasting) setTimeout(() => dismiss(id), action ? stayWithAction : stay)
}

/** Takes a notice away. */
export function dismiss(id: number): void {
  shown = shown.filter((notice) => notice.id !== id)
}

/** Shows what was thrown, in words. `about` names what it concerns, such as a server. */
export function notifyProblem(thrown: unknown, about?: string): void {
  const words = inWords(asProblem(thrown))
  const what = about ? `${about}: ${words.what}` : words.what
  notify(
    words.severity === 'error' ? 'error' : 'warning',
    what,
    [words.why, words.now].filter(Boolean).join(' '),
  )
}
