import { z } from 'zod'
import { alsoNamed, ID_NAMES, idOf } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { SearchOrder } from './extensions.ts'
import { FilePath } from './values/file-values.ts'
import { json, list, openEnum, paged, Time, always, maybe } from '../declarations/operation.ts'
import { PACK_CATEGORIES } from '../rules/extensions.ts'
import { ServerCreation, Server } from './servers.ts'
import { PlanItem, VersionChannel } from './software.ts'

const { read, write } = area('modpacks')

export const PACK_NAMES_MOST = 500
export const PACK_FILES_MOST = 5000
const LOOK_MS = 5 * 60_000

/** Created by the service, opaque to clients. */
const ProjectId = idOf('project', z.string().min(1).max(200))
const VersionId = idOf('version', z.string().min(1).max(200))
/** Path of a `.mrpack` in the server's folder, or in an import (`servers.begin-import`). */
const PackPath = FilePath.min(1)
const ImportId = idOf('import', z.string().min(1).max(100))
const Paths = z.array(z.string().min(1).max(500)).max(PACK_NAMES_MOST)
const CHOSEN = {
  /** Files of the pack not wanted on this server; default: as before. */
  leaveOut: Paths.optional(),
  /** Of `clientFiles`: wanted anyway; default: as before. */
  take: Paths.optional(),
}

export const FoundPack = alsoNamed(
  z.object({
    id: ProjectId,
    name: always.text,
    summary: maybe.text,
    author: maybe.text,
    downloads: maybe.number,
    updatedAt: Time.nullish(),
    createdAt: Time.nullish(),
    url: maybe.text,
    hasIcon: maybe.flag,
    categories: z.array(z.string()).nullish(),
  }),
  { id: [...ID_NAMES, 'project_id', 'slug'], name: ['title', 'displayName', 'label'] },
)
export type FoundPack = z.output<typeof FoundPack>

export const PackVersion = alsoNamed(
  z.object({
    id: VersionId,
    name: always.text,
    channel: VersionChannel.nullish(),
    releasedAt: Time.nullish(),
    minecraft: z.array(z.string()).nullish(),
    software: z.array(z.string()).nullish(),
    /** Bytes of the pack itself, without the files it downloads. */
    size: maybe.number,
  }),
  { id: [...ID_NAMES, 'version'], name: ['title', 'version_number'] },
)
export type PackVersion = z.output<typeof PackVersion>

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
  license: z.object({ name: always.text, url: always.text }).nullish(),
  /** Files to download, their size, and files contained in the pack. */
  files: maybe.count,
  downloadBytes: maybe.amount,
  overrides: maybe.count,
  clientOnly: maybe.count,
  optional: z
    .array(
      z.object({
        path: always.text,
        name: always.text,
        /** Left out unless chosen otherwise, as before. */
        leftOut: maybe.flag,
      }),
    )
    .nullish(),
  /**
   * Client-only files and who declares them so: the pack, its catalog, or the mod itself (known after download). Those
   * declared by a catalog are installed unless `leaveOut` names them; all others only if `take` does. `taken`:
   * installed before.
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
  /** Manual changes, which are kept. `theirs`: the pack's version. `overwrite` reverts all but added ones. */
  yours: z
    .array(
      z.object({
        path: always.text,
        kind: openEnum(['changed', 'updated', 'removed', 'added']),
        theirs: maybe.text,
      }),
    )
    .nullish(),
  /** Files and settings of the pack left out for security, such as a list of operators. */
  refused: z.array(z.string()).nullish(),
  /** Settings the pack makes; never who may join, or how the server is reached and controlled. */
  settings: z.array(z.object({ key: always.text, value: always.text })).nullish(),
  /** For an existing server: paths added, replaced, removed, and kept because they were changed by hand. */
  added: z.array(z.string()).nullish(),
  replaced: z.array(z.string()).nullish(),
  removed: z.array(z.string()).nullish(),
  kept: z.array(z.string()).nullish(),
  /** Counts beyond what these lists name. */
  more: z
    .object({
      ...{ added: maybe.count, replaced: maybe.count, removed: maybe.count, kept: maybe.count },
      ...{ yours: maybe.count, optional: maybe.count, clientFiles: maybe.count, refused: maybe.count },
    })
    .nullish(),
  /** Warnings, as for a software change. */
  items: z.array(PlanItem).nullish(),
  /** Bytes of the copy made first, and free disk space. */
  copyBytes: maybe.amount,
  freeBytes: maybe.amount,
})
export type PackPlan = z.infer<typeof PackPlan>

