import { randomUUID } from 'node:crypto'
import type { ServerRef } from '../../../contract/bridge/values.ts'
import type { Clock } from '../../base/retry.ts'
import type { NewTransfer } from './rows.ts'

export function newTransfer(
  clock: Clock,
  kind: NewTransfer['kind'],
  { connectionId, serverId }: ServerRef,
  folder: string,
): NewTransfer {
  const createdAt = new Date(clock.now()).toISOString()
  const none = { fromConnectionId: null, fromServerId: null, page: null }
  return { id: randomUUID(), kind, name: '', connectionId, serverId, folder, createdAt, ...none }
}
