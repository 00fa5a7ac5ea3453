import type { Server } from '../../../contract/bridge/values.ts'
import type { RailArrangement } from '../../../contract/rules/rail/rail.ts'
import { panel } from '../../core/panel.svelte.ts'
import { rails } from '../../core/rails.svelte.ts'
import { t, type Words } from '../../messages/t.svelte.ts'
import { announce, notify, notifyProblem } from '../../ui/feedback/notices.svelte.ts'
import { type RailSection, sectionsOf } from './rail-sections.ts'
import { changeRail } from './change-rail.ts'
import * as steps from './steps.ts'

export const serversOf = (connectionId: string): readonly Server[] =>
  panel.servers(connectionId).value?.items ?? []
export const sectionsAt = (connectionId: string): RailSection[] =>
  sectionsOf(serversOf(connectionId), rails.of(connectionId))

export const sectionWith = (connectionId: string, serverId: string): RailSection | undefined =>
  sectionsAt(connectionId).find(({ servers }) => servers.some(({ id }) => id === serverId))

/** Applies a step and shows a notice with undo. Throws a `Problem`. */
async function change(connectionId: string, step: steps.Step, text: Words): Promise<void> {
  let before: RailArrangement = { loose: [], folders: [], marks: [] }
  const { revision } = await changeRail(connectionId, (now) => {
    // Undo must keep what another window did meanwhile.
    before = now
    return step(now)
  })
  const undo = () => changeRail(connectionId, () => before).catch(notifyProblem)
  notify({
    tone: 'done',
    text,
    action: { label: () => t('arrange.undo'), run: undo },
    // Undo is offered until the next change.
    holds: () => rails.of(connectionId)?.revision === revision,
  })
}

async function done(connectionId: string, step: steps.Step, text: Words): Promise<boolean> {
  try {
    await change(connectionId, step, text)
    return true
  } catch (thrown) {
    notifyProblem(thrown)
    return false
  }
}

export function moveTo(connectionId: string, ids: readonly string[], to: steps.Target): Promise<boolean> {
  const name = serversOf(connectionId).find(({ id }) => id === ids[0])?.name ?? ''
  const folder = sectionsAt(connectionId).find(({ id }) => id === to.folder)?.name ?? ''
  return done(connectionId, steps.moveServers(serversOf(connectionId), ids, to), () =>
    to.folder === null
      ? t('arrange.moved', { count: ids.length, name })
      : t('arrange.moved-into', { count: ids.length, name, folder }),
  )
}

export const moveFolderTo = (
  connectionId: string,
  folderId: string,
  before: string | null,
): Promise<boolean> =>
  done(connectionId, steps.moveFolder(serversOf(connectionId), folderId, before), () =>
    t('arrange.moved', { count: 1, name: folderName(connectionId, folderId) }),
  )

export function removeFolder(connectionId: string, folderId: string): Promise<boolean> {
  const name = folderName(connectionId, folderId)
  return done(connectionId, steps.removeFolder(serversOf(connectionId), folderId), () =>
    t('arrange.removed', { name }),
  )
}

/** Throws a `Problem`. */
export const createFolder = (connectionId: string, name: string, ids: readonly string[]) =>
  changeRail(connectionId, steps.addFolder(serversOf(connectionId), { id: crypto.randomUUID(), name }, ids))

/** Throws a `Problem`. */
export const renameFolder = (connectionId: string, folderId: string, name: string) =>
  changeRail(connectionId, steps.renameFolder(serversOf(connectionId), folderId, name))

/** Throws a `Problem`. */
export function markServers(
  connectionId: string,
  ids: readonly string[],
  look: steps.MarkAppearance,
): Promise<void> {
  const name = serversOf(connectionId).find(({ id }) => id === ids[0])?.name ?? ''
  return change(connectionId, steps.markServers(ids, look), () =>
    t('look.changed', { count: ids.length, name }),
  )
}

export const folderName = (connectionId: string, folderId: string): string =>
  sectionsAt(connectionId).find(({ id }) => id === folderId)?.name ?? ''

export interface RailItem {
  connectionId: string
  kind: 'server' | 'folder'
  id: string
}

export function placeOf({ connectionId, kind, id }: RailItem): { at: number; all: string[] } {
  const sections = sectionsAt(connectionId)
  const all =
    kind === 'folder'
      ? sections.flatMap((section) => section.id ?? [])
      : (sectionWith(connectionId, id)?.servers.map((server) => server.id) ?? [])
  return { at: all.indexOf(id), all }
}

/** Moves up or down by one and reads out the new position. Never throws. */
export async function moveBy(thing: RailItem, by: 1 | -1): Promise<void> {
  const { connectionId, kind, id } = thing
  const { at, all } = placeOf(thing)
  const to = at + by
  if (at === -1 || to < 0 || to >= all.length) {
    announce(() => t(by === 1 ? 'arrange.last' : 'arrange.first'))
    return
  }
  const before = all[by === 1 ? to + 1 : to] ?? null
  const servers = serversOf(connectionId)
  const folder = sectionWith(connectionId, id)?.id ?? null
  const name =
    kind === 'folder' ? folderName(connectionId, id) : (servers.find((one) => one.id === id)?.name ?? '')
  try {
    await changeRail(
      connectionId,
      kind === 'folder'
        ? steps.moveFolder(servers, id, before)
        : steps.moveServers(servers, [id], { folder, before }),
    )
    announce(() => t('arrange.moved-to', { name, position: to + 1, count: all.length }))
  } catch (thrown) {
    notifyProblem(thrown)
  }
}
