import type { PickedFile, Upload } from '../../../core/bridge.ts'

/** What was dropped or picked: files, and the folders that hold nothing. Paths are relative to where it goes. */
export type Picked = Pick<Upload, 'files' | 'folders'>

/** Whether a drag comes from outside the window and brings files. */
export function bringsFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false
}

/**
 * Reads everything that was dropped, folders to their depths. The entries are taken at once, since the browser empties
 * them when the event is over.
 */
export function readDrop(transfer: DataTransfer): Promise<Picked> {
  const items = [...transfer.items].filter((item) => item.kind === 'file')
  const entries = items.map((item) => item.webkitGetAsEntry())
  const loose = items.flatMap((item, index) => (entries[index] ? [] : [item.getAsFile()]))
  return readEntries(
    entries.filter((entry) => entry !== null),
    loose.filter((file) => file !== null),
  )
}

/** Reads entries of a file system. `loose` are files for which the browser gave no entry. */
export async function readEntries(
  entries: readonly FileSystemEntry[],
  loose: readonly File[] = [],
): Promise<Picked> {
  const picked: { files: PickedFile[]; folders: string[] } = {
    files: loose.map((file) => ({ file, path: file.name })),
    folders: [],
  }
  for (const entry of entries) await readEntry(entry, entry.name, picked)
  return picked
}

async function readEntry(
  entry: FileSystemEntry,
  path: string,
  into: { files: PickedFile[]; folders: string[] },
): Promise<void> {
  if (entry.isFile) {
    into.files.push({ file: await fileOf(entry as FileSystemFileEntry), path })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  let empty = true
  // A browser gives a hundred at a time and nothing when there are no more.
  for (let some = await nextOf(reader); some.length > 0; some = await nextOf(reader)) {
    empty = false
    const files = some.filter((child) => child.isFile)
    await Promise.all(files.map((child) => readEntry(child, `${path}/${child.name}`, into)))
    for (const child of some) if (!child.isFile) await readEntry(child, `${path}/${child.name}`, into)
  }
  if (empty) into.folders.push(path)
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

function nextOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject))
}

/** What an input gave: files, or the files of a folder with their paths. Empty folders are not among them. */
export function readInput(files: FileList): Picked {
  return {
    files: [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name })),
    folders: [],
  }
}
