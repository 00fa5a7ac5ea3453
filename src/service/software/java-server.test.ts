import { readFileSync, readdirSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownPort } from '../../../tests/fixtures/game-ports.ts'
import { javaServerJar, type JavaServerVariant } from '../../../tests/doubles/java-server.ts'
import { BRIEF_JVM } from '../../../tests/doubles/running-java-server.ts'
import { temporary } from '../../host/temporary.fixture.ts'
import { openTestFiles } from '../files/files.fixture.ts'
import type { ProcessExit } from '../runtime/programs/driver.ts'
import { ProcessDriver } from '../runtime/processes/process-driver.ts'
import { explainCrash } from '../worlds/crashes/crash-causes.ts'
import { readSign } from '../worlds/logs/log-lines.ts'
import { pingServer } from '../worlds/server-list-ping.ts'
import { javaProgram } from './installs/java-program.ts'
import { writeEula, writeSettings } from './installs/server-files.ts'

const LIMITS = { commandMs: 60_000, termMs: 60_000 }

/** A server's folder as an installation leaves it, agreed to the EULA and with a port of its own. */
async function installed(variant: JavaServerVariant, port: number) {
  const { files, root } = await openTestFiles({ running: () => true })
  await copyFile(await javaServerJar(variant), join(root, 'server.jar'))
  await writeEula(files)
  await writeSettings(files, { 'server-port': String(port), 'server-ip': '127.0.0.1', motd: 'Hello' })
  return { files, root, variant, port }
}

/** Starts it with the service's own driver. */
async function start(
  { root, variant, port }: { root: string; variant: JavaServerVariant; port: number },
  jvm: string[] = [],
) {
  const driver = await ProcessDriver.create(temporary(), LIMITS.termMs)
  const spec = javaProgram({
    software: variant.kind,
    version: variant.version ?? '1.21.4',
    java: 'java',
    jvm: [...BRIEF_JVM, ...jvm],
    entry: { form: 'jar', file: 'server.jar' },
    folder: root,
    port,
  })
  const lines: string[] = []
  let isOnline: () => void
  const online = new Promise<void>((resolve) => (isOnline = resolve))
  const program = await driver.start({ id: 'one' }, spec, (more) => {
    lines.push(...more)
    if (more.some((line) => readSign(line)?.kind === 'online')) isOnline()
  })
  onTestFinished(() => program.kill())
  const ended = new Promise<ProcessExit>((resolve) => program.onExit(resolve))
  const ready = Promise.race([
    online,
    ended.then(() => Promise.reject(new Error(`It ended before it was ready:\n${lines.join('\n')}`))),
  ])
  // Those that are to crash are never ready.
  ready.catch(() => undefined)
  return { program, lines, ready, ended }
}

test.each([
  ['paper', 'stop'],
  ['velocity', 'end'],
] as const)('%s is ready by its log and by Server List Ping, and stopped by `%s`', async (kind, stop) => {
  const port = ownPort()
  const { program, lines, ready, ended } = await start(await installed({ kind }, port))
  await ready
  expect(await pingServer(port)).toMatchObject({ version: '1.21.4', players: { online: 0 } })
  const told: string[] = []
  program.stop(stop, LIMITS, (line) => told.push(line.message))
  expect(await ended).toEqual({ exitCode: 0, signal: null })
  expect(told).toEqual([])
  expect(lines.map((line) => readSign(line)?.kind)).toContain('stopping')
  expect(explainCrash({ lines, exitCode: 0 })).toBe(null)
})

test('crashes of running programs are explained: port, world, EULA, Java, memory', async () => {
  const port = ownPort()
  const first = await installed({ kind: 'vanilla' }, port)
  const running = await start(first)
  await running.ready
  const why = async ({ lines, ended }: Awaited<ReturnType<typeof start>>) => {
    const { exitCode } = await ended
    return explainCrash({ lines, exitCode })
  }

  const samePort = await start(await installed({ kind: 'paper' }, port))
  expect(await why(samePort)).toMatchObject({ cause: 'port-in-use', facts: { port } })

  await writeSettings(first.files, { 'server-port': String(ownPort()) })
  expect(await why(await start(first))).toMatchObject({ cause: 'world-locked', facts: { world: 'world' } })

  const unasked = await installed({ kind: 'forge' }, ownPort())
  await copyFile(join(unasked.root, 'server.properties'), join(unasked.root, 'eula.txt'))
  expect(await why(await start(unasked))).toMatchObject({ cause: 'eula' })

  const later = await installed({ kind: 'fabric', classVersion: 99 }, ownPort())
  expect(await why(await start(later))).toMatchObject({
    cause: 'wrong-java',
    facts: { needed: 55, present: expect.any(Number) },
  })

  running.program.write('crash memory')
  const memory = { cause: 'out-of-memory', facts: { where: 'heap' } }
  expect(await why(running)).toMatchObject(memory)
  const reports = join(first.root, 'crash-reports')
  const report = readFileSync(join(reports, readdirSync(reports)[0]!), 'utf8')
  expect(explainCrash({ lines: [], exitCode: 1, report })).toMatchObject(memory)
})
