import { type BigIntStats, lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { joined, parentOf } from '../../contract/rules/paths.ts'
import { LEFT_OUT, worldNames } from '../changes/parts.ts'
import { walkTree } from '../files/safe-fs/walk-tree.ts'
import type { FolderEntry } from '../files/safe-fs/read-folder.ts'
import { openRoot, type OpenedFolder } from '../files/safe-fs/opened-folder.ts'
import type { ServerFiles } from '../files/server-files.ts'
import type { BackupSource, SavedBackup, SourceEntry } from './backup-store.ts'
import { timeOf } from '../../host/file-time.ts'
import { copyDatabase, isDatabase } from './copy-database.ts'

/** Locks of a running game, and what a database has beside it: its copy is whole without. */
const LEFT_BY_NAME = /^session\.lock$/
const OF_DATABASE = /-(?:wal|shm|journal)$/

interface SourceOptions {
  about?: BackupSource['about']
  /** The world's folder by the server's settings. */
  level: string
  exclude: readonly string[]
  /** Also what the software could fetch or unpack again: it may be nobody else's. */
  withSoftware: boolean
  /** A folder for copies of databases in use; removed by the caller. */
  staging: string
}

export interface ServerSource extends BackupSource {
  /** What the walk couldn't read. Complete after it. */
  missing: SavedBackup['missing']
}

/** Links, pipes and devices are left out: they are not the server's own data. */
export function serverSource(files: ServerFiles, options: SourceOptions): ServerSource {
  const root = realpathSync.native(files.root)
  const missing: SavedBackup['missing'] = []
  const isExcluded = exclusion(options)
  return {
    root,
    missing,
    about: options.about ?? null,
    async *entries(): AsyncGenerator<SourceEntry> {
      using top = openRoot(root)
      const skip = (_error: unknown, name: string) => void missing.push({ path: name, reason: 'unreadable' })
      for await (const step of walkTree(top, skip)) {
        if (step.kind === 'out') continue
        const { folder } = step
        const kept = step.entries.filter(({ name, kind }) => !isExcluded(joined(folder.path, name), kind))
        step.entries.splice(0, step.entries.length, ...kept)
        if (folder.path !== '') yield entryOf(root, folder.path, lstatSync(folder.itself, { bigint: true }))
        yield* filesIn(files, root, folder, kept, options.staging, missing)
      }
    },
  }
}

async function* filesIn(
  files: ServerFiles,
  root: string,
  folder: OpenedFolder,
  entries: readonly FolderEntry[],
  staging: string,
  missing: SavedBackup['missing'],
): AsyncGenerator<SourceEntry> {
  const names = new Set(entries.map(({ name }) => name))
  for (const { name, kind } of entries) {
    if (kind !== 'file') continue
    const beside = OF_DATABASE.exec(name)
    if (
      beside &&
      names.has(name.slice(0, beside.index)) &&
      isDatabase(folder.at(name.slice(0, beside.index)))
    )
      continue
    const at = joined(folder.path, name)
    const stat = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false })
    if (!stat?.isFile()) missing.push({ path: at, reason: 'changed' })
    else if (!(await files.hardLinks.allInside(stat))) missing.push({ path: at, reason: 'unreadable' })
    else {
      const entry = entryOf(root, at, stat)
      const isUsed = names.has(`${name}-wal`) || names.has(`${name}-journal`)
      const copy = isUsed && isDatabase(folder.at(name)) ? await copyDatabase(entry.from, staging) : null
      yield copy ? { ...entry, ...copy } : entry
    }
  }
}

const entryOf = (root: string, at: string, stat: BigIntStats): SourceEntry => ({
  path: at,
  kind: stat.isDirectory() ? 'folder' : 'file',
  size: stat.isDirectory() ? 0 : Number(stat.size),
  modifiedAt: timeOf(stat),
  mode: Number(stat.mode) & 0o777,
  from: path.join(root, at),
})

function exclusion({
  level,
  exclude,
  withSoftware,
}: Pick<SourceOptions, 'level' | 'exclude' | 'withSoftware'>) {
  const worlds = worldNames(level).map((name) => name.split('/')[0]!)
  const left = LEFT_OUT.filter((name) => !withSoftware || !OF_SOFTWARE.has(name))
  const patterns = exclude.map(patternOf)
  return (at: string, kind: FolderEntry['kind']): boolean => {
    if (kind !== 'file' && kind !== 'folder') return true
    if (parentOf(at) === '' && left.includes(at) && !worlds.includes(at)) return true
    if (kind === 'file' && LEFT_BY_NAME.test(at.slice(at.lastIndexOf('/') + 1))) return true
    return patterns.some((pattern) => pattern.test(at))
  }
}

const OF_SOFTWARE: ReadonlySet<string> = new Set(['libraries', 'versions'])

/** What is below an excluded folder isn't reached. */
const patternOf = (exclusion: string): RegExp =>
  new RegExp(
    `^${exclusion
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('[^/]*')}$`,
  )
