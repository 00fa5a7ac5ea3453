import { api } from '../../../contract/areas/index.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import type { Connections } from '../../accounts/connections.ts'
import { problem } from '../../base/problem.ts'
import type { AreaHandlers } from '../../bridge/handlers.ts'
import type { TransferManager } from '../../transfers/transfers.ts'

export interface ActivityDependencies {
  connections: Connections
  transfers: Pick<TransferManager, 'saveHere'>
}

/** Our longest log is about 30 MB; anything larger isn't ours. */
const MOST_BYTES = 64 * 1024 * 1024

export const activityCalls = ({
  connections,
  transfers,
}: ActivityDependencies): AreaHandlers<'activity'> => ({
  async 'activity.save'({ connectionId, serverId, format }) {
    const input = { params: { serverId }, query: { format } }
    const { value } = await connections.client(connectionId).send(api.activity.export, input)
    const text = await textOf(value)
    if (/^\s*<(!doctype|html)/i.test(text))
      throw problem('incompatible', localized('activity.no-export'), { detail: 'body' })
    return { path: await transfers.saveHere(`activity-${nameOf(serverId)}.${format}`, text) }
  },
})

async function textOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > MOST_BYTES) throw problem('too-large', localized('activity.too-large'))
    pieces.push(piece)
  }
  // Keep a byte order mark: it is part of the file.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(pieces))
}

const nameOf = (serverId: string): string => serverId.replaceAll(/[^a-z0-9-]+/gi, '-').slice(0, 60)
