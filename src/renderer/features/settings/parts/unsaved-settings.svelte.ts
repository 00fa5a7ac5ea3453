import { untrack } from 'svelte'
import type { Problem } from '../../../core/bridge.ts'
import type { Section } from '../../../core/routes/route.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { type Words, t } from '../../../messages/t.svelte.ts'
import { type NoticeAction, notify } from '../../../ui/feedback/notices.svelte.ts'
import { power } from '../../../catalog/servers/server-menu.ts'
import { mayPower } from '../../../core/servers/power.ts'

export interface SavedNotice {
  text: Words
  /** It takes effect later, which has to be said. */
  isLater: boolean
  holds?: (() => boolean) | undefined
  action?: NoticeAction | undefined
}

/** A change in words; `before` null where only the file shows it. */
export interface ChangeRow {
  label: string
  change: { before: string; after: string } | null
}

/** A setting that was changed here and elsewhere. */
export interface AnyConflict {
  key: string
  mine: unknown
  theirs: unknown
}

/** Settings that are saved by one request. */
export interface SettingsPart {
  readonly dirty: boolean
  readonly saving: boolean
  readonly problem: Problem | null
  /** Faults by key; they block saving. */
  readonly wrong: ReadonlyMap<string, Words>
  readonly conflicts: readonly AnyConflict[]
  readonly rows: readonly ChangeRow[]
  /** Why these can't be saved. */
  readonly reason: string | null
  sectionOf(key: string): Section
  label(key: string): string
  said(value: unknown, key: string): string
  resolve(key: string, whose: 'mine' | 'theirs'): void
  discard(): void
  /** Returns null if it failed; `problem` or `conflicts` say why. */
  save(): Promise<SavedNotice | null>
}

type PartOf<P> = new (server: ServerState) => P

/** What isn't saved in the sections of a server's settings. */
export class UnsavedSettings {
  readonly #server: ServerState
  #parts = $state.raw<ReadonlyMap<unknown, SettingsPart>>(new Map())

  constructor(server: ServerState) {
    this.#server = server
  }

  /** Kept while other sections are shown. */
  of<P extends SettingsPart>(kind: PartOf<P>): P {
    return untrack(() => {
      let part = this.#parts.get(kind) as P | undefined
      // In a root of its own: it outlives the section that asks for it.
      $effect.root(() => void (part ??= new kind(this.#server)))
      this.#parts = new Map(this.#parts).set(kind, part!)
      return part!
    })
  }

  readonly parts: readonly SettingsPart[] = $derived([...this.#parts.values()])
  readonly dirty = $derived(this.parts.some((one) => one.dirty))
  readonly saving = $derived(this.parts.some((one) => one.saving))
  readonly hasConflicts = $derived(this.parts.some(({ conflicts }) => conflicts.length > 0))
  readonly rows = $derived(this.parts.flatMap(({ rows }) => rows))
  readonly reason = $derived(this.parts.find(({ dirty, reason }) => dirty && reason !== null)?.reason ?? null)
  /** The sections with something that can't be saved as it is. */
  readonly wrongIn: readonly Section[] = $derived([
    ...new Set(this.parts.flatMap((part) => [...part.wrong.keys()].map((key) => part.sectionOf(key)))),
  ])

  /** Saves all parts, one after another. Stops at the first that fails; what was saved stays saved. */
  async save(): Promise<boolean> {
    if (this.saving || this.reason !== null || this.hasConflicts || this.wrongIn.length > 0) return false
    let notice: SavedNotice | null = null
    for (const part of this.parts.filter(({ dirty }) => dirty)) {
      const saved = await part.save()
      if (!saved) return false
      if (!notice?.isLater) notice = saved
    }
    if (notice) notify({ tone: 'done', text: notice.text, holds: notice.holds, action: notice.action })
    return true
  }

  discard(): void {
    for (const part of this.parts) part.discard()
  }
}

const all = new WeakMap<ServerState, UnsavedSettings>()

/** Until it is begun anew: what was discarded on leaving doesn't come back. */
export function beginUnsaved(server: ServerState): UnsavedSettings {
  const unsaved = new UnsavedSettings(server)
  all.set(server, unsaved)
  return unsaved
}

/** Of the sections that are shown. */
export const unsavedOf = (server: ServerState): UnsavedSettings => all.get(server) ?? beginUnsaved(server)

/** What is said after saving; with a restart if one is needed, and only until then. */
export function savedNotice(
  server: ServerState,
  needsRestart: boolean,
  holds: () => boolean = () => true,
): SavedNotice {
  if (!needsRestart) return { text: () => t('settings.saved'), isLater: false, holds }
  const { connectionId, serverId, since } = server
  return {
    text: () => t('settings.saved-restart'),
    isLater: true,
    holds: () => holds() && server.since === since,
    action: mayPower('restart', server.server?.role)
      ? { label: () => t('power.restart'), run: () => power({ connectionId, serverId }, 'restart') }
      : undefined,
  }
}
