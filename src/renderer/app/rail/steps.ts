import type { Server } from '../../../contract/bridge/values.ts'
import { asOneLine } from '../../../contract/messages/one-line.ts'
import { isGroupFolder } from '../../../contract/rules/rail-groups.ts'
import {
  FOLDER_NAME_MOST,
  FOLDERS_MOST,
  type RailArrangement,
  type RailFolder,
  type RailMark,
} from '../../../contract/rules/rail.ts'
import { type RailSection, sectionsOf } from './rail-sections.ts'

/** What is done to an arrangement. It may be taken again, on what another window made of it meanwhile. */
export type Step = (now: RailArrangement) => RailArrangement

/** Where something goes: into which folder (null: outside of all), and before which server (null: to the end). */
export interface Target {
  folder: string | null
  before: string | null
}

/** So many places are kept before those of servers that are gone are given up. */
const PLACES_MANY = 4000

/** Puts servers somewhere, in the order given. Those that are there get a place too: what is new is appended to them. */
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

/** The server itself, or the next one that does not move with it. */
function nextThatStays(shown: readonly string[], before: string, moving: ReadonlySet<string>): string | null {
  return shown.slice(shown.indexOf(before)).find((id) => !moving.has(id)) ?? null
}

/** Takes ids out of everywhere, and puts them into one of the lists of an arrangement. */
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

/** Puts a folder before another one, or to the end (null). */
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

/** Makes a folder behind all others, with servers in it. */
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

/** Takes a folder away. Its servers stand at the end of those outside of folders then. */
export function removeFolder(servers: readonly Server[], id: string): Step {
  return (now) => {
    const sections = sectionsOf(servers, now)
    const shown = sections.find((section) => section.id === id)?.servers.map((server) => server.id) ?? []
    const kept = now.folders.find((folder) => folder.id === id)?.servers ?? []
    const next = moveServers(servers, [...new Set([...shown, ...kept])], { folder: null, before: null })(now)
    return { ...next, folders: next.folders.filter((folder) => folder.id !== id) }
  }
}

/** Of a mark, what is to be changed; the rest of it stays as it is. */
export type Look = Partial<Omit<RailMark, 'serverId'>>

/** Marks servers; a mark without color and letters is none. */
export function markServers(ids: readonly string[], look: Look): Step {
  const marked = new Set(ids)
  return (now) => {
    const before = new Map(now.marks.map((mark) => [mark.serverId, mark]))
    const marks = ids
      .map((serverId) => ({ colour: null, icon: null, ...before.get(serverId), ...look, serverId }))
      .filter(({ colour, icon }) => colour !== null || icon !== null)
    return { ...now, marks: [...now.marks.filter(({ serverId }) => !marked.has(serverId)), ...marks] }
  }
}

const changeFolder = (now: RailArrangement, id: string, change: Partial<RailFolder>): RailArrangement => ({
  ...now,
  folders: now.folders.map((folder) => (folder.id === id ? { ...folder, ...change } : folder)),
})

/** The same, with an entry for every folder that is shown: those of groups have none until something is done to one. */
function withFolders(now: RailArrangement, sections: readonly RailSection[]): RailArrangement {
  const known = new Set(now.folders.map(({ id }) => id))
  const added = sections.flatMap(({ id, name, collapsed }): RailFolder[] =>
    id === null || known.has(id) ? [] : [{ id, name: asName(name), collapsed, servers: [] }],
  )
  const folders = now.folders.map((folder) => ({ ...folder, servers: [...folder.servers] }))
  return { ...now, loose: [...now.loose], folders: [...folders, ...added] }
}

/** A group's name as a folder can bear it. */
const asName = (group: string): string => asOneLine(group).slice(0, FOLDER_NAME_MOST).trim() || '?'

/** What a service names ever anew does not grow for ever: groups that nobody touched, and places of what is gone, go. */
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

/** Folds a folder as it is shown, or unfolds it. */
export const foldFolder =
  (section: RailSection, collapsed: boolean): Step =>
  (now) =>
    changeFolder(withFolders(now, [section]), section.id ?? '', { collapsed })
