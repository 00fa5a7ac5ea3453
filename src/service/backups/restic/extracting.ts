import { randomUUID } from 'node:crypto'
import { lstat, mkdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { parentOf } from '../../../contract/rules/paths.ts'
import { Yielder } from '../../../host/yield.ts'
import { diskPath } from '../../files/names/raw-names.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import type { StorePorts } from '../backup-store.ts'
import type { ListedEntry } from './backup-list.ts'
import type { Repository, StoredBackup } from './repository.ts'
import { keepRecord, damaged, damagedFile } from '../entries/entries.ts'
import { isNamed, restoredAt, restoreParts } from './restoring.ts'
import { COPIES } from './saving.ts'

interface Extraction {
  wanted: readonly ListedEntry[]
  below: readonly string[] | null
  to: string
  ports: StorePorts
}

/** restic checks each byte against its hash while it restores; only what the list names is then moved to its place. */
export async function extractBackup(
  repository: Repository,
  saved: StoredBackup,
  { wanted, below, to, ports }: Extraction,
): Promise<void> {
  const total = wanted.reduce((sum, { size }) => sum + size, 0)
  ports.progress(0, total)
  const target = path.join(to, `.restoring-${randomUUID()}`)
  await mkdir(target, { mode: 0o700 })
  try {
    const files = wanted.filter(({ kind }) => kind === 'file')
    const kinds = [
      { snapshot: saved.main, of: files.filter(({ isCopy }) => !isCopy), parts: below, within: '' },
      {
        ...{ snapshot: saved.list, of: files.filter(({ isCopy }) => isCopy), within: `${COPIES}/` },
        parts: below?.map((part) => `${COPIES}/${part}`) ?? [COPIES],
      },
    ]
    for (const { snapshot, of, parts } of kinds) {
      if (of.length === 0) continue
      const { code, errors } = await restoreParts(repository, snapshot, {
        parts,
        target,
        signal: ports.signal,
      })
      if (code === 0) continue
      const bad = of.find(({ path: at }) => isNamed(errors, snapshot, at))
      throw bad ? damagedFile(bad.path) : damaged()
    }
    await placeFolders(to, wanted)
    for (const { snapshot, of, within } of kinds)
      await placeFiles(of, (at) => diskPath(restoredAt(target, snapshot), within + at), { to, ports, total })
  } finally {
    await removeTree(target)
  }
  for (const entry of wanted.filter(({ kind }) => kind === 'folder').reverse()) await keepRecord(to, entry)
  ports.progress(total, total)
}

async function placeFolders(to: string, wanted: readonly ListedEntry[]): Promise<void> {
  const folders = new Set(wanted.map(({ path: at, kind }) => (kind === 'folder' ? at : parentOf(at))))
  folders.delete('')
  for (const folder of folders) await mkdir(diskPath(to, folder), { recursive: true, mode: 0o700 })
}

async function placeFiles(
  files: readonly ListedEntry[],
  restored: (at: string) => string | Buffer,
  { to, ports, total }: { to: string; ports: StorePorts; total: number },
): Promise<void> {
  const yielder = new Yielder()
  let done = 0
  for (const entry of files) {
    await yielder.next()
    ports.signal.throwIfAborted()
    const from = restored(entry.path)
    const stat = await lstat(from).catch(() => null)
    if (!stat?.isFile() || stat.size !== entry.size) throw damagedFile(entry.path)
    await rename(from, diskPath(to, entry.path))
    await keepRecord(to, entry)
    ports.progress((done += entry.size), total)
  }
}
