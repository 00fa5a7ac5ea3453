import { loaded } from '../base/loaded.ts'

export const strength = loaded({
  'strength.0': 'Very easy to guess. Use a whole sentence.',
  'strength.1': 'Easy to guess. Use a whole sentence.',
  'strength.2': 'Not that hard to guess. Add a few words.',
  'strength.3': 'Hard to guess.',
  'strength.4': 'Very hard to guess.',
} as const)
