import { copyFileSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { javaServerJar } from '../../../tests/doubles/java-server.ts'
import { BRIEF_JVM } from '../../../tests/doubles/running-java-server.ts'
import { openTestFiles } from '../files/files.fixture.ts'
import { writeEula, writeSettings } from '../software/installs/server-files.ts'
import { demoSoftware } from '../software/demo/demo.ts'
import type { Software } from '../software/software.ts'
import { readSign } from '../worlds/logs/log-lines.ts'
import { freePort, RuntimeFixture, tempFolder } from './runtime.fixture.ts'

const OFTEN = { firstMs: 10, everyMs: 30 }
const stop = { commandMs: 20_000, termMs: 1000 }

/** A Java server that never says it is ready. `at`: the port it listens on, where that is not its own. */
async function open({ at }: { at?: number } = {}) {
  const jar = await javaServerJar({ kind: 'vanilla', isQuiet: true })
  const base = demoSoftware(process.execPath)
  if (!base) throw new Error('There is no demo.')
  const { installation: _, ...rest } = base
  const quiet: Software = {
    ...rest,
    ...{ id: 'quiet', name: 'Quiet', stopCommand: 'stop', readSign },
    async program({ folder, port }) {
      const { files, root } = await openTestFiles({ running: () => true })
      await writeEula(files)
      await writeSettings(files, { 'server-port': String(at ?? port), 'server-ip': '127.0.0.1' })
      mkdirSync(folder, { recursive: true })
      for (const name of ['eula.txt', 'server.properties']) copyFileSync(join(root, name), join(folder, name))
      return { file: 'java', args: [...BRIEF_JVM, '-jar', jar, 'nogui'], cwd: folder, env: {} }
    },
  }
  const folder = await tempFolder()
  const it = await RuntimeFixture.open({ dataDir: folder.path, stop, answer: OFTEN, software: [quiet] })
  onTestFinished(async () => {
    await it.close()
    await folder.remove()
  })
  return it
}

const software = { id: 'quiet', version: '1' }

test('a server whose log does not say that it is ready is online once it answers Server List Ping', async () => {
  const it = await open()
  await it.add('a', { software })
  await it.order('a', 'start')
  await it.until('a', 'online')
  expect(await it.line('a', /answers/)).toMatchObject({
    text: 'The server answers, so it counts as online. Its log did not say that it is ready.',
    source: 'service',
  })
  await it.order('a', 'stop')
  await it.until('a', 'offline')
})

test('a server that does not listen at its port is not online, whatever else it does, and is asked no more once it ended', async () => {
  const it = await open({ at: await freePort() })
  const { port } = await it.add('a', { software })
  await it.order('a', 'start')
  await it.line('a', /Preparing level/)
  // What is there speaks another protocol.
  let asked = 0
  const other = createServer((socket) => {
    asked += 1
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  })
  await new Promise<void>((done) => other.listen(port, '127.0.0.1', done))
  onTestFinished(() => void other.close())
  await expect.poll(() => asked).toBeGreaterThan(2)
  expect(it.runtime.find('a').status().status).toBe('starting')
  await it.order('a', 'stop')
  await it.until('a', 'offline')
  const then = asked
  await new Promise((resolve) => setTimeout(resolve, OFTEN.everyMs * 4))
  expect(asked).toBeLessThanOrEqual(then + 1)
})
