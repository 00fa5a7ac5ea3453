import type { Server } from '../../../contract/bridge/values.ts'
import { asOneLine } from '../../../contract/messages/one-line.ts'
import {
  FOLDER_NAME_MOST,
  FOLDERS_MOST,
  type RailArrangement,
  type RailFolder,
  type RailMark,
} from '../../../contract/rules/rail/rail.ts'
import { type RailSection, sectionsOf, isGroupFolder } from './rail-sections.ts'

/** A change to an arrangement. Must be repeatable on a newer one from another window. */
export type Step = (now: RailArrangement) => RailArrangement

/** Target folder (null: none), and the server to insert before (null: at the end). */
export interface Target {
  folder: string | null
  before: string | null
}

/** Above this many, places of removed servers are dropped. */
const PLACES_MANY = 4000

/** Moves servers, in this order. Servers already there get explicit places too, since new ones are appended. */
export function moveServers(servers: readonly Server[], ids: readonly string[], to: Target): Step {
  return (now) => {
    const moving = new Set(ids)
    const sections = sectionsOf(servers, now)
    const section = sections.find(({ id }) => id === to.folder) ?? sections[0]
    const shown = section?.servers.map(({ id }) => id) ?? []
    const before = to.before === null ? null : nextThatStays(shown, to.before, moving)
    const next = withFolders(now, sections)
    const list = next.folders.find(({ id }) => id === section?.id)?.servers ?? next.loose
    const placed = new Set(list)
    list.push(...shown.filter((id) => !placed.has(id)))
    return bounded(insert(next, list, ids, before), servers)
  }
}

function nextThatStays(shown: readonly string[], before: string, moving: ReadonlySet<string>): string | null {
  return shown.slice(shown.indexOf(before)).find((id) => !moving.has(id)) ?? null
}

function insert(
  next: RailArrangement,
  list: readonly string[],
  ids: readonly string[],
  before: string | null,
): RailArrangement {
  const moving = new Set(ids)
  const without = (all: readonly string[]): string[] => {
    const stays = all.filter((id) => !moving.has(id))
    const at = before === null ? -1 : stays.indexOf(before)
    return all === list ? stays.toSpliced(at === -1 ? stays.length : at, 0, ...ids) : stays
  }
  return {
    ...next,
    loose: without(next.loose),
    folders: next.folders.map((folder) => ({ ...folder, servers: without(folder.servers) })),
  }
}

export function moveFolder(servers: readonly Server[], id: string, before: string | null): Step {
  return (now) => {
    const { folders, ...next } = withFolders(now, sectionsOf(servers, now))
    const folder = folders.find((one) => one.id === id)
    if (!folder || id === before) return now
    const others = folders.filter((one) => one !== folder)
    const at = others.findIndex((one) => one.id === before)
    return { ...next, folders: others.toSpliced(at === -1 ? others.length : at, 0, folder) }
  }
}

export function addFolder(
  servers: readonly Server[],
  { id, name }: { id: string; name: string },
  ids: readonly string[],
): Step {
  return (now) => {
    const next = withFolders(now, sectionsOf(servers, now))
    next.folders.push({ id, name, collapsed: false, servers: [] })
    return moveServers(servers, ids, { folder: id, before: null })(next)
  }
}

export const renameFolder =
  (servers: readonly Server[], id: string, name: string): Step =>
  (now) =>
    changeFolder(withFolders(now, sectionsOf(servers, now)), id, { name })

/** Its servers move to the end of those outside folders. */
export function removeFolder(servers: readonly Server[], id: string): Step {
  return (now) => {
    const sections = sectionsOf(servers, now)
    const shown = sections.find((section) => section.id === id)?.servers.map((server) => server.id) ?? []
    const kept = now.folders.find((folder) => folder.id === id)?.servers ?? []
    const next = moveServers(servers, [...new Set([...shown, ...kept])], { folder: null, before: null })(now)
    return { ...next, folders: next.folders.filter((folder) => folder.id !== id) }
  }
}

export type MarkAppearance = Partial<Omit<RailMark, 'serverId'>>

/** A mark without color and letters is removed. */
export function markServers(ids: readonly string[], look: MarkAppearance): Step {
  const marked = new Set(ids)
  return (now) => {
    const before = new Map(now.marks.map((mark) => [mark.serverId, mark]))
    const marks = ids
      .map((serverId) => ({ color: null, icon: null, ...before.get(serverId), ...look, serverId }))
      .filter(({ color, icon }) => color !== null || icon !== null)
    return { ...now, marks: [...now.marks.filter(({ serverId }) => !marked.has(serverId)), ...marks] }
  }
}

const changeFolder = (now: RailArrangement, id: string, change: Partial<RailFolder>): RailArrangement => ({
  ...now,
  folders: now.folders.map((folder) => (folder.id === id ? { ...folder, ...change } : folder)),
})

/** Adds entries for shown group folders, which have none until changed. */
function withFolders(now: RailArrangement, sections: readonly RailSection[]): RailArrangement {
  const known = new Set(now.folders.map(({ id }) => id))
  const added = sections.flatMap(({ id, name, collapsed }): RailFolder[] =>
    id === null || known.has(id) ? [] : [{ id, name: asName(name), collapsed, servers: [] }],
  )
  const folders = now.folders.map((folder) => ({ ...folder, servers: [...folder.servers] }))
  return { ...now, loose: [...now.loose], folders: [...folders, ...added] }
}

const asName = (group: string): string => asOneLine(group).slice(0, FOLDER_NAME_MOST).trim() || '?'

/** Drops untouched groups and places of removed servers, because a service may keep inventing names. */
function bounded(now: RailArrangement, servers: readonly Server[]): RailArrangement {
  const isTouched = ({ id, collapsed, servers: ids }: RailFolder) =>
    !isGroupFolder(id) || collapsed || ids.length > 0
  const folders = now.folders.length > FOLDERS_MOST ? now.folders.filter(isTouched) : now.folders
  const places = folders.reduce((sum, folder) => sum + folder.servers.length, now.loose.length)
  if (places <= PLACES_MANY) return { ...now, folders }
  const there = new Set(servers.map(({ id }) => id))
  const those = (ids: readonly string[]) => ids.filter((id) => there.has(id))
  return {
    loose: those(now.loose),
    folders: folders.map((folder) => ({ ...folder, servers: those(folder.servers) })),
    marks: now.marks.filter(({ serverId }) => there.has(serverId)),
  }
}

export const foldFolder =
  (section: RailSection, collapsed: boolean): Step =>
  (now) =>
    changeFolder(withFolders(now, [section]), section.id ?? '', { collapsed })
