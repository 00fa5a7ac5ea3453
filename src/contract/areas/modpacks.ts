import { z } from 'zod'
import { alsoNamed, ID_NAMES, idOf } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { FoundOrder } from './extensions.ts'
import { always, maybe } from '../declarations/fields.ts'
import { FilePath } from './values/file-values.ts'
import { json, list, openEnum, paged, Time } from '../declarations/operation.ts'
import { CreateServer, Server } from './servers.ts'
import { PlanItem, VersionChannel } from './software.ts'

const { read, write } = area('modpacks')

/** Names of files that a plan or a result tells at most, of each kind. */
export const PACK_NAMES_MOST = 500
/** Files of a pack that the list for the players names at most. */
export const PACK_FILES_MOST = 5000
/** A pack of some hundred megabytes is fetched and looked at for so long, in ms. */
const LOOK_MS = 5 * 60_000

/** A pack and a version of it in its catalog; made by the service, opaque to whoever reads it. */
const ProjectId = idOf('project', z.string().min(1).max(200))
const VersionId = idOf('version', z.string().min(1).max(200))
/** Path of a `.mrpack` in the server's folder, or among what was sent to an import (`servers.begin-import`). */
const PackPath = FilePath.min(1)
const ImportId = idOf('import', z.string().min(1).max(100))
/** Paths of files. */
const Paths = z.array(z.string().min(1).max(500)).max(PACK_NAMES_MOST)
/** What somebody chooses of a pack, as its plan names it. */
const CHOSEN = {
  /** Paths of files of the pack that are not wanted on this server; where it is not named: as before. */
  leaveOut: Paths.optional(),
  /** Of `clientFiles`: what is wanted all the same; where it is not named: as before. */
  take: Paths.optional(),
}

/** A modpack in its catalog. `extensions.icon` has its picture. */
export const FoundPack = alsoNamed(
  z.object({
    id: ProjectId,
    name: always.text,
    summary: maybe.text,
    author: maybe.text,
    downloads: maybe.number,
    updatedAt: Time.nullish(),
    /** When it was first published. */
    createdAt: Time.nullish(),
    /** Its page in the catalog. */
    url: maybe.text,
    hasIcon: maybe.flag,
    categories: z.array(z.string()).nullish(),
  }),
  ['modpack', 'pack', 'project'],
  { id: [...ID_NAMES, 'project_id', 'slug'], name: ['title', 'displayName', 'label'] },
)
export type FoundPack = z.output<typeof FoundPack>

/** A version of a modpack. */
export const PackVersion = alsoNamed(
  z.object({
    id: VersionId,
    name: always.text,
    channel: VersionChannel.nullish(),
    releasedAt: Time.nullish(),
    /** Versions of Minecraft, and ids of the kinds of software, that it is for. */
    minecraft: z.array(z.string()).nullish(),
    software: z.array(z.string()).nullish(),
    /** Bytes of the pack itself; its files come on top. */
    size: maybe.number,
  }),
  ['version'],
  { id: [...ID_NAMES, 'version'], name: ['title', 'version_number'] },
)
export type PackVersion = z.output<typeof PackVersion>

/** The software that a pack asks for. `build`: of its loader. */
const PackSoftware = z.object({
  id: always.text,
  name: maybe.text,
  version: maybe.text,
  build: maybe.text,
})

