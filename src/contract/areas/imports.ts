import { z } from 'zod'
import { FailureReason } from '../declarations/errors.ts'
import { area } from '../declarations/declare.ts'
import { idOf } from '../declarations/also-named.ts'
import { NameEncoding, DetectedEncoding, Omission } from './values/file-values.ts'
import { json, openEnum, always, maybe } from '../declarations/operation.ts'
import { OpenToChange, GamePort } from './open-to.ts'
import { MemoryMb, ServerName } from './server-config.ts'
import { Server } from './servers.ts'

const { read, write } = area('servers')

const FoundWorld = z.object({ name: always.text, version: maybe.text })

const FoundJar = z.object({ name: always.text, java: maybe.whole, version: maybe.text })

/**
 * The world named in the settings. `there`: included. `missing`: not included, so the first start creates a new world.
 * `other-form`: `folder` differs in Unicode form or case. `outside`: the name leads out of the server's folder. In the
 * last two cases the settings are changed to `folder` on creation.
 */
const FoundLevel = z.object({
  name: always.text,
  state: openEnum(['there', 'missing', 'other-form', 'outside']),
  folder: maybe.text,
})

/** What was detected in a server's files; absent means not found. */
export const FoundServer = z.object({
  /** Path of the server's folder within the upload; empty for the upload itself. */
  folder: maybe.text,
  /** `id`: only if this service offers it. */
  software: z.object({ id: maybe.text, name: always.text, version: maybe.text }).nullish(),
  /** The runnable jar to use, and all of them, that one first. */
  jar: FoundJar.nullish(),
  jars: z.array(FoundJar).max(20).nullish(),
  jarProblem: maybe.text,
  worlds: z.array(FoundWorld).max(50).nullish(),
  level: FoundLevel.nullish(),
  plugins: maybe.count,
  mods: maybe.count,
  port: maybe.whole,
  motd: maybe.text,
  checksAccounts: maybe.flag,
  /** Sizes of the player lists, which are imported too. */
  operators: maybe.count,
  whitelisted: maybe.count,
  banned: maybe.count,
  whitelistOn: maybe.flag,
  /** RCON is on. It is turned off on creation; its password stays in the settings. */
  remoteConsole: maybe.flag,
  /** Its own port if free, else another one. */
  freePort: maybe.whole,
  /** Suggested MiB, from its start script. */
  memoryMb: maybe.whole,
  files: maybe.count,
  bytes: maybe.amount,
  leftOut: maybe.count,
  omissions: z.array(Omission).nullish(),
  /** Present if names in the archive aren't Unicode. It can be extracted again with another encoding. */
  names: DetectedEncoding.nullish(),
})
export type FoundServer = z.output<typeof FoundServer>

/** A server being imported. Its files are uploaded to its id with the operations for a server's files. */
export const Import = z.object({
  id: idOf('import', z.string().min(1)),
  /** `waiting`: for files. `extracting` and `looking` are in progress; after `ready` a server can be created. */
  state: openEnum(['waiting', 'extracting', 'looking', 'ready', 'failed']).nullish(),
  doneBytes: maybe.amount,
  totalBytes: maybe.amount,
  /** Why it failed. The uploaded files are kept. */
  error: FailureReason.nullish(),
  found: FoundServer.nullish(),
})
export type Import = z.output<typeof Import>

export const imports = {
  begin: write({
    id: 'servers.begin-import',
    summary: 'Begin moving in a server; files are uploaded to the returned ID',
    rate: { burst: 20, perSecond: 0.2 },
    method: 'POST',
    path: '/imports',
    origin: 'extension',
    /** `modpack` and `extension` are for installing; services that don't import servers accept them too. */
    query: z.object({
      for: z.enum(['server', 'modpack', 'extension']).optional(),
      /** A server will be created from the modpack: reports exceeded limits before the upload. */
      creates: z.enum(['server']).optional(),
    }),
    status: 201,
    answer: json(Import),
    bridge: 'pass',
  }),
  read: read({
    id: 'servers.read-import',
    summary: 'Get the state of an import and what was recognized',
    path: '/imports/:importId',
    origin: 'extension',
    answer: json(Import),
    keep: 'never',
  }),
  look: write({
    id: 'servers.look-at-import',
    summary: 'Extract the uploaded archive and recognize the server',
    rate: { burst: 30, perSecond: 0.5 },
    method: 'POST',
    path: '/imports/look/:importId',
    origin: 'extension',
    body: z.object({
      archive: z.string().min(1).max(1000).optional(),
      names: NameEncoding.optional(),
    }),
    status: 202,
    answer: json(Import),
    bridge: 'pass',
  }),
  create: write({
    id: 'servers.create-from-import',
    summary: 'Create a server from an import, which ends it',
    rate: { burst: 30, perSecond: 0.5 },
    method: 'POST',
    path: '/imports/create/:importId',
    origin: 'extension',
    body: z.object({
      name: ServerName,
      /** `custom` without a version: the uploaded `jar`, by default the first one found. */
      software: z.object({
        id: z.string().min(1).max(60),
        version: z.string().min(1).max(60).optional(),
        jar: z.string().min(1).max(255).optional(),
      }),
      memoryMb: MemoryMb,
      port: GamePort.optional(),
      /** Defaults to how the service itself is reachable. */
      openTo: OpenToChange.optional(),
      acceptLicense: z.boolean().optional(),
    }),
    status: 201,
    answer: json(Server),
    stale: ['servers.list'],
    bridge: 'pass',
    patience: 120_000,
  }),
  remove: write({
    id: 'servers.remove-import',
    summary: 'Cancel an import and delete its files',
    method: 'DELETE',
    path: '/imports/:importId',
    origin: 'extension',
    bridge: 'pass',
  }),
}
