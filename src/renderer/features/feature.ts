import type { Component } from 'svelte'
import type { Server, ServerConfig } from '../../contract/bridge/values.ts'
import type { Place } from '../core/servers/place.ts'
import type { ServerState } from '../core/servers/server-state.svelte.ts'

/** A component loaded when first shown, and its placeholder. */
export interface Part {
  load: () => Promise<{ default: Component<Record<string, unknown>> }>
  props: Record<string, unknown>
  class?: string
}

/** What a feature gives to the frame. Part of the first screen, so it must not load its components. */
export interface Feature {
  atConnection?: (connectionId: string) => Part
  /** Drops this window's data of all other connections. */
  keepOf?: (connectionIds: ReadonlySet<string>) => void
}

/** A server tab, named by the message `tab.<name>` unless `nameAt` is set. */
export interface TabFeature<Tab extends string = string> extends Feature, Place {
  tab: Tab
  nameAt?: (server: Server | null) => string
  /** Null: on the first screen, so drawn with the page itself. */
  part: ((server: ServerState, sections: readonly SectionFeature[]) => Part) | null
  /** Preloads slow parts when the user becomes active and may open a server next. */
  ahead?: () => Promise<unknown>
  prepare?: (server: ServerState) => void
}

/** A section of a server's settings, named by the message `tab.<name>`. */
export interface SectionFeature<Section extends string = string> extends Feature, Place {
  section: Section
  part: (server: ServerState) => Part
  /** Takes the whole room and scrolls on its own. */
  fills?: true
  /** Whether the service lets this server's settings have it, where the settings tell. */
  inConfig?: (config: ServerConfig) => boolean
}

export const part = <P extends Record<string, unknown>>(
  load: () => Promise<{ default: Component<P> }>,
  props: P,
  room?: string,
): Part => ({ load: load as unknown as Part['load'], props, ...(room !== undefined && { class: room }) })

export const WHOLE = 'm-6 h-[calc(100%-3rem)]'
