import { z } from 'zod'
import { WhyFailed } from '../declarations/errors.ts'
import { area } from '../declarations/declare.ts'
import { idOf } from '../declarations/also-named.ts'
import { always, maybe } from '../declarations/fields.ts'
import { NameEncoding, NamesRead, Omission } from './values/file-values.ts'
import { json, openEnum } from '../declarations/operation.ts'
import { ChangeOpenTo, GamePort } from './open-to.ts'
import { MemoryMb, ServerName } from './server-config.ts'
import { Server } from './servers.ts'

const { read, write } = area('servers')

/** A world that was found, and the version of Minecraft that saved it. */
const FoundWorld = z.object({ name: always.text, version: maybe.text })

/** `java`: the oldest major version of Java that runs it. */
const FoundJar = z.object({ name: always.text, java: maybe.whole, version: maybe.text })

/**
 * The world that the settings name. `there`: it came along. `missing`: it did not, so the first start makes a new world. `other-form`:
 * `folder` has this name but for the form of Unicode or for case. `outside`: the name leads out of the server's folder. In both cases
 * the settings are changed to `folder` when the server is made.
 */
const FoundLevel = z.object({
  name: always.text,
  state: openEnum(['there', 'missing', 'other-form', 'outside']),
  folder: maybe.text,
})

/** What was recognized in the files of a server. What is not given was not found. */
export const FoundServer = z.object({
  /** The folder in which the server lies, within what was sent; empty where that is the server itself. */
  folder: maybe.text,
  /** What ran it: its name, and the ID under which this service offers it. */
  software: z.object({ id: maybe.text, name: always.text, version: maybe.text }).nullish(),
  /** The jar that can be run as it is, and all of those that can, with that one first. */
  jar: FoundJar.nullish(),
  jars: z.array(FoundJar).max(20).nullish(),
  /** Why the jar that is there cannot be run, as a sentence. */
  jarProblem: maybe.text,
  worlds: z.array(FoundWorld).max(50).nullish(),
  /** Not given where there are no settings. */
  level: FoundLevel.nullish(),
  plugins: maybe.count,
  mods: maybe.count,
  /** What its settings say. */
  port: maybe.whole,
  motd: maybe.text,
  /** Whether it asks Minecraft who somebody is that joins. */
  checksAccounts: maybe.flag,
  /** How many players its lists name: operators, those on the whitelist, and bans of players and addresses. The lists come along. */
  operators: maybe.count,
  whitelisted: maybe.count,
  banned: maybe.count,
  /** Whether only those on the whitelist can join. */
  whitelistOn: maybe.flag,
  /** Its remote console (RCON) is on. It is turned off when the server is made; its password stays in its settings. */
  remoteConsole: maybe.flag,
  /** The port it can have here: its own where that is free. */
  freePort: maybe.whole,
  /** What its start script gives it, in MiB: a proposal. */
  memoryMb: maybe.whole,
  files: maybe.count,
  bytes: maybe.amount,
  /** How many entries of the archive were left out. */
  leftOut: maybe.count,
  /** The first of them. */
  omissions: z.array(Omission).nullish(),
  /** Given where names in the archive are not Unicode. It can be extracted again with another encoding. */
  names: NamesRead.nullish(),
})
export type FoundServer = z.output<typeof FoundServer>

/**
 * A server that is being moved in. Its files are sent to its ID as to that of a server: `files.upload` and what goes with
 * it take it.
 */
export const Import = z.object({
  id: idOf('import', z.string().min(1)),
  /** `waiting`: for files. `extracting` and `looking` go on; after `ready` a server can be made of it. */
  state: openEnum(['waiting', 'extracting', 'looking', 'ready', 'failed']).nullish(),
  /** Bytes that were extracted, and how many there will be where that is known. */
  doneBytes: maybe.amount,
  totalBytes: maybe.amount,
  /** Why it failed. What was sent is still there. */
  error: WhyFailed.nullish(),
  found: FoundServer.nullish(),
})
export type Import = z.output<typeof Import>

/** Servers that people bring. */
export const imports = {
  begin: write({
    id: 'servers.begin-import',
    summary: 'Begin moving in a server; files are uploaded to the returned ID',
    method: 'POST',
    path: '/imports',
    origin: 'extension',
    /** `modpack`, `extension`: it is to be installed, also by a service that does not take servers in. */
    query: z.object({
      for: z.enum(['server', 'modpack', 'extension']).optional(),
      /** A server is created from the modpack: who may have no other one is told so before it is sent. */
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
    method: 'POST',
    path: '/imports/look/:importId',
    origin: 'extension',
    /** The archive among what was sent; without it, a folder or a jar was sent. */
    body: z.object({
      archive: z.string().min(1).max(1000).optional(),
      /** The encoding of names in it that do not say theirs. Without it, it is guessed. */
      names: NameEncoding.optional(),
    }),
    status: 202,
    answer: json(Import),
    bridge: 'pass',
  }),
  create: write({
    id: 'servers.create-from-import',
    summary: 'Create a server from an import, which ends it',
    method: 'POST',
    path: '/imports/create/:importId',
    origin: 'extension',
    body: z.object({
      name: ServerName,
      /** `custom`, without a version: a jar that came along, `jar` or else the first of those that were found. */
      software: z.object({
        id: z.string().min(1).max(60),
        version: z.string().min(1).max(60).optional(),
        jar: z.string().min(1).max(255).optional(),
      }),
      memoryMb: MemoryMb,
      /** Without it, the next that is free. */
      port: GamePort.optional(),
      /** Without it, as the service is reached itself. */
      openTo: ChangeOpenTo.optional(),
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
