// A stand-in for a service that has no file left to open, as one of very many connections, while programs of it end.
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ProcessDriver } from '../../../src/service/runtime/processes/process-driver.ts'

const [folder = ''] = process.argv.slice(2)
const driver = await ProcessDriver.create(folder, 1000)
const sleeping = { file: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], cwd: folder, env: {} }
const [ends, killed] = [
  await driver.start({ id: 'ends' }, sleeping, () => undefined),
  await driver.start({ id: 'killed' }, sleeping, () => undefined),
]
const { pid } = JSON.parse(readFileSync(join(folder, 'run/ends.json'), 'utf8')) as { pid: number }
// What is loaded for the first time by then could not be.
killed.onExit(() => undefined)
try {
  for (;;) openSync('/dev/null', 'r')
} catch (error) {
  console.log((error as NodeJS.ErrnoException).code)
}
ends.onExit(({ signal }) => console.log('ended by', signal))
process.kill(pid, 'SIGTERM')
await new Promise<void>((resolve) => {
  killed.onExit(({ signal }) => {
    console.log('ended by', signal)
    resolve()
  })
  killed.kill()
})
