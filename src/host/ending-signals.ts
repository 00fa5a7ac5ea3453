/** Signals that request an orderly exit. SIGBREAK is Ctrl-Break on Windows. */
export const endingSignals: readonly NodeJS.Signals[] = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : []),
]