/** What a pack would install. Sizes in bytes. */
export const PackPlan = z.object({
  name: always.text,
  version: maybe.text,
  software: PackSoftware,
  /** What whoever runs the software has to accept first. */
  license: z.object({ name: always.text, url: always.text }).nullish(),
  /** Files that are downloaded, how large they are, and files that come within the pack. */
  files: maybe.count,
  downloadBytes: maybe.amount,
  overrides: maybe.count,
  /** Files that are for the players alone. */
  clientOnly: maybe.count,
  /** Files that the pack leaves to whoever runs the server. */
  optional: z
    .array(
      z.object({
        path: always.text,
        name: always.text,
        /** It is left out unless somebody chooses otherwise, as before. */
        leftOut: maybe.flag,
      }),
    )
    .nullish(),
  /**
   * Files that are for the players alone, and who says so: the pack, its catalog, or the mod itself, which is known once it was
   * downloaded. Those of a catalog are installed unless `leaveOut` names them, all others only where `take` does. `taken`: it was,
   * before.
   */
  clientFiles: z
    .array(
      z.object({
        path: always.text,
        name: always.text,
        reason: openEnum(['pack', 'catalog', 'mod']),
        taken: maybe.flag,
      }),
    )
    .nullish(),
  /**
   * What somebody has done by hand, and that stays: changed a file, installed another version of a mod (`updated`, in the place of
   * `theirs` of the pack), removed a mod, added one. `overwrite` takes the pack's instead, but of what was added.
   */
  yours: z
    .array(
      z.object({
        path: always.text,
        kind: openEnum(['changed', 'updated', 'removed', 'added']),
        theirs: maybe.text,
      }),
    )
    .nullish(),
  /** Files, and settings of the game, that the pack would bring and that are left out for safety, such as a list of operators. */
  refused: z.array(z.string()).nullish(),
  /** Settings of the game that the pack sets; never who may join, or how the server is reached and controlled. */
  settings: z.array(z.object({ key: always.text, value: always.text })).nullish(),
  /** Of a server that is there: paths that come, change, go, and that stay because somebody has changed them. */
  added: z.array(z.string()).nullish(),
  replaced: z.array(z.string()).nullish(),
  removed: z.array(z.string()).nullish(),
  kept: z.array(z.string()).nullish(),
  /** How many there are beside those that these lists name. */
  more: z
    .object({
      ...{ added: maybe.count, replaced: maybe.count, removed: maybe.count, kept: maybe.count },
      ...{ yours: maybe.count, optional: maybe.count, clientFiles: maybe.count, refused: maybe.count },
    })
    .nullish(),
  /** What people should know beside that, as of a change of software. */
  items: z.array(PlanItem).nullish(),
  /** Bytes of the copy that is made first, and what the disk has left. */
  copyBytes: maybe.amount,
  freeBytes: maybe.amount,
})
export type PackPlan = z.infer<typeof PackPlan>

/** The pack of a server. */
export const ServerPack = z.object({
  /** Null: it has none. */
  pack: z
    .object({
      name: always.text,
      version: maybe.text,
      /** Null where somebody brought the file. */
      project: ProjectId.nullish(),
      versionId: VersionId.nullish(),
      url: maybe.text,
      at: Time.nullish(),
      software: PackSoftware.nullish(),
      files: maybe.count,
      /** Paths that somebody had changed, and that were kept; and that were replaced or removed. */
      kept: z.array(z.string()).nullish(),
      replaced: z.array(z.string()).nullish(),
      removed: z.array(z.string()).nullish(),
      /** Whether `software.undo` brings back what there was before it. */
      undoable: maybe.flag,
    })
    .nullish(),
  /** A pack that the server was created from, and that is not installed yet. It is installed before the first start. */
  wanted: z
    .object({
      name: always.text,
      version: maybe.text,
      versionId: VersionId.nullish(),
    })
    .nullish(),
})
export type ServerPack = z.output<typeof ServerPack>

/** A file that players need or may have, as the list for them names it. */
const PlayersFile = z.object({
  name: always.text,
  version: maybe.text,
  file: maybe.text,
  /** Its page, else where it is downloaded. */
  url: maybe.text,
  optional: maybe.flag,
})

/** What people need in order to play on a server with a pack. */
export const PlayersList = z.object({
  name: always.text,
  version: maybe.text,
  url: maybe.text,
  minecraft: maybe.text,
  loader: maybe.text,
  items: z.array(PlayersFile).nullish(),
})
export type PlayersList = z.output<typeof PlayersList>

/**
 * A version of the catalog, or a file: in the server's folder, or in an import, which ends once a server has the pack. Without
 * any of them, of a server that is there: the pack that it waits for.
 */
