import { z } from 'zod'
import { alsoNamed, ID_NAMES, idOf } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { FailureReason } from '../declarations/errors.ts'
import { json, list, openEnum, Paging, Time, always, maybe } from '../declarations/operation.ts'
import { FileEntry, FilePath, ItemPath, Omission } from './values/file-values.ts'
import { ServerName } from './server-config.ts'

const { read, write } = area('backups')

export const BACKUP_NAME_MAX = 60
const BackupName = z.string().trim().min(1).max(BACKUP_NAME_MAX)
const BackupId = idOf('backup', z.string().min(1).max(200))

/** Bytes; without a total the size is unknown. */
const BackupProgress = z.object({
  kind: openEnum(['backup', 'copy', 'try', 'restore', 'delete']),
  done: maybe.amount,
  total: maybe.amount,
})

/**
 * `sound`: every byte was read and is right. `started`: the software also said it was ready, after `seconds`. `cutOff`:
 * it had no network meanwhile.
 */
const BackupTrial = z.object({
  at: Time,
  result: openEnum(['sound', 'started', 'damaged', 'not-started']),
  seconds: maybe.amount,
  cutOff: maybe.flag,
  error: FailureReason.nullish(),
})

const BackupCopy = z.object({ id: always.text, name: maybe.text, error: FailureReason.nullish() })

/** Sizes in bytes. */
export const Backup = alsoNamed(
  z.object({
    id: BackupId,
    name: maybe.text,
    cause: openEnum(['manual', 'schedule', 'before-change']),
    /** Of `before-change`: what was about to happen. */
    change: openEnum(['software', 'modpack', 'reset', 'extensions', 'restore']).nullish(),
    state: openEnum(['waiting', 'running', 'done', 'failed']),
    createdAt: Time.nullish(),
    /** What it holds, and what it added to the store. */
    bytes: maybe.amount,
    addedBytes: maybe.amount,
    files: maybe.count,
    progress: BackupProgress.nullish(),
    /** Kept whatever the rule says. */
    locked: maybe.flag,
    tried: BackupTrial.nullish(),
    /** What changed or could not be read meanwhile: the first, and how many in all. */
    missing: z.array(Omission).max(100).nullish(),
    missingCount: maybe.count,
    /** The server was running and could not pause its saving: parts may be of different moments. */
    unpaused: maybe.flag,
    software: z.object({ id: always.text, name: maybe.text, version: maybe.text }).nullish(),
    /** Places that hold a copy, or could not take one yet (`error`). */
    targets: z.array(BackupCopy).max(20).nullish(),
    error: FailureReason.nullish(),
  }),
  { id: ID_NAMES, state: ['status'], createdAt: ['created', 'date'], bytes: ['size', 'sizeBytes'] },
)
export type Backup = z.output<typeof Backup>

const KEEP_MOST = 1000
const counts = <T extends z.ZodType>(count: T) =>
  z.object({ last: count, hourly: count, daily: count, weekly: count, monthly: count })

/** How many of each are kept. The newest good one always is. */
const KeepRule = counts(z.number().int().min(0).max(KEEP_MOST))
export type KeepRule = z.output<typeof KeepRule>

/** A folder or file, relative to the server's folder; `*` stands for what is within one name. */
const Exclusion = ItemPath.max(300)
const EXCLUDED_MOST = 100

/**
 * `archive`: one file per backup. `restic`: pieces that are stored once. `resticReady`: it is here, or is fetched once
 * it is chosen.
 */
export const BackupSettings = z.object({
  engine: openEnum(['archive', 'restic']).nullish(),
  resticReady: maybe.flag,
  keep: counts(z.number().int().min(0)),
  exclude: z.array(always.text),
  /** Places that can take copies (only with `restic`), and whether those of this server go there. */
  targets: z
    .array(z.object({ id: always.text, name: always.text, isOn: maybe.flag }))
    .max(20)
    .nullish(),
  /** Bytes of all backups of this server, and free room where they are kept. */
  usedBytes: maybe.amount,
  freeBytes: maybe.amount,
})
export type BackupSettings = z.output<typeof BackupSettings>

const at = z.object({ backup: z.string().min(1).max(200), path: FilePath.optional() })
const FOLDER_MOST = 50_000
const BACKUPS_MOST = 2000

export const RESTORE_NEEDS = {
  here: ['backups.restore', 'files.write'],
  'new-server': ['backups.restore', 'files.read'],
} as const

const accepted = json(z.object({ accepted: maybe.flag }))
const REPLACED = [
  'files.list',
  'files.limits',
  'players.list',
  'servers.read-config',
  'software.read',
  'extensions.list',
] as const

