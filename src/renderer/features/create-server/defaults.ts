import type { Server, SoftwareVersion } from '../../../contract/bridge/values.ts'
import { t, type Words } from '../../messages/t.svelte.ts'

/** Longest name in characters as people count them. The contract holds the same number. */
const NAME_MAX = 60
/** MiB. The contract holds the same number. */
const MEMORY_MIN = 256

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

/** What is wrong with a server's name, or null. */
export function nameCheck(name: string): Words | null {
  if (name.trim() === '') return () => t('field.needed')
  const length = [...new Intl.Segmenter().segment(name.trim())].length
  return length > NAME_MAX ? () => t('create.name-long') : null
}

/** What is wrong with an amount of memory in MiB, or null. */
export function memoryCheck(typed: string): Words | null {
  const amount = Number(typed)
  return /^\s*\d+\s*$/.test(typed) && amount >= MEMORY_MIN ? null : () => t('create.memory-invalid')
}
