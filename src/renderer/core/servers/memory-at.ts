import { panel } from '../panel.svelte.ts'

/** MiB that a server at this connection can have at most; null if unknown. */
export function memoryMostAt(connectionId: string): number | null {
  const isLocal = panel.connection(connectionId)?.kind === 'local'
  return isLocal ? (panel.info?.memoryMb ?? null) : null
}

/** What to begin with, in MiB: `wanted`, or what the computer has if that is less. */
export const memoryAt = (connectionId: string, wanted: number): string =>
  String(Math.min(wanted, memoryMostAt(connectionId) ?? wanted))
