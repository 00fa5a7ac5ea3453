import { randomUUID } from 'node:crypto'
import { api } from '../../contract/areas/index.ts'
import type { ParsedCallInput } from '../../contract/bridge/calls.ts'
import type { Relocation, RelocationPreview, RunState } from '../../contract/bridge/relocation-calls.ts'
import type { ServerRef } from '../../contract/bridge/values.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { hostKindOf } from '../../contract/rules/hosts.ts'
import { isStopped } from '../../contract/rules/power.ts'
import type { ApiClient } from '../api/client.ts'
import { PanelProblem, problem } from '../base/problem.ts'
import type { Log } from '../logging/log.ts'
import type { ProblemConverter } from '../logging/to-problem.ts'
import type { TransferManager } from '../transfers/transfers.ts'
import { placeSettings, placeWarnings, readPlace } from './place-settings.ts'
import {
  hasEnded,
  relocationOf,
  type RelocationRecord,
  type RelocationRecords,
} from './relocation-records.ts'
import { namesMoved, rootEntries } from './server-tree.ts'
import {
  checking,
  copying,
  emptying,
  listing,
  type RunningRelocation,
  settling,
  type StagePorts,
  Cancellation,
} from './stages.ts'

const REMEMBERED_MOST = 20
const TELL_EVERY = 300

const STAGES = [
  ['listing', listing],
  ['emptying', emptying],
  ['copying', copying],
  ['settings', settling],
  ['checking', checking],
] as const

export interface RelocationPorts extends StagePorts {
  records: RelocationRecords
  transfers: Pick<TransferManager, 'copy' | 'list' | 'retry' | 'cancel'>
  log: Log
  toProblem: ProblemConverter
  isReady: (connectionId: string) => boolean
  tell: (now: Relocation[]) => void
}

/** Copies servers into the folders of others. Nothing of the source is ever changed. */
export class Relocations {
  readonly #ports: RelocationPorts
  readonly #running = new Map<string, { stop: AbortController; ended: Promise<void> }>()
  #started: Promise<void> | null = null
  #toldAt = 0

  constructor(ports: RelocationPorts) {
    this.#ports = ports
  }

  #start(): Promise<void> {
    return (this.#started ??= this.#ports.records.load())
  }

