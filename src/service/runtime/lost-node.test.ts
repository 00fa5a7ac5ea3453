import { expect, onTestFinished, test } from 'vitest'
import { FLOOD } from '../../../tests/doubles/flood-script.ts'
import { temporary } from '../../host/temporary.fixture.ts'
import { Listeners } from '../base/change.ts'
import { refusal } from '../../host/refusal.ts'
import { scriptSoftware } from '../software/script-software.ts'
import { ConsoleLog } from './console/console-log.ts'
import { CrashRecords } from './crashes/crash-records.ts'
import { ManagedServer } from './managed-server.ts'
import type { Driver, ProcessExit, RunningProgram } from './programs/driver.ts'
import { ServerMarks } from './server-marks.ts'
import { freePort } from './runtime.fixture.ts'

/** Runs nothing, on nodes that can be lost. */
const GONE_SINCE = Date.UTC(2026, 10, 29, 20)

class NodesDriver implements Driver {
  readonly survivors = new Map()
  readonly places = new Listeners<void>()
  /** Of the newest program. */
  exits = new Listeners<ProcessExit>()
  place = { node: 'node-1', address: '10.0.0.1', isGone: false, goneSince: null as number | null }
  isMarked = false
  starts = 0
  online: () => void = () => undefined

  within: Driver['within'] = (spec) => spec
  cutOff = () => Promise.resolve(null)

  start: Driver['start'] = (_spec, _program, take) => {
    this.starts++
    this.place = { ...this.place, isGone: false, goneSince: null }
    this.online = () =>
      void take(['[12:00:00] [Server thread/INFO]: Done (1.0s)! For help, type "help"'], 'output')
    const exits = (this.exits = new Listeners())
    const place = () => this.place
    const program: RunningProgram = {
      startedAt: performance.now(),
      write: () => true,
      stop: () => undefined,
      kill: () => undefined,
      usage: () => Promise.resolve(null),
      onExit: (listener) => exits.on(listener),
      get place() {
        return place()
      },
      onPlace: (listener) => this.places.on(listener),
      abandon: () => {
        if (!this.place.isGone) return Promise.reject(refusal(409, 'node.not-gone'))
        if (this.isMarked) return Promise.reject(refusal(409, 'server.maybe-running'))
        exits.tell({ exitCode: 0, signal: null, isAbandoned: true })
        return Promise.resolve()
      },
    }
    return Promise.resolve(program)
  }

  lose(): void {
    this.place = { ...this.place, isGone: true, goneSince: GONE_SINCE }
    this.places.tell()
  }
}

async function running() {
  const folder = temporary()
  const driver = new NodesDriver()
  const console = new ConsoleLog(folder, 1)
  onTestFinished(() => console.close())
  const software = scriptSoftware(process.execPath, FLOOD)
  const spec = {
    ...{ id: 'a', name: 'One', folder, software: { id: 'flood', version: '1' }, memoryMb: 512 },
    ...{ port: await freePort(), host: '127.0.0.1' },
  }
  const server = new ManagedServer(spec, {
    ...{ driver, console, crashes: new CrashRecords(folder), sleepers: new ServerMarks(folder, 'sleeping') },
    ...{ softwareOf: () => software, limits: { commandMs: 1000, termMs: 1000 }, answer: undefined },
    ...{ requireMayStart: () => undefined, freePort: () => Promise.resolve(), runsOnPort: () => null },
    failed: () => undefined,
  })
  await server.power('start')
  driver.online()
  return { driver, server, console }
}

const saidIn = async (console: ConsoleLog): Promise<string[]> => {
  const piece = await console.cursor({ epoch: 1, seq: 0 }).read(100)
  return piece?.kind === 'lines'
    ? JSON.parse(`[${piece.bytes.toString()}]`).map((line: { text: string }) => line.text)
    : []
}

test('a server tells on which node it runs, and once that is lost', async () => {
  const { driver, server } = await running()
  expect(server.status()).toMatchObject({ status: 'online', node: { name: 'node-1', isGone: false } })
  const told: unknown[] = []
  server.changes.on((change) => change === 'status' && told.push(server.status().node))
  driver.lose()
  expect(told).toEqual([{ name: 'node-1', isGone: true }])
  expect(server.status()).toMatchObject({ status: 'lost', since: '2026-11-29T20:00:00.000Z' })
})

test('the program of a lost node is given up only when nothing of it is heard, and that is no crash', async () => {
  const { driver, server, console } = await running()
  await expect(server.abandon()).rejects.toMatchObject({ code: 'node.not-gone' })
  driver.lose()
  driver.isMarked = true
  await expect(server.abandon()).rejects.toMatchObject({ status: 409, code: 'server.maybe-running' })
  expect(server.status().status).toBe('lost')
  driver.isMarked = false
  const old = driver.exits
  // It was to start again, but nobody could say when.
  await server.power('restart')
  await server.abandon()
  expect(server.status()).toMatchObject({ status: 'offline' })
  expect(server.status()).not.toHaveProperty('node')
  expect((await saidIn(console)).at(-1)).toMatch(/may still run there/)
  await server.power('start')
  driver.online()
  expect(driver.starts).toBe(2)
  // The end of the old one is not the new one's.
  old.tell({ exitCode: 137, signal: null })
  expect(server.status()).toMatchObject({ status: 'online' })
})

test('a server that is stopped, or whose driver knows no nodes, has nothing to give up', async () => {
  const { driver, server } = await running()
  driver.exits.tell({ exitCode: 0, signal: null })
  await expect(server.abandon()).rejects.toMatchObject({ code: 'node.not-gone' })
})
