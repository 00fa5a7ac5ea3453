import type { PickedFile, Upload } from '../../../core/bridge.ts'

/** Files and empty folders, with paths relative to the target. */
export type PickedFiles = Pick<Upload, 'files' | 'folders'>

export function bringsFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false
}

/** Collects the entries synchronously, because the browser empties them after the event. */
export function readDrop(transfer: DataTransfer): Promise<PickedFiles> {
  const items = [...transfer.items].filter((item) => item.kind === 'file')
  const entries = items.map((item) => item.webkitGetAsEntry())
  const loose = items.flatMap((item, index) => (entries[index] ? [] : [item.getAsFile()]))
  return readEntries(
    entries.filter((entry) => entry !== null),
    loose.filter((file) => file !== null),
  )
}

/** `loose`: files for which the browser gave no entry. */
export async function readEntries(
  entries: readonly FileSystemEntry[],
  loose: readonly File[] = [],
): Promise<PickedFiles> {
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
  // Browsers return 100 entries per call, then an empty array.
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

/** Files of an input, or of a folder with their paths. Empty folders are missing. */
export function readInput(files: FileList): PickedFiles {
  return {
    files: [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name })),
    folders: [],
  }
}
