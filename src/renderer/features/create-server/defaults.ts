import type { Server, SoftwareVersion } from '../../../contract/bridge/values.ts'
import { t } from '../../messages/t.svelte.ts'

/** A name that no server of the connection has yet. */
export function freeName(servers: readonly Server[]): string {
  const taken = new Set(servers.map((server) => server.name))
  const first = t('create.name-default')
  if (!taken.has(first)) return first
  for (let number = 2; ; number += 1) {
    const name = t('create.name-default-n', { number })
    if (!taken.has(name)) return name
  }
}

/** The version to begin with: the recommended one, or else the first that the service names. */
export function recommended(versions: readonly SoftwareVersion[]): SoftwareVersion | null {
  return versions.find((version) => version.recommended) ?? versions[0] ?? null
}
