import path from 'node:path'
import pino from 'pino'
import { gamePorts } from '../../../tests/fixtures/game-ports.ts'
import { FLOOD } from '../../../tests/doubles/flood-script.ts'
import type { NewSchedule } from '../../contract/areas/schedule-values.ts'
import type { GrantedScopes } from '../base/access.ts'
import type { Timers } from '../base/timers.ts'
import { heldClock, type HeldClock } from '../service.fixture.ts'
import { createRuntime } from '../runtime/runtime.ts'
import { scriptSoftware } from '../software/script-software.ts'
import { addServer, used } from '../store/used-folder.fixture.ts'
import type { RunRow, ScheduleRow } from '../store/schedules.ts'
import type { SchedulePorts } from './ports.ts'
import { Schedules } from './schedules.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Timers that go off when a test lets time go by, in order. */
export function handTimers(
  clock: HeldClock,
): Timers & { pass(ms: number): Promise<void>; waiting(): number } {
  const waiting = new Set<{ at: number; act: () => void }>()
  return {
    after(ms, act) {
      const timer = { at: clock.elapsed() + ms, act }
      waiting.add(timer)
      return () => void waiting.delete(timer)
    },
    waiting: () => waiting.size,
    async pass(ms) {
      const end = clock.elapsed() + ms
      for (;;) {
        // What went off may set the next one only after a few turns.
        for (let n = 0; n < 5; n++) await turn()
        const [next] = [...waiting].sort((a, b) => a.at - b.at)
        if (!next || next.at > end) break
        waiting.delete(next)
        clock.forward(Math.max(0, next.at - clock.elapsed()))
        next.act()
      }
      clock.forward(end - clock.elapsed())
    },
  }
}

const CALLER = { accountId: 'a', held: 'owner' } as const

/** A service's database and servers, with a clock that a test drives by hand. */
export async function scheduling(start?: number, { servers = 1 } = {}) {
  const { dataDir, open } = await used()
  const clock = heldClock(start)
  const held: { now: GrantedScopes } = { now: 'owner' }
  let isStopping = false

  async function begin(ports: Partial<SchedulePorts> = {}) {
    isStopping = false
    const store = await open()
    const log = pino({ level: 'silent' })
    const software = [scriptSoftware(process.execPath, FLOOD)!]
    const runtime = await createRuntime({ dataDir, epoch: store.epoch, software, log })
    const first = gamePorts()
    for (let n = store.servers.all().length; n < servers; n++) addServer(store, `s${n}`, first + n)
    for (const { id, name } of store.servers.all())
      runtime.add({
        ...{ id, name, folder: path.join(dataDir, 'servers', id), software: { id: 'flood', version: '1' } },
        ...{ memoryMb: 512, port: first, host: '127.0.0.1' },
      })
    const timers = handTimers(clock)
    const told: string[] = []
    const schedules = new Schedules({
      ...{ store, runtime, clock, timers, log },
      backups: { backUp: () => Promise.resolve(), tryNewest: () => Promise.resolve() },
      access: { held: () => held.now, isGoing: () => false },
      updates: { isOffered: () => false, update: async () => [], undo: async () => undefined },
      isStopping: () => isStopping,
      told: {
        changed: () => undefined,
        did: (rule, _at, { kind, result }) => told.push(`${rule.name}: ${kind} ${result}`),
        ended: (rule, { result }) => told.push(`${rule.name} ${result}`),
        paused: ({ name, paused }) => told.push(`${name} paused: ${paused?.sentence}`),
      },
      ...ports,
    })
    schedules.start()
    const runsOf = ({ id, serverId }: ScheduleRow): RunRow[] => schedules.runs(serverId, id, Infinity, 200)
    return {
      ...{ store, runtime, schedules, timers, told, runsOf },
      /** When it ran, oldest first, as its results say. */
      results: (rule: ScheduleRow) =>
        runsOf(rule)
          .map(
            ({ result, due }) =>
              `${due === null ? '' : `${new Date(due).toISOString().slice(0, 16)} `}${result}`,
          )
          .reverse(),
      status: (id = 'one') => runtime.status(id)?.status,
      async end() {
        isStopping = true
        await runtime.close(true)
        await schedules.close()
        await store.close()
      },
      /** As if it was killed: nothing is written any more. */
      async kill() {
        const text = 'Killed'
        store.schedules.changeRun = () => {
          throw new Error(text)
        }
        await this.end()
      },
    }
  }
  return { clock, held, begin }
}

export const rule = (more: Partial<NewSchedule> = {}): NewSchedule => ({
  ...{ name: 'Nightly', enabled: true, missed: 'skip' },
  when: { cron: '0 5 * * *', timeZone: 'UTC' },
  steps: [{ kind: 'wait', seconds: 1, onFailure: 'stop' }],
  ...more,
})

export const add = (
  { schedules }: { schedules: Schedules },
  more: Partial<NewSchedule> = {},
  serverId = 'one',
): ScheduleRow => schedules.create(serverId, rule(more), CALLER)
export { CALLER }
