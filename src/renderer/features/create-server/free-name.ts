import type { Server } from '../../../contract/bridge/values.ts'
import { t } from '../../messages/t.svelte.ts'

export function freeName(servers: readonly Server[]): string {
  const taken = new Set(servers.map((server) => server.name))
  const first = t('create.name-default')
  if (!taken.has(first)) return first
  for (let number = 2; ; number += 1) {
    const name = t('create.name-default-n', { number })
    if (!taken.has(name)) return name
  }
}
