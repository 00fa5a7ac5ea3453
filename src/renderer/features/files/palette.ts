import File from '@lucide/svelte/icons/file'
import Folder from '@lucide/svelte/icons/folder'
import type { FileEntry } from '../../../contract/bridge/values.ts'
import { go } from '../../core/routes/router.svelte.ts'
import { t } from '../../messages/t.svelte.ts'
import { isNamed, type PaletteEntry, type PaletteServer } from '../../catalog/palette-entry.ts'
import { isFolder } from './entries/sort.ts'

const FILES_MOST = 50

/** Of the server's own folder. */
export function fileEntries(
  { connectionId, serverId }: PaletteServer,
  files: readonly FileEntry[],
  typed: string,
): PaletteEntry[] {
  return files
    .filter(({ name }) => isNamed(name, typed))
    .slice(0, FILES_MOST)
    .map((file) => ({
      ...{ id: `file-${file.name}`, group: 'here', name: file.name, note: t('tab.files') },
      icon: isFolder(file) ? Folder : File,
      choose: () =>
        go({
          ...{ view: 'server', connectionId, serverId, tab: 'files' },
          ...(isFolder(file) ? { path: file.name } : { file: file.name }),
        }),
    }))
}
