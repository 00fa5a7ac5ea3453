import type { StatusKind } from './status.ts'
import type { Server } from '../../../contract/bridge/values.ts'
import { addressText, gameAddress } from '../../../contract/rules/game-address.ts'

/** `play.example:25565`, or null. */
export function addressOf({ address }: Pick<Server, 'address'>): string | null {
  const read = address && gameAddress(address)
  return read ? addressText(read) : null
}

export function softwareOf(server: Server): string | null {
  const software = server.software
  if (!software) return null
  return [software.name ?? software.id, software.version].filter(Boolean).join(' ')
}

/** Whether the installation still runs. Create it before sending: it may finish before the reply. */
export function whileInstalling(server: {
  readonly kind: StatusKind
  readonly since: string | null
}): () => boolean {
  const before = server.since
  let wasSeen = false
  return () => {
    if (server.kind !== 'installing') return !wasSeen && server.since === before
    wasSeen = true
    return true
  }
}
