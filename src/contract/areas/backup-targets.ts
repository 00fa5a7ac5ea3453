import { z } from 'zod'
import { alsoNamed, ID_NAMES, idOf } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { FailureReason } from '../declarations/errors.ts'
import { json, list, needed, openEnum, Time, always, maybe } from '../declarations/operation.ts'
import { ServerName } from './server-config.ts'

const { read, write } = area('backups')

/** Nothing that a shell, a command line or a URL would read as more than a name. */
const word = (characters: RegExp, most: number) => z.string().regex(characters).max(most)

const Host = word(/^[\p{L}\p{N}](?:[\p{L}\p{N}.:-]*[\p{L}\p{N}])?$/u, 253)
const UserName = word(/^[\w.@+][\w.@+-]*$/, 100)
const Bucket = word(/^[A-Za-z0-9][\w.-]*$/, 255)
const KeyId = word(/^[\w./+=-]+$/, 200)
/** Within a bucket or a home folder. */
const Prefix = word(/^[^\p{Cc}]*$/u, 500)
/** Without a user or password: those would be kept and shown. */
const WebAddress = z
  .url({ protocol: /^https?$/ })
  .regex(/^[^@?#]*$/)
  .max(500)

/** Where copies of backups go. */
const TargetPlace = z.discriminatedUnion('kind', [
  /** Absolute, on the service's computer. */
  z.object({ kind: z.literal('folder'), path: Prefix.min(1) }),
  z.object({
    kind: z.literal('sftp'),
    host: Host,
    port: z.number().int().min(1).max(65_535).default(22),
    user: UserName,
    path: Prefix.default(''),
  }),
  z.object({
    kind: z.literal('s3'),
    endpoint: WebAddress,
    bucket: Bucket,
    prefix: Prefix.default(''),
    region: word(/^[\w-]*$/, 100).default(''),
    keyId: KeyId,
  }),
  z.object({ kind: z.literal('b2'), bucket: Bucket, prefix: Prefix.default(''), keyId: KeyId }),
  z.object({ kind: z.literal('azure'), container: Bucket, prefix: Prefix.default(''), account: KeyId }),
  z.object({ kind: z.literal('gcs'), bucket: Bucket, prefix: Prefix.default('') }),
  z.object({ kind: z.literal('rest'), url: WebAddress, user: UserName.optional() }),
  /** `remote` as rclone writes it: `name:path`. */
  z.object({ kind: z.literal('rclone'), remote: word(/^[\w][\w .+@-]*:[^\p{Cc}]*$/u, 500) }),
])
export type TargetPlace = z.output<typeof TargetPlace>

export const PLACE_KINDS = [
  'folder',
  'sftp',
  's3',
  'b2',
  'azure',
  'gcs',
  'rest',
  'rclone',
] as const satisfies readonly TargetPlace['kind'][]

/**
 * SFTP: a password or a private key (neither: a key is made, see `publicKey`); S3, B2, Azure: the secret key; GCS: the JSON
 * file of a service account; REST: the password; rclone: the section of its configuration.
 */
const Secret = z.string().min(1).max(20_000)

const TargetName = z.string().trim().min(1).max(60)

export const BackupTarget = alsoNamed(
  z.object({
    id: idOf('target', z.string().min(1).max(200)),
    name: always.text,
    kind: openEnum(PLACE_KINDS),
    /** One line: host, bucket or folder, without secrets. */
    location: always.text,
    /** Of SFTP: SHA-256 fingerprint of the host's key, trusted at first use. */
    hostKey: maybe.text,
    /** Of SFTP with a key that was made here: a line for `authorized_keys`. */
    publicKey: maybe.text,
    /** Known for folders only. */
    freeBytes: maybe.amount,
    /** When it was last reached, and why it was not since. */
    reachedAt: Time.nullish(),
    error: FailureReason.nullish(),
  }),
  { id: ID_NAMES },
)
export type BackupTarget = z.output<typeof BackupTarget>

/** A backup at a target, of a server that is here or of one that is not (any more). Sizes in bytes. */
const TargetBackup = z.object({
  id: idOf('backup', z.string().min(1).max(200)),
  serverId: always.text,
  serverName: always.text,
  /** The server it is of is on this service. */
  isHere: maybe.flag,
  createdAt: Time.nullish(),
  bytes: maybe.amount,
  files: maybe.count,
  software: z.object({ id: always.text, name: maybe.text, version: maybe.text }).nullish(),
})
export type TargetBackup = z.output<typeof TargetBackup>

const TARGETS_MOST = 20
const BACKUPS_MOST = 5000

/** Only for the owner of the service; nobody else has any. Secrets go in and never come out. */
export const backupTargets = {
  targets: read({
    id: 'backups.targets',
    summary: 'List the places where copies of backups go',
    path: '/backups/targets',
    origin: 'extension',
    answer: list(BackupTarget, 'id'),
    pages: { most: TARGETS_MOST, each: TARGETS_MOST },
    keep: 'memory',
  }),
  addTarget: write({
    id: 'backups.add-target',
    summary: 'Add a place for copies of backups; answers their password',
    rate: { burst: 20, perSecond: 0.1 },
    method: 'POST',
    path: '/backups/targets',
    origin: 'extension',
    body: z.object({
      name: TargetName,
      place: TargetPlace,
      secret: Secret.optional(),
      /** Of the backups that are there already, for example from another computer. */
      password: z.string().min(1).max(1000).optional(),
    }),
    answer: needed(z.object({ target: BackupTarget, password: always.filled })),
    patience: 120_000,
    stale: ['backups.targets', 'backups.settings'],
  }),
  changeTarget: write({
    id: 'backups.change-target',
    summary: 'Name a place for copies, or give it a new key',
    method: 'PATCH',
    path: '/backups/targets/:targetId',
    origin: 'extension',
    body: z.object({
      name: TargetName.optional(),
      secret: Secret.optional(),
      /** Of SFTP: the host's key has changed, rightly. */
      trustNewHostKey: z.literal(true).optional(),
    }),
    answer: json(BackupTarget),
    stale: ['backups.targets', 'backups.settings'],
  }),
  /** What is kept there stays there. */
  removeTarget: write({
    id: 'backups.remove-target',
    summary: 'Forget a place for copies',
    method: 'DELETE',
    path: '/backups/targets/:targetId',
    origin: 'extension',
    stale: ['backups.targets', 'backups.settings', 'backups.list'],
    bridge: 'pass',
  }),
  checkTarget: write({
    id: 'backups.check-target',
    summary: 'Reach a place for copies, and make it ready',
    rate: { burst: 20, perSecond: 0.1 },
    method: 'POST',
    path: '/backups/targets/:targetId/check',
    origin: 'extension',
    answer: json(BackupTarget),
    patience: 120_000,
    stale: ['backups.targets'],
    bridge: 'pass',
  }),
  targetBackups: read({
    id: 'backups.at-target',
    summary: 'List the backups at a place for copies, newest first',
    lane: 'reading',
    path: '/backups/targets/:targetId/backups',
    origin: 'extension',
    answer: list(TargetBackup, 'id'),
    pages: { most: BACKUPS_MOST, each: BACKUPS_MOST },
    patience: 120_000,
    keep: 'memory',
  }),
  bringBackFrom: write({
    id: 'backups.bring-back-from',
    summary: 'Make a new server from a backup at a place for copies',
    rate: { burst: 20, perSecond: 0.1 },
    method: 'POST',
    path: '/backups/targets/:targetId/backups',
    origin: 'extension',
    body: z.object({
      backup: z.string().min(1).max(200),
      name: ServerName.optional(),
    }),
    answer: json(z.object({ serverId: maybe.text })),
    /** The server is there once everything has been read. */
    patience: 3_600_000,
    stale: ['servers.list'],
    bridge: 'pass',
  }),
}
