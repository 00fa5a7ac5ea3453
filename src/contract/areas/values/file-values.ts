import { z } from 'zod'
import { fieldError } from '../../messages/refusals/field-error.ts'
import { FailureReason } from '../../declarations/errors.ts'
import { alsoNamed, ID_NAMES, idOf } from '../../declarations/also-named.ts'
import { openEnum, Time, always, maybe } from '../../declarations/operation.ts'
import { NAME_ENCODINGS } from '../../rules/names.ts'

export const PATH_MOST = 4096

/**
 * A path in a server's folder: `/`-separated, no leading slash, empty for the folder itself. The service decides which
 * names are valid. A byte on disk that isn't valid UTF-8 becomes the character U+F700 plus the byte, so such names can
 * be used as listed.
 */
export const FilePath = z.string().max(PATH_MOST, fieldError('request.invalid.path-long'))
export const ItemPath = FilePath.min(1, fieldError('request.invalid.path'))

/** What to do if a name is taken. `refuse`: 409 `files.exists`. */
export const Conflict = z.enum(['refuse', 'replace', 'keep-both', 'skip'])
export type Conflict = z.infer<typeof Conflict>

/** Optional: an entry without a kind is still listed. */
const EntryKind = openEnum(
  ['file', 'folder', 'link', 'other'],
  {
    folder: ['directory', 'dir'],
    link: ['symlink'],
  },
  { unsaid: true },
)

export const FileEntry = alsoNamed(
  z.object({
    name: always.filled,
    kind: EntryKind,
    size: maybe.number,
    modifiedAt: Time.nullish(),
    /** Permission bits, such as 420 (0644). */
    mode: maybe.whole,
  }),
  {
    name: ['fileName'],
    kind: ['type'],
    size: ['sizeBytes', 'bytes'],
    modifiedAt: ['modified', 'mtime', 'lastModified', 'updatedAt'],
  },
)
export type FileEntry = z.output<typeof FileEntry>

export const WrittenFile = z.object({
  entry: FileEntry,
  /** The server is running: it may overwrite the file, or read it only at its next start. */
  running: maybe.flag,
})

export const ItemResult = z.object({
  path: always.text,
  /** `skipped`: the name was taken and the conflict rule was to skip. */
  outcome: openEnum(['done', 'skipped', 'failed'], {
    done: ['ok', 'success', 'succeeded', 'completed'],
    failed: ['error', 'failure'],
  }),
  /** Differs from `path` with `keep-both`. */
  finalPath: maybe.text,
  error: FailureReason.nullish(),
})
export type ItemResult = z.output<typeof ItemResult>
export const ItemResults = z.object({
  results: z.array(ItemResult),
  running: maybe.flag,
})
export type ItemResults = z.output<typeof ItemResults>

/** Bytes; null if unlimited or unknown. */
export const FileLimits = z.object({
  maxFileBytes: maybe.number,
  quotaBytes: maybe.number,
  usedBytes: maybe.number,
  freeBytes: maybe.number,
  resumable: maybe.flag,
  /** In a form, `sha256` may come after `file`. */
  checksumLast: maybe.flag,
  /** Null if the service has no batch operation. */
  batch: z.object({ maxFiles: z.number().int(), maxBytes: z.number() }).nullish(),
  trash: z.object({ maxBytes: maybe.number, maxDays: maybe.number }).nullish(),
})
export type FileLimits = z.infer<typeof FileLimits>

/** Entries are restored individually. */
export const TrashEntry = alsoNamed(
  z.object({
    id: idOf('trash', z.string().min(1)),
    path: always.text,
    kind: EntryKind,
    size: maybe.number,
    deletedAt: Time.nullish(),
  }),
  { id: ID_NAMES, kind: ['type'], size: ['sizeBytes', 'bytes'] },
)
export type TrashEntry = z.output<typeof TrashEntry>

export const NameEncoding = z.enum(NAME_ENCODINGS)

export const DetectedEncoding = z.object({ encoding: openEnum(NAME_ENCODINGS), guessed: maybe.flag })

export const Omission = z.object({
  name: always.text,
  /**
   * `special`: device, pipe or socket. `name`: not usable here. `unreadable`: not in the encoding of the others.
   * `deep`: nested too deeply. `twice`: a later entry has the same name. `sparse`: holes in an unknown format.
   * `outside`: also linked outside the server's folder. `changed`: disappeared meanwhile.
   */
  reason: openEnum([
    ...(['link', 'special', 'name', 'unreadable', 'deep', 'twice', 'sparse', 'outside', 'changed'] as const),
    'other',
  ]),
})
export type Omission = z.output<typeof Omission>

/** Archiving or extracting. Its progress is also on the event stream. */
export const FileJob = alsoNamed(
  z.object({
    id: idOf('job', z.string().min(1)),
    kind: openEnum(['archive', 'extract']),
    state: openEnum(['running', 'done', 'failed', 'cancelled']),
    path: always.text,
    doneBytes: maybe.number,
    totalBytes: maybe.number,
    doneFiles: maybe.whole,
    totalFiles: maybe.whole,
    leftOut: maybe.whole,
    omissions: z.array(Omission).nullish(),
    /** Present if names in the archive aren't Unicode. */
    names: DetectedEncoding.nullish(),
    startedAt: Time.nullish(),
    endedAt: Time.nullish(),
    error: FailureReason.nullish(),
  }),
  { id: ID_NAMES, state: ['status'], kind: ['type'] },
)
export type FileJob = z.output<typeof FileJob>
/** Reads made stale by the end of a job, whatever the outcome. */
export const jobEndStale = ['files.list', 'files.limits'] as const

/** A match by name, or a matching line. */
export const SearchHit = alsoNamed(
  z.object({
    path: always.filled,
    kind: EntryKind,
    size: maybe.number,
    modifiedAt: Time.nullish(),
    /** From 1; absent for a match by name. */
    line: maybe.whole,
    /** The line, truncated for display. */
    text: maybe.text,
  }),
  {
    path: ['file'],
    kind: ['type'],
    size: ['sizeBytes', 'bytes'],
    modifiedAt: ['modified', 'mtime', 'lastModified'],
  },
)
export type SearchHit = z.output<typeof SearchHit>
