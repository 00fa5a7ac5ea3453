import type { Component } from 'svelte'
import type { ServerState } from '../core/server-state.svelte.ts'

/** What a tab shows: a part that is loaded when it is first shown, and the room that is kept meanwhile. */
export interface Part {
  load: () => Promise<{ default: Component<Record<string, unknown>> }>
  props: Record<string, unknown>
  class?: string
}

/** What an area gives to the page of a server. Its name is told by the messages `tab.<name>`. */
export interface Feature<Tab extends string = string> {
  tab: Tab
  /** Null: it is drawn with the page itself, because it is on the first screen. */
  part: ((server: ServerState) => Part) | null
}

/** A part whose props fit its component. */
export const part = <P extends Record<string, unknown>>(
  load: () => Promise<{ default: Component<P> }>,
  props: P,
  room?: string,
): Part => ({ load: load as unknown as Part['load'], props, ...(room !== undefined && { class: room }) })

/** The room of a part that fills the page. */
export const WHOLE = 'm-6 h-[calc(100%-48px)]'
