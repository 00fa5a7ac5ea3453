import type { BigIntStats, Stats } from 'node:fs'
import type { z } from 'zod'
import type { FileEntry } from '../../../contract/areas/values/file-values.ts'
import { isoTime } from '../../base/clock.ts'

export type Kind = 'file' | 'folder' | 'link' | 'other'

export function kindOf(stat: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): Kind {
  if (stat.isFile()) return 'file'
  if (stat.isDirectory()) return 'folder'
  return stat.isSymbolicLink() ? 'link' : 'other'
}

export function fileEntryOf(name: string, stat: Stats | BigIntStats): z.input<typeof FileEntry> {
  const kind = kindOf(stat)
  return {
    name,
    kind,
    size: kind === 'file' ? Number(stat.size) : null,
    modifiedAt: modifiedAt(stat),
    mode: Number(stat.mode) & 0o7777,
  }
}

export function modifiedAt(stat: Stats | BigIntStats): string | null {
  const ms = Math.floor(Number(stat.mtimeMs))
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 && ms > -6e13 && ms < 2.5e14 ? isoTime(ms) : null
}

/** A strong ETag. Includes ctime, since uploads may set any mtime. */
export const tagOf = (stat: BigIntStats): string =>
  `"${[stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].map((part) => part.toString(36)).join('-')}"`
