import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import pino from 'pino'
import type { EngineSettings } from '../../src/service/runtime/containers/engine.ts'
import { createRuntime } from '../../src/service/runtime/runtime.ts'
import { readSign } from '../../src/service/worlds/logs/log-lines.ts'
import type { Software } from '../../src/service/software/software.ts'

/** What `many-idle.ts` is started with, as JSON. */
export interface ManyIdle {
  folder: string
  count: number
  firstPort: number
  /** Null: as processes. */
  engine: EngineSettings | null
}

const AT_ONCE = 4
const READY = '[00:00:00 INFO]: Done (0.1s)! For help, type "help"'
// Ended with our end by its input.
const SCRIPT = `echo '${READY}'; exec cat`

/** A program that does nothing, and is the same for processes and containers. */
const idle: Software = {
  ...{ id: 'idle', name: 'Idle', description: '', stopCommand: 'stop', maxPlayers: 0, readSign },
  versions: async () => [{ id: '1' }],
  async program({ folder }) {
    await mkdir(folder, { recursive: true })
    return { file: '/bin/busybox', args: ['sh', '-c', SCRIPT], cwd: folder, env: {} }
  },
}

const { folder, count, firstPort, engine } = JSON.parse(process.argv[2] ?? '') as ManyIdle
const runtime = await createRuntime({
  ...{ dataDir: folder, epoch: 1, engine, software: [idle], log: pino({ level: 'silent' }) },
})
const ids = Array.from({ length: count }, (_, at) => `idle-${at}`)
for (const [at, id] of ids.entries())
  runtime.add({
    ...{ id, name: id, folder: path.join(folder, id), software: { id: 'idle', version: '1' }, memoryMb: 512 },
    ...{ host: '127.0.0.1', port: firstPort + at, driver: engine ? 'docker' : 'process' },
  })
const waiting = [...ids]
const startEach = async () => {
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    const reached = Promise.withResolvers<unknown>()
    const server = runtime.find(id)
    const stop = server.changes.on(() => {
      const { status } = server.status()
      if (status === 'online' || status === 'crashed') reached.resolve(status)
    })
    await server.power('start')
    if ((await reached.promise) === 'crashed') throw new Error(JSON.stringify(server.crashes.crash))
    stop()
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, startEach))
const down = async (id: string) => {
  const server = runtime.find(id)
  await server.power('kill')
  while (!server.isDown) await new Promise<void>((resolve) => server.changes.on(() => resolve()))
}
process.once('message', () => {
  void Promise.all(ids.map(down))
    .then(() => runtime.close(true))
    .then(() => process.disconnect())
})
process.send?.('ready')