const OF_PACK = {
  versionId: VersionId.optional(),
  path: PackPath.optional(),
  importId: ImportId.optional(),
}
const CHANGED = [
  'servers.list',
  'servers.read',
  'servers.status',
  'software.read',
  'software.plan',
  'modpacks.read',
  'modpacks.updates',
  'extensions.list',
  'files.list',
] as const

export const modpacks = {
  search: read({
    id: 'modpacks.search',
    summary: 'Search for modpacks',
    path: '/modpacks/search',
    origin: 'extension',
    query: z.object({
      query: z.string().max(200),
      /** A version of Minecraft, and an id of a kind of software: only packs that have a version for these. */
      minecraft: z.string().min(1).max(60).optional(),
      software: z.string().min(1).max(60).optional(),
      /** `relevance` unless given. */
      sort: FoundOrder.optional(),
      limit: z.coerce.number().int().min(1).max(50).optional(),
      cursor: z.string().max(200).optional(),
    }),
    answer: paged(FoundPack, 'id'),
    keep: 'never',
  }),
  versions: read({
    id: 'modpacks.versions',
    summary: 'List the versions of a modpack, newest first',
    path: '/modpacks/versions',
    origin: 'extension',
    query: z.object({ project: ProjectId }),
    answer: list(PackVersion, 'id'),
    keep: 'never',
  }),
  plan: read({
    id: 'modpacks.plan',
    summary: 'Preview a new server with a modpack',
    path: '/modpacks/plan',
    origin: 'extension',
    query: z.object(OF_PACK),
    answer: json(PackPlan),
    keep: 'never',
    patience: LOOK_MS,
  }),
  create: write({
    id: 'modpacks.create',
    summary: 'Create a server from a modpack',
    method: 'POST',
    path: '/modpacks',
    origin: 'extension',
    body: CreateServer.omit({ software: true }).extend({
      ...OF_PACK,
      ...CHOSEN,
    }),
    status: 201,
    answer: json(Server),
    stale: ['servers.list'],
    logged: { is: 'server', by: 'body', field: 'name' },
    bridge: 'pass',
    patience: LOOK_MS,
  }),
  read: read({
    id: 'modpacks.read',
    summary: "Get the server's modpack",
    path: '/servers/modpacks/:serverId',
    origin: 'extension',
    scope: 'extensions.read',
    answer: json(ServerPack),
    keep: 'disk',
  }),
  updates: read({
    id: 'modpacks.updates',
    summary: 'Check the catalog for a newer version',
    path: '/servers/modpacks/updates/:serverId',
    origin: 'extension',
    scope: 'extensions.read',
    answer: json(z.object({ checkedAt: Time.nullish(), update: PackVersion.nullish() })),
    keep: 'memory',
  }),
  foresee: read({
    id: 'modpacks.foresee',
    summary: 'Preview an installation or update on the server',
    path: '/servers/modpacks/plan/:serverId',
    origin: 'extension',
    scope: 'software.write',
    query: z.object(OF_PACK),
    answer: json(PackPlan),
    keep: 'never',
    patience: LOOK_MS,
  }),
  install: write({
    id: 'modpacks.install',
    summary: 'Copy the server as it is, then install or update a modpack: all or nothing',
    method: 'POST',
    path: '/servers/modpacks/:serverId',
    origin: 'extension',
    scope: 'software.write',
    body: z.object({
      ...OF_PACK,
      ...CHOSEN,
      /** Of `yours`: paths at which what the pack has is wanted. A copy of the server is made first. */
      overwrite: Paths.optional(),
      /** The license of the software was shown and accepted. */
      acceptLicense: z.boolean().optional(),
    }),
    /** It goes on after the answer; the status and the console tell how far it is. */
    status: 202,
    answer: json(z.object({ accepted: maybe.flag })),
    stale: CHANGED,
    bridge: 'pass',
    patience: LOOK_MS,
  }),
  players: read({
    id: 'modpacks.players',
    summary: 'List what players need to join',
    path: '/servers/modpacks/players/:serverId',
    origin: 'extension',
    scope: 'extensions.read',
    answer: json(PlayersList),
    keep: 'never',
  }),
}
