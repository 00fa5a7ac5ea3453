import { api } from '../../../contract/areas/index.ts'
import type { FileLimits } from '../../../contract/bridge/values.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem, problem } from '../../base/problem.ts'
import { batchOf } from '../send/batch.ts'
import { tooLarge } from '../send/send-item.ts'
import type { QueuePorts } from './ports.ts'
import type { BatchSize, TransferRow } from '../store/rows.ts'
import type { Store } from '../store/tables.ts'
import { PIECE_MOST } from '../send/tus.ts'

/** Answers that mean the service doesn't know such limits. */
const silent = new Set(['unavailable', 'incompatible'])

export interface Preflight {
  limits: FileLimits | null
}

/** Checks permission and space. Throws the problem that ends the transfer; oversized files fail individually. */
async function preflight(
  row: TransferRow,
  client: ApiClient,
  from: ApiClient | null,
  store: Store,
): Promise<Preflight> {
  if (row.kind === 'download') {
    await checkRights(client, row.serverId, 'files.read')
    return { limits: null }
  }
  if (from && row.fromServerId !== null) await checkRights(from, row.fromServerId, 'files.read')
  await checkRights(client, row.serverId, 'files.write')
  const limits = await unlessSilent(async () => {
    const { value } = await client.send(api.files.limits, { params: { serverId: row.serverId } })
    return value
  })
  const most = limits?.maxFileBytes
  if (most !== null && most !== undefined) {
    const large = await store.larger(row.id, most)
    await store.changeItems(
      large.map((item) => ({
        id: item.id,
        values: { state: 'failed' as const, problem: tooLarge(item, most, client.baseUrl).problem },
      })),
    )
  }
  const now = await store.one(row.id)
  // After a crash the service may have more of a file than recorded here.
  const begun = (await store.begun(row.id)).filter(({ resume }) => resume !== null)
  if (limits && now) checkRoom(limits, now.bytesLeft - begun.length * PIECE_MOST)
  return { limits }
}

export class Preflights {
  readonly #ports: QueuePorts
  readonly #asked: (row: TransferRow, fault: unknown) => void
  /** Null while pending. */
  readonly #known = new Map<string, Preflight | null>()
  readonly #noBatch = new Set<string>()

  /** @param asked called with the outcome; `fault` is null on success */
  constructor(ports: QueuePorts, asked: (row: TransferRow, fault: unknown) => void) {
    this.#ports = ports
    this.#asked = asked
  }

  of(row: TransferRow): Preflight | null {
    const known = this.#known.get(row.id)
    if (known !== undefined) return known
    this.#known.set(row.id, null)
    void this.#ask(row).then(
      () => this.#asked(row, null),
      (fault: unknown) => {
        this.#known.delete(row.id)
        this.#asked(row, fault)
      },
    )
    return null
  }

  isAsking(transferId: string): boolean {
    return this.#known.get(transferId) === null
  }

  /** Null if files are sent one by one. */
  batch(row: TransferRow, known: Preflight): BatchSize | null {
    return row.kind !== 'download' && !this.#noBatch.has(row.id) ? batchOf(row, known) : null
  }

  /** The service doesn't accept batches after all. */
  noBatch(transferId: string): void {
    this.#noBatch.add(transferId)
  }

  forget(transferId: string): void {
    this.#known.delete(transferId)
    this.#noBatch.delete(transferId)
  }

  async #ask(row: TransferRow): Promise<void> {
    const { client, store } = this.#ports
    const from = row.fromConnectionId === null ? null : client(row.fromConnectionId)
    const asked = await preflight(row, client(row.connectionId), from, store)
    if (this.#known.has(row.id)) this.#known.set(row.id, asked)
  }
}

async function checkRights(client: ApiClient, serverId: string, scope: string): Promise<void> {
  const server = await unlessSilent(async () => {
    const { value } = await client.send(api.servers.read, { params: { serverId } })
    return value
  })
  if (!server || !Array.isArray(server.role) || server.role.includes(scope)) return
  const key = scope === 'files.read' ? 'send.may-not-read' : 'send.may-not-change'
  throw problem('forbidden', localized(key, { server: server.name }))
}

function checkRoom({ quotaBytes, usedBytes, freeBytes }: FileLimits, needed: number): void {
  const quota = typeof quotaBytes === 'number' ? quotaBytes - (usedBytes ?? 0) : Infinity
  if (needed > quota) {
    throw problem('too-large', localized('send.quota', { needed, left: Math.max(quota, 0) }), {
      serviceCode: 'files.quota',
    })
  }
  if (typeof freeBytes === 'number' && needed > freeBytes) {
    throw problem('too-large', localized('send.disk-full', { needed, free: freeBytes }), {
      serviceCode: 'files.disk-full',
    })
  }
}

async function unlessSilent<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof PanelProblem && silent.has(error.problem.code)) return null
    throw error
  }
}
