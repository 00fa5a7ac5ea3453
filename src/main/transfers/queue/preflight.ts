import { api } from '../../../contract/areas/index.ts'
import type { FileLimits } from '../../../contract/bridge/values.ts'
import { say } from '../../../contract/messages/say.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem, problem } from '../../api/problem.ts'
import { tooLarge } from '../send/send-item.ts'
import type { TransferRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { PIECE_MOST } from '../send/tus.ts'

/** Answers that say that a service knows no such thing, or not in this shape: then nothing is known, and that is fine. */
const silent = new Set(['unavailable', 'incompatible'])

/** What a service takes, once asked before the first byte of a transfer. */
export interface Prepared {
  limits: FileLimits | null
}

/**
 * Checks before the first byte what can be checked: whether the account may, and whether there is room. Throws the
 * sentence that ends the transfer; files that are too large fail each for itself.
 */
export async function prepare(
  row: TransferRow,
  client: ApiClient,
  from: ApiClient | null,
  store: Store,
): Promise<Prepared> {
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
        values: { state: 'failed' as const, problem: tooLarge(item, most).problem },
      })),
    )
  }
  const now = await store.one(row.id)
  // Where the panel was killed within a piece, the service holds more of a begun file than is known here.
  const begun = (await store.begun(row.id)).filter(({ resume }) => resume !== null)
  if (limits && now) checkRoom(limits, now.bytesLeft - begun.length * PIECE_MOST)
  return { limits }
}

async function checkRights(client: ApiClient, serverId: string, scope: string): Promise<void> {
  const server = await unlessSilent(async () => {
    const { value } = await client.send(api.servers.read, { params: { serverId } })
    return value
  })
  if (!server || !Array.isArray(server.role) || server.role.includes(scope)) return
  const key = scope === 'files.read' ? 'send.may-not-read' : 'send.may-not-change'
  throw problem('forbidden', say(key, { server: server.name }))
}

function checkRoom({ quotaBytes, usedBytes, freeBytes }: FileLimits, needed: number): void {
  const quota = typeof quotaBytes === 'number' ? quotaBytes - (usedBytes ?? 0) : Infinity
  if (needed > quota) {
    throw problem('too-large', say('send.quota', { needed, left: Math.max(quota, 0) }), {
      serviceCode: 'files.quota',
    })
  }
  if (typeof freeBytes === 'number' && needed > freeBytes) {
    throw problem('too-large', say('send.disk-full', { needed, free: freeBytes }), {
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
