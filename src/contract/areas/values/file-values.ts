import { z } from 'zod'
import { wrong } from '../../messages/refusals/wrong.ts'
import { WhyFailed } from '../../declarations/errors.ts'
import { alsoNamed, ID_NAMES, idOf } from '../../declarations/also-named.ts'
import { always, maybe } from '../../declarations/fields.ts'
import { openEnum, Time } from '../../declarations/operation.ts'
import { NAME_ENCODINGS } from '../../rules/name-encodings.ts'

/**
 * A path within a server's folder: parts joined by `/`, without a leading slash; the empty path is the folder itself.
 * Whether its names can be used is for the service to say. Each byte of a name on its disk that is not valid UTF-8 is a character of
 * its own, U+F700 plus the byte, so that such a name can be used as it is listed.
 */
export const FilePath = z.string().max(4096, wrong('request.invalid.path-long'))
/** A path of something within the folder, not the folder itself. */
export const ItemPath = FilePath.min(1, wrong('request.invalid.path'))

/** What to do where a name is taken. `refuse` is answered by 409 `files.exists`. */
export const Conflict = z.enum(['refuse', 'replace', 'keep-both', 'skip'])
export type Conflict = z.infer<typeof Conflict>

/** Where it is not given, the thing itself is there all the same. */
const EntryKind = openEnum(
  ['file', 'folder', 'link', 'other'],
  {
    folder: ['directory', 'dir'],
    link: ['symlink'],
  },
  { opposites: { folder: 'file', file: 'folder' }, unsaid: true },
)

/** A file or a folder. Sizes in bytes. */
export const FileEntry = alsoNamed(
  z.object({
    name: always.filled,
    kind: EntryKind,
    size: maybe.number,
    modifiedAt: Time.nullish(),
    /** Permission bits, such as 420 (0644). */
    mode: maybe.whole,
  }),
  ['file', 'entry'],
  {
    kind: ['type'],
    size: ['sizeBytes', 'bytes'],
    modifiedAt: ['modified', 'mtime', 'lastModified', 'updatedAt'],
  },
)
export type FileEntry = z.output<typeof FileEntry>

/** What a write did. */
export const WrittenFile = z.object({
  entry: FileEntry,
  /** The server runs: it may overwrite the file, or read it only when it starts again. */
  running: maybe.flag,
})

/** What became of one of many items. */
export const ItemResult = z.object({
  /** As it was asked. */
  path: always.text,
  /** `skipped`: the name was taken and the choice was to skip. */
  outcome: openEnum(
    ['done', 'skipped', 'failed'],
    {
      done: ['ok', 'success', 'succeeded', 'completed'],
      failed: ['error', 'failure'],
    },
    { opposites: { done: 'failed' } },
  ),
  /** Where it is now; differs from what was asked with `keep-both`. */
  finalPath: maybe.text,
  error: WhyFailed.nullish(),
})
export type ItemResult = z.output<typeof ItemResult>
export const ItemResults = z.object({
  results: z.array(ItemResult),
  running: maybe.flag,
})
export type ItemResults = z.output<typeof ItemResults>

/** Limits of a server's folder, in bytes; null where there is none or none is known. */
export const FileLimits = z.object({
  maxFileBytes: maybe.number,
  quotaBytes: maybe.number,
  usedBytes: maybe.number,
  freeBytes: maybe.number,
  /** Whether uploads can be resumed (tus). */
  resumable: maybe.flag,
  /** Most files and bytes of one batch; null where there is no batch operation. */
  batch: z.object({ maxFiles: z.number().int(), maxBytes: z.number() }).nullish(),
  trash: z.object({ maxBytes: maybe.number, maxDays: maybe.number }).nullish(),
})
export type FileLimits = z.infer<typeof FileLimits>

/** Something in the trash. Each entry is restored by itself. */
export const TrashEntry = alsoNamed(
  z.object({
    id: idOf('trash', z.string().min(1)),
    /** Where it was. */
    path: always.text,
    kind: EntryKind,
    size: maybe.number,
    deletedAt: Time.nullish(),
  }),
  ['entry', 'file'],
  { id: ID_NAMES, kind: ['type'], size: ['sizeBytes', 'bytes'] },
)
export type TrashEntry = z.output<typeof TrashEntry>

/** An encoding of names in archives that are not Unicode. */
export const NameEncoding = z.enum(NAME_ENCODINGS)

/** How the names of an archive were read that are not Unicode. Where they were guessed, they may be wrong. */
export const NamesRead = z.object({ encoding: openEnum(NAME_ENCODINGS), guessed: maybe.flag })

/** Something that was left out of an archive, or of what was extracted. */
export const Omission = z.object({
  name: always.text,
  /**
   * `special`: a device, a pipe or a socket. `name`: a name that cannot be used here. `unreadable`: a name that is not in the
   * encoding of the others. `deep`: too many folders deep. `twice`: a later entry has the same name. `sparse`: a file with
   * holes in an unknown form. `outside`: it has another name outside the server's folder. `changed`: it went meanwhile.
   */
  reason: openEnum([
    ...(['link', 'special', 'name', 'unreadable', 'deep', 'twice', 'sparse', 'outside', 'changed'] as const),
    'other',
  ]),
})
export type Omission = z.output<typeof Omission>

/** Packing or unpacking, which takes a while. Its state comes on the event stream too. */
export const FileJob = alsoNamed(
  z.object({
    id: idOf('job', z.string().min(1)),
    kind: openEnum(['archive', 'extract']),
    state: openEnum(['running', 'done', 'failed', 'cancelled']),
    /** The archive that is made or read. */
    path: always.text,
    doneBytes: maybe.number,
    totalBytes: maybe.number,
    doneFiles: maybe.whole,
    totalFiles: maybe.whole,
    /** How many items were left out of the archive, or of what was extracted. */
    leftOut: maybe.whole,
    /** The first of them. */
    omissions: z.array(Omission).nullish(),
    /** Given where names in the archive are not Unicode. */
    names: NamesRead.nullish(),
    startedAt: Time.nullish(),
    endedAt: Time.nullish(),
    error: WhyFailed.nullish(),
  }),
  ['job'],
  { id: ID_NAMES, state: ['status'], kind: ['type'] },
)
export type FileJob = z.output<typeof FileJob>
/** Reads whose kept answers the end of a job makes stale, however it ended. */
export const jobEndStale = ['files.list', 'files.limits'] as const

/** A find by name, or a line of a file that holds the text. */
export const SearchHit = alsoNamed(
  z.object({
    path: always.filled,
    kind: EntryKind,
    size: maybe.number,
    modifiedAt: Time.nullish(),
    /** From 1; absent for a find by name. */
    line: maybe.whole,
    /** The line, cut to what can be shown. */
    text: maybe.text,
  }),
  ['file', 'hit', 'match'],
  {
    path: ['file'],
    kind: ['type'],
    size: ['sizeBytes', 'bytes'],
    modifiedAt: ['modified', 'mtime', 'lastModified'],
  },
)
export type SearchHit = z.output<typeof SearchHit>
