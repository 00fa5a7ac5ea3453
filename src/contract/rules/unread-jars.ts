/** `damaged`: a broken zip. `too-slow`: too much time or memory. `not-file`: a link. `not-opened`: may work later. */
export const UNREAD_JARS = [
  'empty',
  'not-zip',
  'damaged',
  'too-large',
  'too-slow',
  'not-file',
  'not-opened',
] as const
