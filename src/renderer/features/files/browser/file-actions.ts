import Archive from '@lucide/svelte/icons/archive'
import ClipboardPaste from '@lucide/svelte/icons/clipboard-paste'
import Copy from '@lucide/svelte/icons/copy'
import Download from '@lucide/svelte/icons/download'
import FilePen from '@lucide/svelte/icons/file-pen'
import FolderDown from '@lucide/svelte/icons/folder-down'
import Info from '@lucide/svelte/icons/info'
import PackageOpen from '@lucide/svelte/icons/package-open'
import Scissors from '@lucide/svelte/icons/scissors'
import FolderInput from '@lucide/svelte/icons/folder-input'
import Link from '@lucide/svelte/icons/link'
import ServerIcon from '@lucide/svelte/icons/server'
import TextCursorInput from '@lucide/svelte/icons/text-cursor-input'
import Trash2 from '@lucide/svelte/icons/trash-2'
import { chord } from '../../../core/keys.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { t } from '../../../messages/t.svelte.ts'
import { copyText } from '../../../ui/base/copy-text.ts'
import { notify } from '../../../ui/feedback/notices.svelte.ts'
import type { FileEntry, Connection, Server } from '../../../../contract/bridge/values.ts'
import type { MenuItem } from '../../../ui/dialog/menu.ts'
import { openOutside } from '../external-editor/external-files.svelte.ts'
import { clip, hold, otherServers } from '../operations/clipboard.svelte.ts'
import type { Sheet } from '../dialogs/FileSheets.svelte'
import type { FileWork } from '../operations/file-work.svelte.ts'
import type { FolderList } from './folder-list.svelte.ts'
import { joined } from '../../../../contract/rules/paths.ts'
import { isFolder } from '../entries/sort.ts'
import { missingScope } from '../../../core/servers/power.ts'

export interface FileAction extends MenuItem {
  icon: NonNullable<MenuItem['icon']>
  reason: string | null
  /** Fits the selection; what doesn't is left out. */
  suits: boolean
}

interface Ports {
  list: FolderList
  work: FileWork
  reasons: Record<Right, string | null>
  /** What the account may do at all; the rest is left out. */
  allowed: Record<'write' | 'delete', boolean>
  open: (sheet: Sheet) => void
  back: () => void
  paste: () => void
}

const TO_MOST = 1000

export function fileActions(ports: Ports): FileAction[] {
  const { list, reasons, allowed, open } = ports
  const { selected } = list
  const some = selected.length > 0
  const { copyPath, remove } = acts(ports)
  const copying = [
    action(t('files.copy'), Copy, some, reasons.read, () => keep(ports, 'copy'), { keys: chord('C') }),
    ...(otherServers(list.server).length > 0
      ? [
          action(t('files.copy-to'), ServerIcon, some, reasons.read, () =>
            open({ kind: 'copy', paths: list.paths }),
          ),
        ]
      : []),
    action(t('files.copy-path'), Link, some, null, () => void copyPath()),
  ]
  const showProperties = () => open({ kind: 'properties', entries: selected })
  const deleting = action(t('files.delete'), Trash2, some, reasons.delete, () => void remove(), {
    ...{ keys: t('key.delete'), danger: true, first: true },
  })
  return [
    ...downloads(ports),
    ...(allowed.write && list.moves ? moves(ports) : []),
    ...copying,
    ...(allowed.write ? makes(ports) : []),
    action(t('files.properties'), Info, some, null, showProperties, {
      keys: `${t('key.alt')} ${t('key.enter')}`,
    }),
    ...(allowed.delete ? [deleting] : []),
  ]
}

const onlyOf = ({ selected }: FolderList): FileEntry | null => (selected.length === 1 ? selected[0]! : null)

/** A browser asks where a download goes itself, and cannot start programs. */
function downloads({ list, work, reasons }: Ports): FileAction[] {
  const some = list.selected.length > 0
  const only = onlyOf(list)
  const tooMany = list.selected.length > TO_MOST ? t('files.download-to-most', { count: TO_MOST }) : null
  const download = () => void work.download(list.paths)
  const downloadTo = () => void work.downloadTo(list.paths)
  const openHere = () =>
    void openOutside(list.server, joined(list.path, only?.name ?? ''), reasons.write !== null)
  const isFile = only !== null && !isFolder(only)
  return [
    action(t('files.download'), Download, some, reasons.read, download, { first: true }),
    ...(panel.info?.dialogs
      ? [action(t('files.download-to'), FolderDown, some, tooMany ?? reasons.read, downloadTo)]
      : []),
    ...(panel.info?.way === 'electron'
      ? [action(t('external-editor.open'), FilePen, isFile, reasons.read, openHere)]
      : []),
  ]
}

function moves(ports: Ports): FileAction[] {
  const { list, reasons, open } = ports
  const some = list.selected.length > 0
  const only = onlyOf(list)
  const rename = () => {
    list.renaming = only?.name ?? null
  }
  const move = () => open({ kind: 'move', paths: list.paths })
  const { write } = reasons
  return [
    action(t('files.rename'), TextCursorInput, only !== null, write, rename, { keys: 'F2', first: true }),
    action(t('files.move'), FolderInput, some, write, move, { first: true }),
    action(t('files.cut'), Scissors, some, write, () => keep(ports, 'cut'), { keys: chord('X') }),
  ]
}

function makes({ list, work, reasons, open, paste }: Ports): FileAction[] {
  const only = onlyOf(list)
  const isArchive = only !== null && /\.(zip|tar\.gz|tgz)$/i.test(only.name)
  const archives = work.lacks('archives') ? t('areas.not-offered', { area: t('area.archives') }) : null
  const pack = () => open({ kind: 'pack', paths: list.paths })
  const unpack = () => open({ kind: 'unpack', path: joined(list.path, only?.name ?? '') })
  const { write } = reasons
  return [
    action(t('files.paste'), ClipboardPaste, clip() !== null, write, paste, { keys: chord('V') }),
    action(t('files.pack'), Archive, list.selected.length > 0, write ?? archives, pack),
    action(t('files.unpack'), PackageOpen, isArchive, write ?? archives, unpack),
  ]
}

function keep({ list, back }: Ports, mode: 'copy' | 'cut'): void {
  hold({ mode, from: list.server, paths: list.paths })
  back()
}

function action(
  label: string,
  icon: FileAction['icon'],
  suits: boolean,
  reason: string | null,
  choose: () => void,
  more: Partial<FileAction> = {},
): FileAction {
  return { label, icon, reason, suits, choose, ...more }
}

function acts({ list, work, back }: Ports) {
  return {
    remove: async () => {
      await list.deleteSelected((paths) => work.remove(paths))
      back()
    },
    copyPath: async () => {
      const copied = await copyText(list.paths.join('\n'))
      if (copied) notify({ tone: 'done', text: () => t('files.path-copied') })
      back()
    },
  }
}

export type Right = 'read' | 'write' | 'delete'

export function rightReason(
  right: Right,
  role: Server['role'],
  reach: Connection['state']['kind'],
): string | null {
  if (reach !== 'ready') return t('power.no-service')
  const scope = missingScope(role, [`files.${right}`])
  return scope ? t('power.no-scope', { scope }) : null
}

/** Whether the account has the right at all, whatever the service's state. */
export const isAllowed = (right: Right, role: Server['role']): boolean =>
  missingScope(role, [`files.${right}`]) === null
