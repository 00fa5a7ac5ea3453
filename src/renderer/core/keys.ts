import { t } from '../messages/t.svelte.ts'

const apple = /Mac|iPhone|iPad/.test(navigator.platform)

export function chord(key: string): string {
  return apple ? `⌘${key}` : `${t('key.ctrl')} ${key}`
}

export function isChord(event: KeyboardEvent): boolean {
  return apple ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
}

/** True in text fields, where single-key shortcuts must not fire. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('.xterm') !== null
  )
}
