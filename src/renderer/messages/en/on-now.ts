import { loaded } from '../loaded.ts'

/** Who is on, on the overview. */
export const onNow = loaded({
  'on-now.title': 'On now',
  'on-now.more': '{count} more',
} as const)
