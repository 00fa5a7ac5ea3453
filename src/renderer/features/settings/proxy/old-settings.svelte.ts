import { SvelteMap } from 'svelte/reactivity'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'

/** A proxy runs with older settings than saved. */
export interface OldSettings {
  /** False if it was starting and may have read the new ones. */
  readonly isSure: boolean
  forget(): void
}

type ServerKey = Pick<ServerState, 'connectionId' | 'serverId'>

const all = new SvelteMap<string, OldSettings>()
const keyOf = ({ connectionId, serverId }: ServerKey) => `${connectionId} ${serverId}`

export const oldSettings = (server: ServerKey): OldSettings | undefined => all.get(keyOf(server))

/** Notes that a proxy runs with older settings, until it stops or the note is forgotten. */
export function noteOld(server: ServerState, isSure: boolean): void {
  const key = keyOf(server)
  all.get(key)?.forget()
  const stop = $effect.root(() => {
    let was: ObservedState | null = null
    $effect(() => {
      const { kind, since, reach, gone } = server
      // An unknown status is no end.
      if (!gone && (reach !== 'ready' || kind === 'unknown')) return
      const now = { kind, since }
      // Deferred: must not run within the effect it ends.
      if (gone || hasEnded(was, now)) queueMicrotask(() => note.forget())
      was = now
    })
  })
  const note: OldSettings = {
    isSure,
    forget() {
      stop()
      if (all.get(key) === note) all.delete(key)
    },
  }
  all.set(key, note)
}

type ObservedState = Pick<ServerState, 'kind' | 'since'>

/** Also detects an end that was not observed. */
function hasEnded(was: ObservedState | null, { kind, since }: ObservedState): boolean {
  if (kind !== 'online' && kind !== 'starting') return true
  if (was?.kind === 'online' && kind === 'starting') return true
  return was?.kind === kind && was.since !== null && since !== null && was.since !== since
}
