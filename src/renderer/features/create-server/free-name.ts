import type { Server } from '../../../contract/bridge/values.ts'
import { t } from '../../messages/t.svelte.ts'

/** A name that no server has yet: the given one, or one with a number. */
export function freeName(servers: readonly Server[], wanted = ''): string {
  const first = wanted || t('create.name-default')
  const taken = new Set(servers.map((server) => server.name))
  if (!taken.has(first)) return first
  for (let number = 2; ; number += 1) {
    const name = `${first} ${number}`
    if (!taken.has(name)) return name
  }
}

/** Of a modpack: cut where a server's name has no room for more, with some left for a number. */
export const shortName = (name: string): string => [...name.trim()].slice(0, 50).join('').trim()
