import { t } from '../messages/t.svelte.ts'

const apple = /Mac|iPhone|iPad/.test(navigator.platform)

/** How a key together with Ctrl, or Command on a Mac, is written: `Ctrl K`, `⌘K`. */
export function chord(key: string): string {
  return apple ? `⌘${key}` : `${t('key.ctrl')} ${key}`
}

/** Whether the event holds the key that chords are made with here. */
export function isChord(event: KeyboardEvent): boolean {
  return apple ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
}

/** Whether a key belongs to what is being written, so that no single-key shortcut may take it. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('.xterm') !== null
  )
}
