import { randomInt } from 'node:crypto'

/** Without letters that look alike, because people read these out over the telephone. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A short name that finds one problem in the log: 8 characters, about 8 × 10¹¹ of them. */
export function logId(): string {
  let id = ''
  for (let i = 0; i < 8; i++) id += LETTERS[randomInt(LETTERS.length)]
  return id
}