/** The specification has no area for them. */
export const backups = {
  list: read({
    id: 'backups.list',
    summary: 'List the backups of a server, newest first',
    path: '/servers/backups/:serverId',
    origin: 'extension',
    scope: 'backups.read',
    query: Paging,
    answer: list(Backup, 'id'),
    pages: { most: BACKUPS_MOST, each: 200 },
    keep: 'disk',
  }),
  create: write({
    id: 'backups.create',
    summary: 'Back up a server, also while it is running',
    rate: { burst: 20, perSecond: 0.05 },
    method: 'POST',
    path: '/servers/backups/:serverId',
    origin: 'extension',
    scope: 'backups.create',
    body: z.object({ name: BackupName.optional() }),
    /** Continues after the answer; see its `state` in the list. */
    status: 202,
    answer: json(Backup),
    stale: ['backups.list'],
    bridge: 'pass',
  }),
  files: read({
    id: 'backups.files',
    summary: 'List a folder of a backup',
    lane: 'reading',
    path: '/servers/backups/files/:serverId',
    origin: 'extension',
    scope: ['backups.read', 'files.read'],
    query: at.extend({
      limit: z.coerce.number().int().min(1).max(FOLDER_MOST).optional(),
      cursor: z.string().max(2000).optional(),
    }),
    answer: list(FileEntry, 'name'),
    pages: { most: FOLDER_MOST, each: FOLDER_MOST },
    keep: 'memory',
  }),
  /** A file accepts `Range`; a folder comes as a zip. */
  content: read({
    id: 'backups.content',
    summary: 'Read a file of a backup, or a folder as an archive',
    lane: 'reading',
    path: '/servers/backups/content/:serverId',
    origin: 'extension',
    scope: ['backups.read', 'files.read'],
    query: at,
    answer: { kind: 'bytes' },
    bridge: 'own',
    keep: 'never',
  }),
  restore: write({
    id: 'backups.restore',
    summary: 'Bring back a backup or a part of it: here, after a backup of what is there, or as a new server',
    rate: { burst: 20, perSecond: 0.1 },
    method: 'POST',
    path: '/servers/backups/restore/:serverId',
    origin: 'extension',
    scope: { by: 'to', needs: RESTORE_NEEDS },
    body: z.object({
      backup: z.string().min(1).max(200),
      /** Files and folders; `players`: the saved state of these, by UUID. Neither: everything. Only `here`. */
      paths: z.array(ItemPath).min(1).max(1000).optional(),
      players: z.array(z.string().min(1).max(40)).min(1).max(100).optional(),
      to: z.enum(['here', 'new-server']),
      /** Of the new server. */
      name: ServerName.optional(),
      start: z.boolean().optional(),
    }),
    status: 202,
    /** `serverId`: of the new server. */
    answer: json(z.object({ accepted: maybe.flag, serverId: maybe.text })),
    stale: ['backups.list', 'servers.list', ...REPLACED],
    bridge: 'pass',
  }),
  try: write({
    id: 'backups.try',
    summary: 'Check every byte of a backup and, if wanted, whether a server starts from it',
    rate: { burst: 20, perSecond: 0.05 },
    method: 'POST',
    path: '/servers/backups/try/:serverId',
    origin: 'extension',
    scope: 'backups.create',
    body: z.object({ backup: z.string().min(1).max(200), start: z.boolean().optional() }),
    status: 202,
    answer: accepted,
    stale: ['backups.list'],
    bridge: 'pass',
  }),
  /** The running backup, trial or restoring of this server. */
  cancel: write({
    id: 'backups.cancel',
    summary: 'Cancel the work in progress on backups',
    method: 'DELETE',
    path: '/servers/backups/work/:serverId',
    origin: 'extension',
    scope: 'backups.create',
    stale: ['backups.list'],
    bridge: 'pass',
  }),
  readSettings: read({
    id: 'backups.settings',
    summary: 'Get what is kept, how, and how much room it takes',
    path: '/servers/backups/settings/:serverId',
    origin: 'extension',
    scope: 'backups.read',
    answer: json(BackupSettings),
    keep: 'disk',
  }),
  changeSettings: write({
    id: 'backups.change-settings',
    summary: 'Change what is kept and how',
    method: 'PATCH',
    path: '/servers/backups/settings/:serverId',
    origin: 'extension',
    scope: 'owner',
    body: z.object({
      engine: z.enum(['archive', 'restic']).optional(),
      keep: KeepRule.optional(),
      exclude: z.array(Exclusion).max(EXCLUDED_MOST).optional(),
      /** Ids: all that copies go to. */
      targets: z.array(z.string().min(1).max(200)).max(20).optional(),
    }),
    logged: { is: 'setting', by: 'names' },
    answer: json(BackupSettings),
    puts: 'backups.settings',
    patience: 120_000,
    stale: ['backups.list'],
    bridge: 'pass',
  }),
  change: write({
    id: 'backups.change',
    summary: 'Name or lock a backup',
    method: 'PATCH',
    path: '/servers/backups/:serverId/:backupId',
    origin: 'extension',
    scope: 'backups.create',
    body: z.object({ name: BackupName.nullable().optional(), locked: z.boolean().optional() }),
    answer: json(Backup),
    stale: ['backups.list'],
    bridge: 'pass',
  }),
  remove: write({
    id: 'backups.remove',
    summary: 'Delete a backup',
    method: 'DELETE',
    path: '/servers/backups/:serverId/:backupId',
    origin: 'extension',
    scope: 'backups.delete',
    stale: ['backups.list', 'backups.settings'],
    bridge: 'pass',
  }),
}
