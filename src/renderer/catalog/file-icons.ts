import File from '@lucide/svelte/icons/file'
import FileArchive from '@lucide/svelte/icons/file-archive'
import FileBox from '@lucide/svelte/icons/file-box'
import FileCog from '@lucide/svelte/icons/file-cog'
import FileImage from '@lucide/svelte/icons/file-image'
import FileQuestion from '@lucide/svelte/icons/file-question-mark'
import FileSymlink from '@lucide/svelte/icons/file-symlink'
import FileText from '@lucide/svelte/icons/file-text'
import Folder from '@lucide/svelte/icons/folder'
import type { FileEntry } from '../../contract/bridge/values.ts'
import { t } from '../messages/t.svelte.ts'

const endings: [RegExp, typeof File][] = [
  [/\.(zip|gz|tgz|tar|bz2|xz|7z|rar)$/i, FileArchive],
  [/\.(jar|mca|mcr|nbt|dat|schem|schematic)$/i, FileBox],
  [/\.(properties|ya?ml|json5?|toml|conf|cfg|ini|xml)$/i, FileCog],
  [/\.(png|jpe?g|gif|webp|svg|ico)$/i, FileImage],
  [/\.(txt|md|log|csv)$/i, FileText],
]

export function iconOf(entry: Pick<FileEntry, 'kind' | 'name'>): typeof File {
  if (entry.kind === 'folder') return Folder
  if (entry.kind === 'link') return FileSymlink
  if (entry.kind !== 'file') return FileQuestion
  return endings.find(([ending]) => ending.test(entry.name))?.[1] ?? File
}

/** Unknown kinds are shown as the service wrote them. */
export function kindWord(kind: FileEntry['kind']): string {
  return typeof kind === 'string' ? t(`files.kind-${kind}`) : kind.raw
}
