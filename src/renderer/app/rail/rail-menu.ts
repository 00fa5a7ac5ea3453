import type { ServerRef } from '../../../contract/bridge/values.ts'
import { FOLDERS_MOST } from '../../../contract/rules/rail/rail.ts'
import Copy from '@lucide/svelte/icons/copy'
import LogOut from '@lucide/svelte/icons/log-out'
import { copyAddress, serverMenu } from '../../catalog/servers/server-menu.ts'
import { panel } from '../../core/panel.svelte.ts'
import { rails } from '../../core/rails.svelte.ts'
import { go } from '../../core/routes/router.svelte.ts'
import { missingScope } from '../../core/servers/power.ts'
import { t } from '../../messages/t.svelte.ts'
import type { MenuItem } from '../../ui/dialog/menu.ts'
import { keyOf, pickedNow } from './rail-tools.svelte.ts'
import { clearPicks, pickedServers, togglePicks } from './picks.ts'
import {
  moveTo,
  type RailItem,
  removeFolder,
  sectionsAt,
  sectionWith,
  serversOf,
} from './rail-actions.svelte.ts'

export type RailDialog =
  | { kind: 'move' | 'look'; connectionId: string; ids: readonly string[] }
  | { kind: 'folder'; connectionId: string; folderId: string | null }
  | { kind: 'name' | 'sign-out'; connectionId: string }

export interface MenuActs {
  ask: (asked: RailDialog) => void
}

export function menuOf(connectionId: string, thing: RailItem | null, acts: MenuActs): MenuItem[] {
  if (!thing) return ofConnection(connectionId, acts)
  if (thing.kind === 'folder') return ofFolder(thing, acts)
  const isPicked = pickedNow()?.has(keyOf(connectionId, thing.id)) === true
  const picked = isPicked ? pickedServers() : []
  return picked.length > 1 ? ofPicked(picked, acts) : ofServer(thing, acts)
}

function ofServer(thing: RailItem, acts: MenuActs): MenuItem[] {
  const { connectionId, id } = thing
  const section = sectionWith(connectionId, id)
  const ids = [id]
  const mayRename = missingScope(panel.server(connectionId, id)?.role, ['config.write']) === null
  return [
    ...serverMenu({ connectionId, serverId: id }),
    ...(mayRename
      ? [
          {
            label: t('arrange.rename'),
            begins: true,
            choose: () =>
              go({ view: 'server', connectionId, serverId: id, tab: 'settings', section: 'general' }),
          },
        ]
      : []),
    {
      label: t('arrange.move'),
      begins: !mayRename,
      choose: () => acts.ask({ kind: 'move', connectionId, ids }),
    },
    ...(section?.id
      ? [
          {
            label: t('arrange.out', { folder: section.name }),
            choose: () => void moveTo(connectionId, ids, { folder: null, before: null }),
          },
        ]
      : []),
    { label: t('arrange.look'), choose: () => acts.ask({ kind: 'look', connectionId, ids }) },
  ]
}

function ofPicked(picked: readonly ServerRef[], acts: MenuActs): MenuItem[] {
  const connectionId = picked[0]?.connectionId ?? ''
  const ids = picked.map(({ serverId }) => serverId)
  const reason = picked.every((one) => one.connectionId === connectionId) ? null : t('arrange.one-service')
  return [
    { label: t('arrange.move'), reason, choose: () => acts.ask({ kind: 'move', connectionId, ids }) },
    { label: t('arrange.look'), reason, choose: () => acts.ask({ kind: 'look', connectionId, ids }) },
    { label: t('arrange.clear'), choose: clearPicks },
  ]
}

function ofFolder(thing: RailItem, acts: MenuActs): MenuItem[] {
  const { connectionId, id } = thing
  const servers = sectionsAt(connectionId).find((section) => section.id === id)?.servers ?? []
  return [
    ...(servers.length > 0
      ? [
          {
            label: t('arrange.select-folder', { count: servers.length }),
            choose: () => togglePicks(servers.map((server) => ({ connectionId, serverId: server.id }))),
          },
        ]
      : []),
    { label: t('arrange.rename'), choose: () => acts.ask({ kind: 'folder', connectionId, folderId: id }) },
    { label: t('arrange.remove'), choose: () => void removeFolder(connectionId, id) },
  ]
}

function ofConnection(connectionId: string, acts: MenuActs): MenuItem[] {
  const servers = serversOf(connectionId)
  return [
    {
      label: t('arrange.new-folder'),
      reason: folderReason(connectionId),
      choose: () => acts.ask({ kind: 'folder', connectionId, folderId: null }),
    },
    ...(servers.length > 0
      ? [
          {
            label: t('arrange.select-folder', { count: servers.length }),
            choose: () => togglePicks(servers.map(({ id }) => ({ connectionId, serverId: id }))),
          },
        ]
      : []),
    ...ofService(connectionId, acts),
  ]
}

/** Nobody signs in to this computer, and it has no address to give away. */
function ofService(connectionId: string, acts: MenuActs): MenuItem[] {
  const connection = panel.connection(connectionId)
  if (connection?.kind !== 'service') return []
  return [
    {
      label: t('address.copy-it'),
      icon: Copy,
      begins: true,
      choose: () => void copyAddress(connection.baseUrl),
    },
    { label: t('arrange.rename'), choose: () => acts.ask({ kind: 'name', connectionId }) },
    connection.state.kind === 'signed-out'
      ? { label: t('line.sign-in'), choose: () => go({ view: 'sign-in', connectionId }) }
      : {
          label: t('arrange.sign-out'),
          icon: LogOut,
          choose: () => acts.ask({ kind: 'sign-out', connectionId }),
        },
  ]
}

export const folderReason = (connectionId: string): string | null =>
  (rails.of(connectionId)?.folders.length ?? 0) >= FOLDERS_MOST
    ? t('arrange.too-many', { count: FOLDERS_MOST })
    : null
