import { randomInt } from 'node:crypto'

/** No look-alikes: people read these out on the phone. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** 8 characters: about 8 × 10¹¹ ids. */
export function logId(): string {
  let id = ''
  for (let i = 0; i < 8; i++) id += LETTERS[randomInt(LETTERS.length)]
  return id
}
