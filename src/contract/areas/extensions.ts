import { z } from 'zod'
import { alsoNamed, ID_NAMES, idOf } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { ExtensionChanges } from './values/extension-changes.ts'
import { FilePath } from './values/file-values.ts'
import { ExtensionProblem } from './values/extension-problem.ts'
import { all, json, list, openEnum, paged, Time, always, maybe } from '../declarations/operation.ts'
import { EXTENSION_CATEGORIES, PLAN_CHOICES_MOST } from '../rules/extensions.ts'
import { VersionChannel } from './software.ts'

const { read, write } = area('extensions')

export const EXTENSIONS_MOST = 2000
export const INSTALL_MOST = 500
export const ADOPT_MOST = 100

export const ExtensionKind = openEnum(['plugin', 'mod'])

export const ExtensionCatalog = openEnum(['modrinth', 'hangar'])

/** Created by the service, opaque to clients. */
const ProjectId = idOf('project', z.string().min(1).max(200))
const VersionId = idOf('version', z.string().min(1).max(200))
const ExtensionId = idOf('extension', z.string().min(1).max(200))

const ExtensionUpdate = z.object({ versionId: VersionId.nullish(), version: maybe.text })

export const Extension = alsoNamed(
  z.object({
    /** Survives updates, renames, enabling and disabling. */
    id: ExtensionId,
    name: always.text,
    version: maybe.text,
    file: maybe.text,
    enabled: maybe.flag,
    kind: ExtensionKind.nullish(),
    description: maybe.text,
    authors: z.array(z.string()).nullish(),
    /** Bytes. */
    size: maybe.number,
    /** Excluded from updating all. */
    pinned: maybe.flag,
    /** Present if the catalog knows its hash. */
    project: z.object({ id: ProjectId, catalog: ExtensionCatalog.nullish(), url: maybe.text }).nullish(),
    update: ExtensionUpdate.nullish(),
    problems: z.array(ExtensionProblem).nullish(),
    /** Changed while the server runs; applies at the next start. */
    waits: maybe.flag,
  }),
  { id: [...ID_NAMES, 'slug'], name: ['title', 'displayName', 'label'], file: ['fileName', 'path'] },
)
export type Extension = z.output<typeof Extension>

export const FoundExtension = alsoNamed(
  z.object({
    id: ProjectId,
    name: always.text,
    summary: maybe.text,
    author: maybe.text,
    catalog: ExtensionCatalog.nullish(),
    downloads: maybe.number,
    updatedAt: Time.nullish(),
    createdAt: Time.nullish(),
    url: maybe.text,
    hasIcon: maybe.flag,
    categories: z.array(z.string()).nullish(),
  }),
  { id: [...ID_NAMES, 'project_id', 'slug'], name: ['title', 'displayName', 'label'] },
)
export type FoundExtension = z.output<typeof FoundExtension>

export const ExtensionVersion = z.object({
  id: VersionId,
  name: always.text,
  channel: VersionChannel.nullish(),
  releasedAt: Time.nullish(),
  changes: maybe.text,
})

export const ExtensionDetails = z.object({
  id: ProjectId,
  name: always.text,
  description: maybe.text,
  url: maybe.text,
  license: maybe.text,
  /** Newest first, at most 50. */
  versions: z.array(ExtensionVersion).nullish(),
})

/** `relevance` without search words equals `downloads`. `newest`: by first publication. */
export const SearchOrder = z.enum(['relevance', 'downloads', 'updated', 'newest'])
export type SearchOrder = z.output<typeof SearchOrder>

const ExtensionRequest = z.object({ project: ProjectId, versionId: VersionId.optional() })

