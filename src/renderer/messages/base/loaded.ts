import type { Message } from '../../../contract/messages/message.ts'

/**
 * The English texts that are loaded. Each file of `en/` puts its own here when it is imported. What the first screen says
 * comes with it (`first-screen.ts`); a part that is loaded later imports the files whose texts it and what it draws show, so
 * that they are there before it is. A test goes through all imports and finds a text that could be missing.
 */
export const english: { [key in string]?: Message } = {}

/** Puts texts where `t` finds them. */
export function loaded<T extends Record<string, Message>>(texts: T): T {
  Object.assign(english, texts)
  return texts
}
