import { loaded } from '../loaded.ts'

/** How hard a new password is to guess. */
export const strength = loaded({
  'strength.0': 'Very easy to guess. Use a whole sentence, or let a password manager choose.',
  'strength.1': 'Easy to guess. Use a whole sentence, or let a password manager choose.',
  'strength.2': 'It can be guessed with some effort. A few more words make it better.',
  'strength.3': 'Hard to guess.',
  'strength.4': 'Very hard to guess.',
} as const)
