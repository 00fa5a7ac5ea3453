import { z } from 'zod'
import { idOf } from '../declarations/also-named.ts'
import {
  Conflict,
  FileEntry,
  FileJob,
  FileLimits,
  FilePath,
  ItemPath,
  ItemResults,
  NameEncoding,
  SearchHit,
  TrashEntry,
  WrittenFile,
} from './values/file-values.ts'
import { area } from '../declarations/declare.ts'
import { all, json, list } from '../declarations/operation.ts'

const { read, write } = area('files')

const at = z.object({ path: FilePath })
const Paths = z.array(ItemPath).min(1).max(1000)
const TrashId = idOf('trash', z.string().min(1).max(200))
const Moves = z.object({
  items: z
    .array(z.object({ from: ItemPath, to: ItemPath }))
    .min(1)
    .max(1000),
  conflict: Conflict.optional(),
})

const LIST_MOST = 50_000
const FOLDER_MOST = 100_000
const SEARCH_HITS = 500
/** Limits in ms for operations on large trees and for full-text searches. */
const TREE_MS = 5 * 60_000
const SEARCH_MS = 60_000

/** Entirely assumed: the specification only names the area (§1). */
export const files = {
  list: read({
    id: 'files.list',
    summary: 'List a folder',
    lane: 'reading',
    path: '/servers/files/:serverId',
    origin: 'assumed',
    scope: 'files.read',
    query: z.object({
      path: FilePath.optional(),
      limit: z.coerce.number().int().min(1).max(LIST_MOST).optional(),
      cursor: z.string().max(2000).optional(),
    }),
    answer: list(FileEntry, 'name'),
    pages: all(FOLDER_MOST, LIST_MOST),
    keep: 'disk',
  }),
  /** Accepts `Range`; answers with `ETag`, and 206 for a part. */
  read: read({
    id: 'files.read',
    summary: 'Read a file, or a range of it, with its ETag',
    path: '/servers/files/content/:serverId',
    origin: 'assumed',
    scope: 'files.read',
    query: at,
    answer: { kind: 'bytes' },
    bridge: 'own',
    keep: 'never',
  }),
  /** `If-Match`: the ETag that was read. `If-None-Match: *`: create only. Without either, it overwrites. */
  write: write({
    id: 'files.write',
    summary: 'Write a file; `If-Match` takes the ETag',
    rate: { burst: 500, perSecond: 50 },
    method: 'PUT',
    path: '/servers/files/content/:serverId',
    origin: 'assumed',
    scope: 'files.write',
    query: at,
    sends: 'bytes',
    answer: json(WrittenFile),
    stale: ['files.list', 'files.limits', 'servers.icon'],
    logged: { is: 'file', by: 'query', field: 'path' },
  }),
  /**
   * tus 1.0: POST creates an upload, HEAD/PATCH/DELETE at the returned `Location`. `Upload-Metadata`: `path`,
   * `modifiedAt` (ISO), `conflict`. The last PATCH carries `Upload-Checksum: sha256 <base64>` of the whole file, as
   * header or trailer. The simple way is a multipart POST: `path`, `modifiedAt`, `conflict`, `sha256`, then `file`.
   */
  upload: write({
    id: 'files.upload',
    summary: 'Upload a file: tus 1.0, or one multipart POST',
    rate: { burst: 2000, perSecond: 100 },
    method: 'POST',
    path: '/servers/files/upload/:serverId',
    origin: 'assumed',
    scope: 'files.write',
    sends: 'bytes',
    carries: ['path', 'modifiedAt', 'conflict', 'sha256', 'file'],
    status: 201,
    answer: json(WrittenFile),
    stale: ['files.list', 'files.limits', 'servers.icon'],
    logged: { is: 'file', by: 'handler' },
    below: { path: '/:uploadId', methods: ['HEAD', 'PATCH', 'DELETE'] },
  }),
  /** The body is a tar stream (pax); SHA-256 (hex) in the header `WHEELHOUSE.sha256`. Files are written atomically. */
  batch: write({
    id: 'files.batch',
    summary: 'Upload many small files as a tar stream',
    // Its own lane: a place is occupied while the body arrives, which takes minutes on a slow line.
    lane: 'bringing',
    method: 'POST',
    path: '/servers/files/batch/:serverId',
    origin: 'assumed',
    scope: 'files.write',
    query: z.object({ conflict: Conflict.optional() }),
    sends: 'bytes',
    status: 200,
    answer: json(ItemResults),
    stale: ['files.list', 'files.limits', 'servers.icon'],
    logged: { is: 'file', by: 'results', field: 'path' },
  }),
  folder: write({
    id: 'files.folder',
    summary: 'Create a folder and its parents',
    rate: { burst: 2000, perSecond: 100 },
    method: 'POST',
    path: '/servers/files/folder/:serverId',
    origin: 'assumed',
    scope: 'files.write',
    body: z.object({ path: ItemPath, conflict: z.enum(['refuse', 'skip']).optional() }),
    status: 201,
    answer: json(WrittenFile),
    stale: ['files.list', 'files.limits'],
    logged: { is: 'file', by: 'body', field: 'path' },
    bridge: 'pass',
  }),
  move: write({
    id: 'files.move',
    summary: 'Move or rename files and folders',
    lane: 'changing',
    method: 'POST',
    path: '/servers/files/move/:serverId',
    origin: 'assumed',
    scope: 'files.write',
    body: Moves,
    status: 200,
    answer: json(ItemResults),
    stale: ['files.list', 'files.limits', 'servers.icon'],
    logged: { is: 'file', by: 'body', field: 'items', each: 'from' },
    patience: TREE_MS,
  }),
  copy: write({
    id: 'files.copy',
    summary: 'Copy files and folders',
    lane: 'changing',
    method: 'POST',
    path: '/servers/files/copy/:serverId',
    origin: 'assumed',
    scope: 'files.write',
    body: Moves,
    status: 200,
    answer: json(ItemResults),
    stale: ['files.list', 'files.limits', 'servers.icon'],
    logged: { is: 'file', by: 'body', field: 'items', each: 'from' },
    patience: TREE_MS,
  }),
  remove: write({
    id: 'files.remove',
    summary: 'Move files and folders to the trash',
    lane: 'changing',
    method: 'POST',
    path: '/servers/files/delete/:serverId',
    origin: 'assumed',
    scope: 'files.delete',
    body: z.object({ paths: Paths }),
    status: 200,
    answer: json(ItemResults.extend({ trash: z.array(TrashEntry).nullish() })),
    stale: ['files.list', 'files.limits', 'files.trash', 'servers.icon'],
    logged: { is: 'file', by: 'body', field: 'paths' },
    patience: TREE_MS,
  }),
  trash: read({
    id: 'files.trash',
    summary: 'List the trash, newest first',
    lane: 'reading',
    path: '/servers/files/trash/:serverId',
    origin: 'assumed',
    scope: 'files.read',
    answer: list(TrashEntry, 'id'),
    keep: 'disk',
  }),
  restore: write({
    id: 'files.restore',
    summary: 'Restore items from the trash',
    lane: 'changing',
    method: 'POST',
    path: '/servers/files/restore/:serverId',
    origin: 'assumed',
    scope: 'files.write',
    body: z.object({
      ids: z.array(TrashId).min(1).max(1000),
      conflict: Conflict.optional(),
    }),
    status: 200,
    /** `path` of a result is the requested id. */
    answer: json(ItemResults),
    stale: ['files.list', 'files.limits', 'files.trash', 'servers.icon'],
    logged: { is: 'file', by: 'results', field: 'finalPath' },
    patience: TREE_MS,
  }),
  purge: write({
    id: 'files.purge',
    summary: 'Empty the trash, or permanently delete some of its items',
    lane: 'changing',
    method: 'POST',
    path: '/servers/files/purge/:serverId',
    origin: 'assumed',
    scope: 'files.delete',
    body: z.object({ ids: z.array(TrashId).max(1000).optional() }),
    stale: ['files.limits', 'files.trash'],
    bridge: 'pass',
    patience: TREE_MS,
  }),
  limits: read({
    id: 'files.limits',
    summary: 'Get size limits, used space and free space',
    lane: 'reading',
    path: '/servers/files/limits/:serverId',
    origin: 'assumed',
    scope: 'files.read',
    answer: json(FileLimits),
    keep: 'disk',
  }),
  archive: write({
    id: 'files.archive',
    summary: 'Compress files into an archive; answers a job',
    method: 'POST',
    path: '/servers/files/archive/:serverId',
    origin: 'assumed',
    scope: 'files.write',
    body: z.object({
      paths: Paths,
      to: ItemPath,
      format: z.enum(['zip', 'tar.gz']),
      conflict: Conflict.optional(),
    }),
    status: 202,
    answer: json(FileJob),
    stale: ['files.list', 'files.limits'],
    logged: { is: 'file', by: 'body', field: 'to' },
  }),
  extract: write({
    id: 'files.extract',
    summary: 'Extract an archive into a folder; answers a job',
    method: 'POST',
    path: '/servers/files/extract/:serverId',
    origin: 'assumed',
    scope: 'files.write',
    body: z.object({
      path: ItemPath,
      to: FilePath,
      conflict: Conflict.optional(),
      /** Encoding of names that don't declare one; guessed if absent. */
      names: NameEncoding.optional(),
    }),
    status: 202,
    answer: json(FileJob),
    stale: ['files.list', 'files.limits', 'servers.icon'],
    logged: { is: 'file', by: 'body', field: 'path' },
  }),
  jobs: read({
    id: 'files.jobs',
    summary: 'List running and recent jobs',
    path: '/servers/files/jobs/:serverId',
    origin: 'assumed',
    scope: 'files.read',
    answer: list(FileJob, 'id'),
    keep: 'never',
  }),
  cancel: write({
    id: 'files.cancel',
    summary: 'Cancel a job and remove what it created',
    method: 'POST',
    path: '/servers/files/cancel/:serverId',
    origin: 'assumed',
    scope: 'files.write',
    body: z.object({ id: idOf('job', z.string().min(1).max(200)) }),
    stale: ['files.list', 'files.limits'],
    bridge: 'pass',
  }),
  search: read({
    id: 'files.search',
    summary: 'Search by name and by content',
    lane: 'searching',
    path: '/servers/files/search/:serverId',
    origin: 'assumed',
    scope: 'files.read',
    query: z.object({
      path: FilePath.optional(),
      name: z.string().max(200).optional(),
      text: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(1000).optional(),
    }),
    answer: list(SearchHit, null),
    pages: all(SEARCH_HITS),
    patience: SEARCH_MS,
    keep: 'never',
  }),
}
