/**
 * Why nothing is known of a jar. `damaged`: it is a zip, cut off or broken. `too-slow`: looking into it took too much time or
 * memory. `not-file`: a link. `not-opened`: not now, perhaps another time.
 */
export const UNREAD_JARS = [
  'empty',
  'not-zip',
  'damaged',
  'too-large',
  'too-slow',
  'not-file',
  'not-opened',
] as const
