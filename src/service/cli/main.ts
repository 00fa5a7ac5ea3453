/* Checks the Node version before loading anything that needs a newer one. */
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(
    `The service needs Node 24 or newer for its database; this is Node ${process.versions.node}. ` +
      'Install Node 24, or start it with "npm run service", which includes one.\n',
  )
  process.exitCode = 1
} else {
  // node:sqlite is used knowingly; don't warn at every start.
  const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void
  process.emitWarning = (warning: unknown, ...rest: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental')) emitWarning(warning, ...rest)
  }
  const { runCommandLine } = await import('./command-line.ts')
  await runCommandLine(process.argv)
}

export {}
