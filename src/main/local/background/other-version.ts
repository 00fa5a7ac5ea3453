import { api } from '../../../contract/areas/index.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { isStopped } from '../../../contract/rules/power.ts'
import type { ApiClient } from '../../api/client.ts'
import type { StartupNotices } from '../../base/startup-notices.ts'

const MOST_MS = 5_000
/** With more, the user must stop them by hand. */
const MOST_SERVERS = 200

/**
 * Whether to replace a background service of another version. A newer one never: this version may not be able to read
 * its data. An older one if none of its servers runs; otherwise the user is told how to replace it. Never rejects.
 */
export async function replacesOther(
  found: string,
  {
    ours,
    client,
    notes,
  }: { ours: string; client: Pick<ApiClient, 'send'>; notes: Pick<StartupNotices, 'tell' | 'dismissAll'> },
): Promise<boolean> {
  notes.dismissAll(['local.older-runs', 'local.newer-runs'])
  const order = compareVersions(found, ours)
  if (order === 0) return false
  if (order > 0) {
    notes.tell(localized('local.newer-runs', { theirs: found, ours }))
    return false
  }
  const { value } = await client
    .send(api.servers.list, { query: { limit: MOST_SERVERS } }, { signal: AbortSignal.timeout(MOST_MS) })
    .catch(() => ({ value: null }))
  // Servers on further pages may be running.
  const isWhole = value?.complete && value.nextCursor === null
  if (isWhole && value.items.every(({ status }) => isStopped(status))) return true
  notes.tell(localized('local.older-runs', { theirs: found, ours }))
  return false
}

/** Negative if the first is older. Pre-releases are older than the release. */
export function compareVersions(one: string, other: string): number {
  const [[release = '', before], [otherRelease = '', otherBefore]] = [one, other].map((version) =>
    version.replace(/\+.*/s, '').split(/-(.*)/s),
  ) as [string[], string[]]
  return (
    inOrder(release, otherRelease) ||
    Number(before === undefined) - Number(otherBefore === undefined) ||
    inOrder(before ?? '', otherBefore ?? '')
  )
}

const inOrder = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true })
