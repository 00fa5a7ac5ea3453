/** The colors that a server's mark can have. Each has contrast with its white letters, and with both themes. */
export const RAIL_COLOURS = ['red', 'orange', 'olive', 'green', 'teal', 'blue', 'violet', 'pink'] as const
export type RailColour = (typeof RAIL_COLOURS)[number]

/** Folders of one connection, and servers of one that the panel keeps a place of, at most. */
export const FOLDERS_MOST = 100
export const PLACES_MOST = 5000
/** Length of a folder's name at most, in UTF-16 units, and of a mark: an emoji can have that many. */
export const FOLDER_NAME_MOST = 60
export const ICON_MOST = 20

/** A folder in the list of servers. */
export interface RailFolder {
  id: string
  name: string
  collapsed: boolean
  /** The servers that were put into it, in their order; of some of them there may be nothing now. */
  servers: string[]
}

/** How a server stands out: a color, and one or two letters or an emoji. */
export interface RailMark {
  serverId: string
  colour: RailColour | null
  icon: string | null
}

/** How a person has arranged the servers of a connection. */
export interface RailArrangement {
  /** The servers outside of every folder whose place was chosen, in their order. */
  loose: string[]
  folders: RailFolder[]
  marks: RailMark[]
}

/** An arrangement as it is kept. `revision` is another one for each other arrangement. */
export interface Rail extends RailArrangement {
  connectionId: string
  revision: string
}
