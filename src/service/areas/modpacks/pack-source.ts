import type { ServerChanges } from '../../changes/server-changes.ts'
import type { WantedPack } from '../../changes/pack-record.ts'
import type { PackSource } from '../../changes/packs/read-pack.ts'
import { broken, nothingWanted, oneWish } from '../../../extensions/catalogs/pack-refusals.ts'

interface SourceQuery {
  versionId?: string | undefined
  path?: string | undefined
  importId?: string | undefined
}

export interface SentPacks {
  /** Throws 404 `imports.not-found`. */
  require: (accountId: string, importId: string) => unknown
}

/** @param serverId null for a new server, which has no files */
export function sourceOf(
  serverId: string | null,
  { versionId, path, importId }: SourceQuery,
  accountId: string,
  { sent }: { sent: SentPacks },
): PackSource {
  if (versionId !== undefined && path === undefined && importId === undefined) return { versionId }
  if (path === undefined || versionId !== undefined) throw oneWish()
  // Other zip files are recognized when opened.
  if (!/\.(?:mrpack|zip)$/i.test(path)) throw broken('no-pack-name')
  if (importId !== undefined) {
    sent.require(accountId, importId)
    return { importId, path }
  }
  if (serverId === null) throw oneWish()
  return { serverId, path }
}

/** As `sourceOf`, defaulting to the pack the server waits for. Throws 409 `modpacks.nothing-wanted`. */
export function sourceAt(
  serverId: string,
  named: SourceQuery,
  accountId: string,
  ports: { sent: SentPacks; changes: Pick<ServerChanges, 'wantedPackOf'> },
): PackSource {
  if (isNamed(named)) return sourceOf(serverId, named, accountId, ports)
  const wanted = ports.changes.wantedPackOf(serverId)
  const source = wanted && (wanted.versionId === null ? wanted.sent : { versionId: wanted.versionId })
  if (!source) throw nothingWanted()
  return source
}

export const isNamed = ({ versionId, path, importId }: SourceQuery): boolean =>
  [versionId, path, importId].some((one) => one !== undefined)

export const wishOf = (source: PackSource): Pick<WantedPack, 'versionId' | 'sent'> => {
  if ('versionId' in source) return { versionId: source.versionId }
  return { versionId: null, ...('importId' in source && { sent: source }) }
}

export const isWanted = (wanted: WantedPack, source: PackSource): boolean =>
  'versionId' in source
    ? wanted.versionId === source.versionId
    : 'importId' in source && wanted.sent?.importId === source.importId
