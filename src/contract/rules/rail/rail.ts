/** Each contrasts with white letters and both themes. */
export const RAIL_COLORS = ['red', 'orange', 'olive', 'green', 'teal', 'blue', 'violet', 'pink'] as const
export type RailColor = (typeof RAIL_COLORS)[number]

export const FOLDERS_MOST = 100
export const PLACES_MOST = 5000
/** UTF-16 units; an emoji can have many. */
export const FOLDER_NAME_MOST = 60
export const ICON_MOST = 20

export interface RailFolder {
  id: string
  name: string
  collapsed: boolean
  /** In order; some may no longer exist. */
  servers: string[]
}

/** A color, and one or two letters or an emoji. */
export interface RailMark {
  serverId: string
  color: RailColor | null
  icon: string | null
}

export interface RailArrangement {
  /** Servers outside folders whose place was chosen, in order. */
  loose: string[]
  folders: RailFolder[]
  marks: RailMark[]
}

/** `revision` differs for each arrangement. */
export interface Rail extends RailArrangement {
  connectionId: string
  revision: string
}
