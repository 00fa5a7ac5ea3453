import { z } from 'zod'
import { relocationStages, type Relocation } from '../../contract/bridge/relocation-calls.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import { storedJson } from '../storage/stored-json.ts'
import type { Cache } from '../views/cache/cache.ts'

const SETTING = 'relocations'
const Stage = z.enum(relocationStages)
const Ref = z.object({ connectionId: z.string(), serverId: z.string() })

const RelocationRecord = z.object({
  id: z.uuid(),
  from: Ref,
  to: Ref,
  stage: Stage,
  /** Where it goes on after a failure. */
  failedAt: Stage.nullable(),
  empties: z.boolean(),
  emptied: z.boolean(),
  transferId: z.string().nullable(),
  done: z.number(),
  total: z.number().nullable(),
  leftOut: z.number(),
  different: z.array(z.string()),
  differentCount: z.number(),
  problem: z.custom<Problem>().nullable(),
})
export type RelocationRecord = z.infer<typeof RelocationRecord>

const ENDED: ReadonlySet<RelocationRecord['stage']> = new Set(['done', 'failed', 'cancelled'])
export const hasEnded = ({ stage }: Pick<RelocationRecord, 'stage'>): boolean => ENDED.has(stage)

export const relocationOf = ({ failedAt: _, empties: __, ...shown }: RelocationRecord): Relocation => shown

/** Kept across restarts, in the order they were begun. */
export class RelocationRecords {
  readonly #cache: Pick<Cache, 'readSetting' | 'writeSetting'>
  #all: RelocationRecord[] = []
  #saving: Promise<void> = Promise.resolve()

  constructor(cache: Pick<Cache, 'readSetting' | 'writeSetting'>) {
    this.#cache = cache
  }

  async load(): Promise<void> {
    const stored = z.array(z.unknown()).safeParse(storedJson(await this.#cache.readSetting(SETTING)))
    this.#all = (stored.data ?? []).flatMap((one) => RelocationRecord.safeParse(one).data ?? [])
  }

  get all(): readonly RelocationRecord[] {
    return this.#all
  }

  of(id: string): RelocationRecord | null {
    return this.#all.find((one) => one.id === id) ?? null
  }

  async add(record: RelocationRecord): Promise<void> {
    this.#all.push(record)
    await this.save()
  }

  async remove(isGone: (record: RelocationRecord) => boolean): Promise<void> {
    this.#all = this.#all.filter((one) => !isGone(one))
    await this.save()
  }

  /** In order: a slow earlier write must not replace a later one. */
  save(): Promise<void> {
    const saved = this.#saving.then(() => this.#cache.writeSetting(SETTING, JSON.stringify(this.#all)))
    this.#saving = saved.catch(() => undefined)
    return saved
  }
}