export const PlannedChange = z.object({
  action: openEnum(['add', 'update', 'keep', 'cannot']),
  project: ProjectId.nullish(),
  versionId: VersionId.nullish(),
  extensionId: ExtensionId.nullish(),
  name: always.text,
  from: maybe.text,
  to: maybe.text,
  /** Download size in bytes. */
  size: maybe.number,
  /** Names of dependents; absent if requested directly. */
  neededBy: z.array(z.string()).nullish(),
  /** `manual`: get it at `url`. `held-back`: `to` would have the `problems`. `not-chosen`: excluded. */
  reason: openEnum([
    'pinned',
    'up-to-date',
    'none-fits',
    'manual',
    'unknown',
    'disabled',
    'held-back',
    'not-chosen',
  ]).nullish(),
  url: maybe.text,
  problems: z.array(ExtensionProblem).nullish(),
})
export type PlannedChange = z.output<typeof PlannedChange>

export const extensions = {
  list: read({
    id: 'extensions.list',
    summary: 'List installed plugins and mods',
    lane: 'reading',
    path: '/servers/extensions/:serverId',
    origin: 'assumed',
    scope: 'extensions.read',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(EXTENSIONS_MOST).optional(),
      cursor: z.string().max(200).optional(),
    }),
    answer: list(Extension, 'id'),
    pages: all(EXTENSIONS_MOST),
    keep: 'disk',
  }),
  search: read({
    id: 'extensions.search',
    summary: 'Search the catalogs for a software and version',
    // Catalogs of others, which limit how often they are asked.
    rate: { burst: 60, perSecond: 2 },
    path: '/extensions/search',
    origin: 'assumed',
    query: z.object({
      query: z.string().max(200),
      software: z.string().max(60),
      version: z.string().max(60),
      category: z.enum(EXTENSION_CATEGORIES).optional(),
      sort: SearchOrder.optional(),
      limit: z.coerce.number().int().min(1).max(50).optional(),
      cursor: z.string().max(200).optional(),
    }),
    answer: paged(FoundExtension, 'id'),
    keep: 'never',
  }),
  details: read({
    id: 'extensions.details',
    summary: 'Get the description and versions of an extension',
    rate: { burst: 60, perSecond: 2 },
    path: '/extensions/details',
    origin: 'extension',
    query: z.object({ project: ProjectId, software: z.string().max(60), version: z.string().max(60) }),
    answer: json(ExtensionDetails),
    keep: 'never',
  }),
  icon: read({
    id: 'extensions.icon',
    summary: 'Get the icon of an extension as a data URL',
    rate: { burst: 300, perSecond: 20 },
    path: '/extensions/icon',
    origin: 'extension',
    query: z.object({ project: ProjectId }),
    /** `data:image/…;base64,…`, at most 128 KiB. */
    answer: json(z.object({ picture: z.string().max(200_000) })),
    keep: 'memory',
  }),
  updates: read({
    id: 'extensions.updates',
    summary: 'Check the catalogs for updates of installed extensions',
    rate: { burst: 30, perSecond: 0.5 },
    lane: 'reading',
    path: '/servers/extensions/updates/:serverId',
    origin: 'extension',
    scope: 'extensions.read',
    answer: json(
      z.object({
        checkedAt: Time.nullish(),
        items: z.array(z.object({ id: ExtensionId, update: ExtensionUpdate })).nullish(),
        unreached: z.array(z.string()).nullish(),
      }),
    ),
    keep: 'memory',
  }),
  plan: read({
    id: 'extensions.plan',
    summary: 'Preview an installation or update, with dependencies',
    rate: { burst: 60, perSecond: 1 },
    lane: 'reading',
    path: '/servers/extensions/plan/:serverId',
    origin: 'extension',
    scope: 'extensions.read',
    query: z.object({
      /** Either one extension to install… */
      project: ProjectId.optional(),
      versionId: VersionId.optional(),
      /** …or update all installed ones to the newest that fits. */
      update: z.enum(['all']).optional(),
      /** With `update`: comma-separated ids of installed ones to leave alone… */
      except: z.string().max(PLAN_CHOICES_MOST).optional(),
      /** …and versions to use instead of the newest. */
      versions: z.string().max(PLAN_CHOICES_MOST).optional(),
    }),
    answer: json(
      z.object({
        changes: z.array(PlannedChange),
        /** Bytes. */
        total: maybe.number,
        unreached: z.array(z.string()).nullish(),
      }),
    ),
    keep: 'never',
  }),
  changes: read({
    id: 'extensions.changes',
    summary: 'Get the change in progress and the last one',
    path: '/servers/extensions/changes/:serverId',
    origin: 'extension',
    scope: 'extensions.read',
    answer: json(ExtensionChanges),
    keep: 'memory',
  }),
  install: write({
    id: 'extensions.install',
    summary: 'Install or update extensions: all or none',
    rate: { burst: 60, perSecond: 1 },
    method: 'POST',
    path: '/servers/extensions/:serverId',
    origin: 'assumed',
    scope: 'extensions.write',
    body: z.object({ items: z.array(ExtensionRequest).min(1).max(INSTALL_MOST) }),
    /** Continues after the answer; see `extensions.changes` for progress. */
    status: 202,
    logged: { is: 'extension', by: 'handler' },
    answer: json(z.object({ accepted: maybe.flag })),
    stale: ['extensions.list', 'extensions.changes', 'extensions.updates'],
    bridge: 'pass',
  }),
  adopt: write({
    id: 'extensions.adopt',
    summary: 'Add uploaded jars in place of installed versions: all or none',
    rate: { burst: 60, perSecond: 1 },
    lane: 'changing',
    method: 'POST',
    path: '/servers/extensions/adopt/:serverId',
    origin: 'extension',
    scope: 'extensions.write',
    body: z.object({
      importId: idOf('import', z.string().min(1).max(200)),
      names: z
        .array(
          z
            .string()
            .max(255)
            .regex(/^[^/\\]+\.jar$/i),
        )
        .min(1)
        .max(ADOPT_MOST),
    }),
    logged: { is: 'extension', by: 'handler' },
    /** What was added, with its problems. Refused uploads are kept. */
    answer: json(z.object({ items: z.array(Extension) })),
    stale: ['extensions.list', 'extensions.changes', 'extensions.updates', 'files.list'],
    bridge: 'pass',
    patience: 120_000,
  }),
  cancel: write({
    id: 'extensions.cancel',
    summary: 'Cancel the installation in progress',
    method: 'DELETE',
    path: '/servers/extensions/changes/:serverId',
    origin: 'extension',
    scope: 'extensions.write',
    stale: ['extensions.list', 'extensions.changes'],
    bridge: 'pass',
  }),
  undo: write({
    id: 'extensions.undo',
    summary: 'Undo the last change; after a crash at startup, all since the last good start',
    rate: { burst: 60, perSecond: 1 },
    lane: 'changing',
    method: 'POST',
    path: '/servers/extensions/undo/:serverId',
    origin: 'extension',
    scope: 'extensions.write',
    /** `path`, a jar: undoes only what the last change did with its extension. `newest`: only the last change. */
    query: z.object({ path: FilePath.optional(), newest: z.literal('true').optional() }),
    answer: json(ExtensionChanges),
    stale: ['extensions.list', 'extensions.changes', 'extensions.updates'],
    bridge: 'pass',
  }),
  change: write({
    id: 'extensions.change',
    summary: 'Enable, disable or pin an extension',
    rate: { burst: 200, perSecond: 5 },
    lane: 'changing',
    method: 'PATCH',
    path: '/servers/extensions/:serverId/:extensionId',
    origin: 'assumed',
    scope: 'extensions.write',
    body: z.object({ enabled: z.boolean().optional(), pinned: z.boolean().optional() }),
    logged: { is: 'extension', by: 'handler' },
    answer: json(Extension),
    stale: ['extensions.list', 'extensions.changes'],
    bridge: 'pass',
  }),
  remove: write({
    id: 'extensions.remove',
    summary: 'Remove an extension and keep its configuration',
    rate: { burst: 200, perSecond: 5 },
    lane: 'changing',
    method: 'DELETE',
    path: '/servers/extensions/:serverId/:extensionId',
    origin: 'assumed',
    scope: 'extensions.write',
    logged: { is: 'extension', by: 'handler' },
    stale: ['extensions.list', 'extensions.changes', 'files.list'],
    bridge: 'pass',
  }),
}