  /** Those of the last session whose connections are there again. */
  async goOn(): Promise<void> {
    await this.#start()
    const { records, isReady } = this.#ports
    for (const record of records.all) {
      const { id, from, to } = record
      if (hasEnded(record) || this.#running.has(id)) continue
      if (isReady(from.connectionId) && isReady(to.connectionId)) this.#begin(record)
    }
  }

  async list(): Promise<Relocation[]> {
    await this.#start()
    return this.#ports.records.all.map(relocationOf)
  }

  async preview({ from, to }: ParsedCallInput<'relocations.preview'>): Promise<RelocationPreview> {
    const { client } = this.#ports
    const source = client(from.connectionId)
    const [place, there] = [await readPlace(source, from.serverId), to && client(to.connectionId)]
    const target = to && there ? await readPlace(there, to.serverId) : null
    const hasNoTimes = hostKindOf(source.baseUrl) === 'exaroton'
    return {
      from: await runStateOf(source, from.serverId),
      to: to && there ? await runStateOf(there, to.serverId) : null,
      hasTrash: to && there ? await hasTrash(there, to.serverId) : false,
      settings: placeSettings(place, target),
      warnings: [
        ...(await placeWarnings(source, from.serverId, place)),
        ...(hasNoTimes ? [{ kind: 'no-times' as const }] : []),
      ],
    }
  }

  /** All that is moved, into an import of a service. */
  async send({ from, to }: ParsedCallInput<'relocations.send'>): Promise<{ transferId: string }> {
    const source = this.#ports.client(from.connectionId)
    const entries = await rootEntries(source, from.serverId, AbortSignal.timeout(60_000))
    // The service that creates it reads the settings and adapts them itself.
    const paths = entries.some(({ name }) => name === 'server.properties')
      ? [...namesMoved(entries), 'server.properties']
      : namesMoved(entries)
    if (paths.length === 0) throw problem('incompatible', localized('relocation.nothing'))
    const { connectionId, importId } = to
    return await this.#ports.transfers.copy({
      ...{ from, paths },
      to: { connectionId, serverId: importId, folder: '' },
    })
  }

  async begin({ from, to, empties, areStopped }: ParsedCallInput<'relocations.begin'>): Promise<Relocation> {
    await this.#start()
    const { records, client } = this.#ports
    if (isSame(from, to)) throw refused('relocation.same')
    if (empties && areOneMachine(client(from.connectionId), client(to.connectionId)))
      throw refused('relocation.one-machine')
    const names = [from, to]
    const isBusy = records.all.some(
      (one) => !hasEnded(one) && names.some((ref) => isSame(ref, one.from) || isSame(ref, one.to)),
    )
    if (isBusy) throw refused('relocation.busy')
    if (records.all.length >= REMEMBERED_MOST)
      throw problem('conflict', localized('relocation.too-many', { most: REMEMBERED_MOST }), {
        retryable: false,
      })
    for (const { connectionId, serverId } of names) {
      const state = await runStateOf(client(connectionId), serverId)
      if (state === 'stopped' || (state === 'unknown' && areStopped)) continue
      const { value } = await client(connectionId).send(api.servers.read, { params: { serverId } })
      const key = state === 'running' ? 'relocation.runs' : 'relocation.run-state'
      throw problem('conflict', localized(key, { server: value.name }), { retryable: false })
    }
    const record: RelocationRecord = {
      ...{ id: randomUUID(), from, to, empties, stage: 'listing', failedAt: null, emptied: false },
      ...{ transferId: null, done: 0, total: null, leftOut: 0, problem: null },
      ...{ different: [], differentCount: 0 },
    }
    await records.add(record)
    this.#begin(record)
    return relocationOf(record)
  }

  async retry(id: string): Promise<void> {
    const record = await this.#require(id)
    if (record.stage !== 'failed' || record.failedAt === null) throw gone()
    Object.assign(record, { stage: record.failedAt, failedAt: null, problem: null })
    this.#begin(record)
  }

  /** What has arrived stays there; the source is as it was. */
  async cancel(id: string): Promise<void> {
    const record = await this.#require(id)
    if (hasEnded(record)) throw gone()
    const running = this.#running.get(id)
    running?.stop.abort(new Cancellation())
    await running?.ended
    if (record.transferId) await this.#ports.transfers.cancel(record.transferId).catch(() => undefined)
  }

  async forget(id: string): Promise<void> {
    const record = await this.#require(id)
    if (!hasEnded(record)) throw gone()
    await this.#ports.records.remove((one) => one === record)
    this.#tell()
  }

  /** Of a connection that is signed out; null: of all, for now. */
  async leave(connectionId: string | null): Promise<void> {
    const isOf = ({ from, to }: RelocationRecord) =>
      connectionId === null || [from.connectionId, to.connectionId].includes(connectionId)
    const ending = this.#ports.records.all.filter(isOf).flatMap(({ id }) => this.#running.get(id) ?? [])
    for (const { stop } of ending) stop.abort(new Leaving())
    await Promise.all(ending.map(({ ended }) => ended))
    if (connectionId !== null) await this.#ports.records.remove(isOf)
  }

  #begin(record: RelocationRecord): void {
    const stop = new AbortController()
    const ended = this.#run({
      record,
      signal: stop.signal,
      changed: () => this.#changed(),
      save: () => this.#save(),
    })
      .catch((error: unknown) => this.#ports.log.warn('the state of a move could not be stored', { error }))
      .finally(() => this.#running.delete(record.id))
    this.#running.set(record.id, { stop, ended })
  }

  async #run(running: RunningRelocation): Promise<void> {
    const { record, signal } = running
    const from = STAGES.findIndex(([stage]) => stage === record.stage)
    try {
      for (const [stage, work] of STAGES.slice(Math.max(0, from))) {
        Object.assign(record, { stage, done: 0, total: null })
        await this.#save()
        signal.throwIfAborted()
        await work(this.#ports, running)
      }
      record.stage = 'done'
    } catch (error) {
      // It goes on with the next session.
      if (error instanceof Leaving) return
      const isCancelled = error instanceof Cancellation
      const failed = { failedAt: record.stage, problem: this.#ports.toProblem(error) }
      Object.assign(record, isCancelled ? { stage: 'cancelled' } : { ...failed, stage: 'failed' })
    }
    await this.#save()
  }

  async #save(): Promise<void> {
    this.#tell()
    await this.#ports.records.save()
  }

  async #changed(): Promise<void> {
    if (Date.now() - this.#toldAt >= TELL_EVERY) await this.#save()
  }

  #tell(): void {
    this.#toldAt = Date.now()
    this.#ports.tell(this.#ports.records.all.map(relocationOf))
  }

  async #require(id: string): Promise<RelocationRecord> {
    await this.#start()
    const record = this.#ports.records.of(id)
    if (!record) throw gone()
    return record
  }
}

/** The panel ends, or the user signs out. */
class Leaving extends Error {}

const RUNNING: ReadonlySet<unknown> = new Set(['online', 'starting', 'stopping'])

async function runStateOf(client: ApiClient, serverId: string): Promise<RunState> {
  try {
    const { value } = await client.send(api.servers.status, { params: { serverId } })
    return isStopped(value.status) ? 'stopped' : RUNNING.has(value.status) ? 'running' : 'unknown'
  } catch (error) {
    if (error instanceof PanelProblem && error.problem.code === 'unavailable') return 'unknown'
    throw error
  }
}

async function hasTrash(client: ApiClient, serverId: string): Promise<boolean> {
  const { value } = await client.send(api.files.limits, { params: { serverId } })
  return Boolean(value.trash)
}

const isSame = (a: ServerRef, b: ServerRef): boolean =>
  a.connectionId === b.connectionId && a.serverId === b.serverId

/** One folder may lie in the other. */
const areOneMachine = (...[a, b]: [ApiClient, ApiClient]): boolean =>
  [a, b].every(({ baseUrl }) => hostKindOf(baseUrl) === 'sftp') &&
  new URL(a.baseUrl).hostname === new URL(b.baseUrl).hostname

const refused = (key: 'relocation.same' | 'relocation.busy' | 'relocation.one-machine') =>
  problem('conflict', localized(key), { retryable: false })

const gone = () => problem('not-found', localized('relocation.gone'))
