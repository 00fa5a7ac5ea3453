/**
 * Signals that tell a program to end in order: Ctrl-C, what systems send before they kill, and a terminal that is closed.
 * SIGBREAK is Windows' Ctrl-Break.
 */
export const endingSignals: readonly NodeJS.Signals[] = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : []),
]
