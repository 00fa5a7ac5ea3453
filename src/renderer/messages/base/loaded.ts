import type { Message } from '../../../contract/messages/message.ts'

/** The English texts loaded so far: each file of `en/` adds its own. The build imports them where their keys are used. */
export const english: { [key in string]?: Message } = {}

export function loaded<T extends Record<string, Message>>(texts: T): T {
  Object.assign(english, texts)
  return texts
}
