import { isAbsolute } from 'node:path'
import { z } from 'zod'
import type { Problem } from '../../contract/bridge/problem.ts'
import type { ServerRef } from '../../contract/bridge/values.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { problem } from '../base/problem.ts'
import { storedJson } from '../storage/stored-json.ts'
import type { Cache } from '../views/cache/cache.ts'

const PLANS_MOST = 100
const SETTING = 'copies'

const Moment = z.iso.datetime()
const CopyPlan = z.object({
  connectionId: z.string(),
  serverId: z.string(),
  /** Of the server, for notices; the last one known. */
  name: z.string(),
  on: z.boolean(),
  hour: z.number().int().min(0).max(23),
  keep: z.number().int().min(1).max(100),
  /** Chosen by the user; null: in the data folder. */
  folder: z
    .string()
    .refine((path) => isAbsolute(path))
    .nullable(),
  /** Whether the host's own backups are saved too. */
  hostBackups: z.boolean().default(false),
  backupsProblem: z.custom<Problem>().nullable().default(null),
  /** When it was turned on. */
  since: Moment,
  last: z.object({ at: Moment, problem: z.custom<Problem>().nullable() }).nullable(),
  lastGood: Moment.nullable(),
  /** `save-off` may have been sent, and `save-on` not yet. */
  isPaused: z.boolean(),
  /** The user was told that there has been no copy lately. */
  isTold: z.boolean(),
})
export type CopyPlan = z.infer<typeof CopyPlan>

/** What servers are copied to this computer. Deleted when signing out; the copies are not. */
export class CopyPlans {
  readonly #cache: Pick<Cache, 'readSetting' | 'writeSetting'>
  readonly #now: () => number
  #all: Promise<CopyPlan[]> | null = null
  #saving: Promise<void> = Promise.resolve()

  constructor(cache: Pick<Cache, 'readSetting' | 'writeSetting'>, now: () => number) {
    this.#cache = cache
    this.#now = now
  }

  all(): Promise<readonly CopyPlan[]> {
    return this.#read()
  }

  /** The usual plan, which is off, if there is none. */
  async of({ connectionId, serverId }: ServerRef): Promise<CopyPlan> {
    const found = (await this.#read()).find(isOf({ connectionId, serverId }))
    return found ?? this.#usual(connectionId, serverId)
  }

  async change({ connectionId, serverId }: ServerRef, change: Partial<CopyPlan>): Promise<CopyPlan> {
    const all = await this.#read()
    const at = all.findIndex(isOf({ connectionId, serverId }))
    if (at < 0 && all.length >= PLANS_MOST)
      throw problem('conflict', localized('copies.too-many-plans', { most: PLANS_MOST }), {
        retryable: false,
      })
    const plan = { ...(all[at] ?? this.#usual(connectionId, serverId)), ...change }
    if (at < 0) all.push(plan)
    else all[at] = plan
    await this.#save(all)
    return plan
  }

  /** Nothing if there is none: it may have been forgotten meanwhile. */
  async update(server: ServerRef, change: Partial<CopyPlan>): Promise<void> {
    if ((await this.#read()).some(isOf(server))) await this.change(server, change)
  }

  async forget(connectionId: string): Promise<void> {
    const all = await this.#read()
    const left = all.filter((plan) => plan.connectionId !== connectionId)
    if (left.length === all.length) return
    this.#all = Promise.resolve(left)
    await this.#save(left)
  }

  #usual(connectionId: string, serverId: string): CopyPlan {
    return {
      ...{ connectionId, serverId, name: '', on: false, hour: 3, keep: 7, folder: null },
      ...{ hostBackups: false, backupsProblem: null },
      ...{ since: new Date(this.#now()).toISOString(), last: null, lastGood: null },
      ...{ isPaused: false, isTold: false },
    }
  }

  #read(): Promise<CopyPlan[]> {
    return (this.#all ??= this.#cache.readSetting(SETTING).then((text) => {
      const stored = z.array(z.unknown()).safeParse(storedJson(text))
      return (stored.data ?? []).flatMap((one) => CopyPlan.safeParse(one).data ?? [])
    }))
  }

  /** One at a time: a slow earlier write must not replace a later one. */
  #save(all: readonly CopyPlan[]): Promise<void> {
    const text = JSON.stringify(all)
    const saved = this.#saving.then(() => this.#cache.writeSetting(SETTING, text))
    this.#saving = saved.catch(() => undefined)
    return saved
  }
}

const isOf = (server: ServerRef) => (plan: CopyPlan) =>
  plan.connectionId === server.connectionId && plan.serverId === server.serverId

const NOTICE_AFTER = 3 * 24 * 60 * 60 * 1000

type Timing = Pick<CopyPlan, 'on' | 'hour' | 'since' | 'last' | 'lastGood' | 'isTold'>

/** Whether a copy's time has come since the last try, by the local clock. One that was missed is due at once. */
export function isDue({ on, hour, since, last }: Timing, now: number): boolean {
  if (!on) return false
  const time = new Date(now)
  time.setHours(hour, 0, 0, 0)
  if (time.getTime() > now) time.setDate(time.getDate() - 1)
  const tried = Math.max(Date.parse(since), last ? Date.parse(last.at) : 0)
  // A time in the future: the clock was set back.
  return time.getTime() > Math.min(tried, now)
}

/** Whether the user is to be told that there has been no copy lately. */
export function lacksCopies({ on, since, lastGood, isTold }: Timing, now: number): boolean {
  const from = Math.max(Date.parse(since), lastGood === null ? 0 : Date.parse(lastGood))
  return on && !isTold && now - from >= NOTICE_AFTER
}
