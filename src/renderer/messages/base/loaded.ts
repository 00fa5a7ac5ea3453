import type { Message } from '../../../contract/messages/message.ts'

/**
 * The loaded English texts. Each file of `en/` adds its own on import: `first-screen.ts` for the first
 * screen, and each
 * lazy part imports what it shows. A test checks all imports for texts that could be missing.
 */
export const english: { [key in string]?: Message } = {}

/** Registers texts for `t`. */
export function loaded<T extends Record<string, Message>>(texts: T): T {
  Object.assign(english, texts)
  return texts
}
