// Entry of the browser edition. Checks Node's version before loading code that needs it.
import process from 'node:process'

const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(
    `The panel needs Node 24 or newer for its cache; this is Node ${process.versions.node}. ` +
      'Start it with "npm start", which includes one.\n',
  )
  process.exitCode = 1
} else {
  const { runCommandLine } = await import('./command-line.ts')
  await runCommandLine(process.argv)
}
