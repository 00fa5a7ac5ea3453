import Archive from '@lucide/svelte/icons/archive'
import ClipboardPaste from '@lucide/svelte/icons/clipboard-paste'
import Copy from '@lucide/svelte/icons/copy'
import Download from '@lucide/svelte/icons/download'
import FilePen from '@lucide/svelte/icons/file-pen'
import FolderDown from '@lucide/svelte/icons/folder-down'
import Info from '@lucide/svelte/icons/info'
import PackageOpen from '@lucide/svelte/icons/package-open'
import Scissors from '@lucide/svelte/icons/scissors'
import TextCursorInput from '@lucide/svelte/icons/text-cursor-input'
import Trash2 from '@lucide/svelte/icons/trash-2'
import '../../../messages/en/external-editor.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { t } from '../../../messages/t.svelte.ts'
import type { MenuItem } from '../../../ui/dialog/menu.ts'
import { openOutside } from '../external-editor/external-files.svelte.ts'
import { clip, hold } from '../operations/clipboard.svelte.ts'
import type { Sheet } from '../dialogs/FileSheets.svelte'
import type { FileWork } from '../operations/file-work.svelte.ts'
import type { FolderList } from './folder-list.svelte.ts'
import { joined } from '../../../../contract/rules/paths.ts'
import type { Right } from './rights.ts'
import { isFolder } from '../entries/sort.ts'

export interface FileAction extends MenuItem {
  icon: NonNullable<MenuItem['icon']>
  reason: string | null
  /** Fits the selection. Menus leave out what doesn't; the bar disables it. */
  suits: boolean
}

interface Ports {
  list: FolderList
  work: FileWork
  reasons: Record<Right, string | null>
  open: (sheet: Sheet) => void
  back: () => void
  paste: () => void
}

const TO_MOST = 1000

export function fileActions({ list, work, reasons, open, back, paste }: Ports): FileAction[] {
  const { selected } = list
  const [only = null] = selected.length === 1 ? selected : []
  const none = selected.length === 0 ? t('files.select-first') : null
  const notOne = only ? null : t('files.select-one')
  const notArchive = only && /\.(zip|tar\.gz|tgz)$/i.test(only.name) ? null : t('files.select-archive')
  const tooMany = selected.length > TO_MOST ? t('files.download-to-most', { count: TO_MOST }) : none
  const notFile = only && !isFolder(only) ? null : t('external-editor.only-files')
  const archives = work.lacks('archives') ? t('areas.not-offered', { area: t('area.archives') }) : null

  /** `may`: why it is never possible here; `not`: why not with this selection. */
  const action = (
    label: string,
    icon: FileAction['icon'],
    [may, not]: [may: string | null, not: string | null],
    choose: () => void,
  ): FileAction => ({ label, icon, reason: may ?? not, suits: not === null, choose })

  const keep = (mode: 'copy' | 'cut') => () => {
    hold({ mode, from: list.server, paths: list.paths })
    back()
  }
  const remove = async () => {
    await list.deleteSelected((paths) => work.remove(paths))
    back()
  }

  const outside = () =>
    void openOutside(list.server, joined(list.path, only?.name ?? ''), reasons.write !== null)

  return [
    action(t('files.download'), Download, [reasons.read, none], () => void work.download(list.paths)),
    ...(panel.info?.dialogs
      ? [
          action(
            t('files.download-to'),
            FolderDown,
            [reasons.read, tooMany],
            () => void work.downloadTo(list.paths),
          ),
        ]
      : []),
    // A browser cannot start programs.
    ...(panel.info?.way === 'electron'
      ? [action(t('external-editor.open'), FilePen, [reasons.read, notFile], outside)]
      : []),
    action(t('files.cut'), Scissors, [reasons.write, none], keep('cut')),
    action(t('files.copy'), Copy, [reasons.read, none], keep('copy')),
    action(
      t('files.paste'),
      ClipboardPaste,
      [reasons.write, clip() ? null : t('files.nothing-to-paste')],
      paste,
    ),
    action(t('files.rename'), TextCursorInput, [reasons.write, notOne], () => {
      list.renaming = only?.name ?? null
    }),
    action(t('files.pack'), Archive, [reasons.write ?? archives, none], () =>
      open({ kind: 'pack', paths: list.paths }),
    ),
    action(t('files.unpack'), PackageOpen, [reasons.write ?? archives, notArchive], () =>
      open({ kind: 'unpack', path: joined(list.path, only?.name ?? '') }),
    ),
    action(t('files.properties'), Info, [null, none], () => open({ kind: 'properties', entries: selected })),
    { ...action(t('files.delete'), Trash2, [reasons.delete, none], () => void remove()), danger: true },
  ]
}
