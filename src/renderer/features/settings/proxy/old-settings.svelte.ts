import { SvelteMap } from 'svelte/reactivity'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'

/** That a proxy runs with what its settings were before. */
export interface OldSettings {
  /** Whether that is known: one that was starting may have read what was saved. */
  readonly isSure: boolean
  forget(): void
}

type Named = Pick<ServerState, 'connectionId' | 'serverId'>

/** By connection and server: it holds also while another page is shown. */
const all = new SvelteMap<string, OldSettings>()
const keyOf = ({ connectionId, serverId }: Named) => `${connectionId} ${serverId}`

/** What is known of the settings with which a proxy runs; undefined where nothing else was saved since its start. */
export const oldSettings = (server: Named): OldSettings | undefined => all.get(keyOf(server))

/** Notes that settings were saved which a proxy does not run with, until it stops, or somebody forgets that. */
export function noteOld(server: ServerState, isSure: boolean): void {
  const key = keyOf(server)
  all.get(key)?.forget()
  const stop = $effect.root(() => {
    let was: Seen | null = null
    $effect(() => {
      const { kind, since, reach, gone } = server
      // What nobody knows now is no end.
      if (!gone && (reach !== 'ready' || kind === 'unknown')) return
      const now = { kind, since }
      // Not within the effect that it ends.
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

type Seen = Pick<ServerState, 'kind' | 'since'>

/** Whether the run has ended that was seen before, also where its end was not seen. */
function hasEnded(was: Seen | null, { kind, since }: Seen): boolean {
  if (kind !== 'online' && kind !== 'starting') return true
  if (was?.kind === 'online' && kind === 'starting') return true
  return was?.kind === kind && was.since !== null && since !== null && was.since !== since
}
