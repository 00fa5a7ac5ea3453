import type { Component } from 'svelte'
import type { Server } from '../../contract/bridge/values.ts'
import type { Route } from '../core/routes/route.ts'
import type { ServerState } from '../core/servers/server-state.svelte.ts'
import type { StatusKind } from '../core/servers/status.ts'

/** What a tab shows: a part that is loaded when it is first shown, and the room that is kept meanwhile. */
export interface Part {
  load: () => Promise<{ default: Component<Record<string, unknown>> }>
  props: Record<string, unknown>
  class?: string
}

/** One line of the palette. */
export interface PaletteEntry {
  id: string
  group: 'here' | 'servers' | 'panel'
  name: string
  /** What stands beside the name. */
  note: string
  status?: StatusKind
  /** Why it cannot be done now. */
  reason?: string | null
  choose: () => void
}

/** What a feature gives to the frame. It is loaded with the first screen, so it names its parts and loads none. */
export interface Feature {
  /** What of it can be reached by name from a place. Its tab is there already. */
  palette?: (at: Route) => PaletteEntry[]
  /** What it shows on the page of a connection to a service. */
  atConnection?: (connectionId: string) => Part
  /** Forgets what it keeps in this window of connections other than these. */
  keepOf?: (connectionIds: ReadonlySet<string>) => void
}

/** What an area gives to the page of a server. Its name is told by the messages `tab.<name>`, unless it says another. */
export interface TabFeature<Tab extends string = string> extends Feature {
  tab: Tab
  /** The name that the tab has at this server. */
  nameAt?: (server: Server | null) => string
  /** Null: it is drawn with the page itself, because it is on the first screen. */
  part: ((server: ServerState) => Part) | null
  /** Loads what takes long to load, once somebody moves in the window: most likely they open a server next. */
  ahead?: () => Promise<unknown>
  /** Begins what takes long before its tab shows, once the page of the server stands. */
  prepare?: (server: ServerState) => void
}

/** A part whose props fit its component. */
export const part = <P extends Record<string, unknown>>(
  load: () => Promise<{ default: Component<P> }>,
  props: P,
  room?: string,
): Part => ({ load: load as unknown as Part['load'], props, ...(room !== undefined && { class: room }) })

/** The room of a part that fills the page. */
export const WHOLE = 'm-6 h-[calc(100%-3rem)]'

/** A line of the palette for something of the panel as a whole. */
export const ofPanel = (id: string, name: string, choose: () => void, note = ''): PaletteEntry => ({
  id,
  group: 'panel',
  name,
  note,
  choose,
})