export const ServerPack = z.object({
  pack: z
    .object({
      name: always.text,
      version: maybe.text,
      project: ProjectId.nullish(),
      versionId: VersionId.nullish(),
      url: maybe.text,
      at: Time.nullish(),
      software: PackSoftware.nullish(),
      files: maybe.count,
      /** Manually changed paths that were kept, and those replaced or removed. */
      kept: z.array(z.string()).nullish(),
      replaced: z.array(z.string()).nullish(),
      removed: z.array(z.string()).nullish(),
      undoable: maybe.flag,
    })
    .nullish(),
  /** The pack the server was created from, not installed yet; installed before the first start. */
  wanted: z
    .object({
      name: always.text,
      version: maybe.text,
      versionId: VersionId.nullish(),
    })
    .nullish(),
})
export type ServerPack = z.output<typeof ServerPack>

const PlayersFile = z.object({
  name: always.text,
  version: maybe.text,
  file: maybe.text,
  /** Its page, else its download. */
  url: maybe.text,
  optional: maybe.flag,
})

export const PlayersList = z.object({
  name: always.text,
  version: maybe.text,
  url: maybe.text,
  minecraft: maybe.text,
  loader: maybe.text,
  items: z.array(PlayersFile).nullish(),
})
export type PlayersList = z.output<typeof PlayersList>

/** A catalog version, or a file in the server's folder or an import. None: the pack waiting to be installed. */
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
    rate: { burst: 60, perSecond: 2 },
    path: '/modpacks/search',
    origin: 'extension',
    query: z.object({
      query: z.string().max(200),
      minecraft: z.string().min(1).max(60).optional(),
      software: z.string().min(1).max(60).optional(),
      category: z.enum(PACK_CATEGORIES).optional(),
      sort: SearchOrder.optional(),
      limit: z.coerce.number().int().min(1).max(50).optional(),
      cursor: z.string().max(200).optional(),
    }),
    answer: paged(FoundPack, 'id'),
    keep: 'never',
  }),
  versions: read({
    id: 'modpacks.versions',
    summary: 'List the versions of a modpack, newest first',
    rate: { burst: 60, perSecond: 2 },
    path: '/modpacks/versions',
    origin: 'extension',
    query: z.object({ project: ProjectId }),
    answer: list(PackVersion, 'id'),
    keep: 'never',
  }),
  plan: read({
    id: 'modpacks.plan',
    summary: 'Preview a new server with a modpack',
    rate: { burst: 30, perSecond: 0.5 },
    lane: 'reading',
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
    rate: { burst: 20, perSecond: 0.2 },
    method: 'POST',
    path: '/modpacks',
    origin: 'extension',
    body: ServerCreation.omit({ software: true }).extend({
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
    rate: { burst: 30, perSecond: 0.5 },
    path: '/servers/modpacks/updates/:serverId',
    origin: 'extension',
    scope: 'extensions.read',
    answer: json(z.object({ checkedAt: Time.nullish(), update: PackVersion.nullish() })),
    keep: 'memory',
  }),
  foresee: read({
    id: 'modpacks.foresee',
    summary: 'Preview an installation or update on the server',
    rate: { burst: 30, perSecond: 0.5 },
    lane: 'reading',
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
    rate: { burst: 20, perSecond: 0.2 },
    method: 'POST',
    path: '/servers/modpacks/:serverId',
    origin: 'extension',
    scope: 'software.write',
    body: z.object({
      ...OF_PACK,
      ...CHOSEN,
      /** Of `yours`: paths to reset to the pack's version. The server is copied first. */
      overwrite: Paths.optional(),
      acceptLicense: z.boolean().optional(),
    }),
    /** Continues after the answer; status and console show progress. */
    status: 202,
    answer: json(z.object({ accepted: maybe.flag })),
    stale: CHANGED,
    bridge: 'pass',
    patience: LOOK_MS,
  }),
  players: read({
    id: 'modpacks.players',
    summary: 'List what players need to join',
    rate: { burst: 30, perSecond: 0.5 },
    path: '/servers/modpacks/players/:serverId',
    origin: 'extension',
    scope: 'extensions.read',
    answer: json(PlayersList),
    keep: 'never',
  }),
}
