/** Wer gerade da ist, auf der Übersicht. */
export const onNow = {
  'on-now.title': 'Gerade online',
  'on-now.more': '{count} weitere',
} as const
