import { z } from 'zod'
import { alsoNamed, ID_NAMES, idOf } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { ExtensionChanges } from './values/extension-changes.ts'
import { ExtensionProblem } from './values/extension-problem.ts'
import { always, maybe } from '../declarations/fields.ts'
import { all, json, list, openEnum, paged, Time } from '../declarations/operation.ts'
import { PLAN_CHOICES_MOST } from '../rules/plan-choices.ts'
import { VersionChannel } from './software.ts'

const { read, write } = area('extensions')

/** Extensions of one server that are read at most. */
export const EXTENSIONS_MOST = 2000
/** Extensions that one request installs or updates at most. */
export const INSTALL_MOST = 500
/** Jars that are added at once at most. */
export const ADOPT_MOST = 100

/** What an extension is to the server: a plugin, a mod, or unknown to us. */
export const ExtensionKind = openEnum(['plugin', 'mod'])

/** Where an extension, or an update of it, can be had. */
export const ExtensionCatalog = openEnum(['modrinth', 'hangar'])

/** Names an extension in its catalog; made by the service, opaque to whoever reads it. */
const ProjectId = idOf('project', z.string().min(1).max(200))
const VersionId = idOf('version', z.string().min(1).max(200))
const ExtensionId = idOf('extension', z.string().min(1).max(200))

/** A newer version of an extension that fits this server. */
const ExtensionUpdate = z.object({ versionId: VersionId.nullish(), version: maybe.text })

/** A plugin or a mod in a server's folder, read from its jar. */
export const Extension = alsoNamed(
  z.object({
    /** Stays the same while it is updated, renamed, enabled and disabled. */
    id: ExtensionId,
    name: always.text,
    version: maybe.text,
    /** Path of the jar in the server's folder. */
    file: maybe.text,
    enabled: maybe.flag,
    kind: ExtensionKind.nullish(),
    description: maybe.text,
    authors: z.array(z.string()).nullish(),
    /** Bytes. */
    size: maybe.number,
    /** Kept at its version when all are updated. */
    pinned: maybe.flag,
    /** Where it is known by its hash. */
    project: z.object({ id: ProjectId, catalog: ExtensionCatalog.nullish(), url: maybe.text }).nullish(),
    update: ExtensionUpdate.nullish(),
    problems: z.array(ExtensionProblem).nullish(),
    /** Changed while the server ran: that is so from its next start. */
    waits: maybe.flag,
  }),
  ['extension', 'plugin', 'mod'],
  { id: [...ID_NAMES, 'slug'], name: ['title', 'displayName', 'label'], file: ['fileName', 'path'] },
)
export type Extension = z.output<typeof Extension>

/** An extension in a catalog. */
export const FoundExtension = alsoNamed(
  z.object({
    id: ProjectId,
    name: always.text,
    summary: maybe.text,
    author: maybe.text,
    catalog: ExtensionCatalog.nullish(),
    downloads: maybe.number,
    updatedAt: Time.nullish(),
    /** When it was first published. */
    createdAt: Time.nullish(),
    /** Its page in the catalog. */
    url: maybe.text,
    /** Whether `extensions.icon` has a picture of it. */
    hasIcon: maybe.flag,
    categories: z.array(z.string()).nullish(),
  }),
  ['extension', 'project', 'plugin', 'mod'],
  { id: [...ID_NAMES, 'project_id', 'slug'], name: ['title', 'displayName', 'label'] },
)
export type FoundExtension = z.output<typeof FoundExtension>

/** A version of an extension in its catalog, for the software and version that was asked for. */
export const ExtensionVersion = z.object({
  id: VersionId,
  name: always.text,
  channel: VersionChannel.nullish(),
  releasedAt: Time.nullish(),
  /** Its own words on what is new; Markdown. */
  changes: maybe.text,
})

/** What a catalog tells of one extension. */
export const ExtensionDetails = z.object({
  id: ProjectId,
  name: always.text,
  /** Markdown, written by whoever made it. */
  description: maybe.text,
  url: maybe.text,
  license: maybe.text,
  /** Newest first, at most 50. */
  versions: z.array(ExtensionVersion).nullish(),
})

/**
 * In which order a search answers. `relevance`: what fits the words best; where there are none, that is `downloads`.
 * `newest`: by when it was first published.
 */
export const FoundOrder = z.enum(['relevance', 'downloads', 'updated', 'newest'])
export type FoundOrder = z.output<typeof FoundOrder>

/** What to install, or to which version to bring what is installed. Without `versionId` the newest that fits. */
const Wanted = z.object({ project: ProjectId, versionId: VersionId.optional() })

/** A step of a plan: what would be done with one extension. */
export const PlannedChange = z.object({
  action: openEnum(['add', 'update', 'keep', 'cannot']),
  project: ProjectId.nullish(),
  versionId: VersionId.nullish(),
  /** The installed extension it concerns. */
  extensionId: ExtensionId.nullish(),
  name: always.text,
  from: maybe.text,
  to: maybe.text,
  /** Bytes to download. */
  size: maybe.number,
  /** Names of those that need it; without, it was asked for. */
  neededBy: z.array(z.string()).nullish(),
  /**
   * Why it is kept as it is, or cannot be had. `manual`: only by hand, at `url`. `held-back`: as `to` it would have the
   * `problems`. `not-chosen`: it was excepted; `to` is what it could be.
   */
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
    path: '/extensions/search',
    origin: 'assumed',
    query: z.object({
      query: z.string().max(200),
      software: z.string().max(60),
      version: z.string().max(60),
      /** `relevance` unless given. */
      sort: FoundOrder.optional(),
      limit: z.coerce.number().int().min(1).max(50).optional(),
      cursor: z.string().max(200).optional(),
    }),
    answer: paged(FoundExtension, 'id'),
    keep: 'never',
  }),
  details: read({
    id: 'extensions.details',
    summary: 'Get the description and versions of an extension',
    path: '/extensions/details',
    origin: 'extension',
    query: z.object({ project: ProjectId, software: z.string().max(60), version: z.string().max(60) }),
    answer: json(ExtensionDetails),
    keep: 'never',
  }),
  icon: read({
    id: 'extensions.icon',
    summary: 'Get the icon of an extension as a data URL',
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
    path: '/servers/extensions/updates/:serverId',
    origin: 'extension',
    scope: 'extensions.read',
    answer: json(
      z.object({
        checkedAt: Time.nullish(),
        items: z.array(z.object({ id: ExtensionId, update: ExtensionUpdate })).nullish(),
        /** Catalogs that did not answer. */
        unreached: z.array(z.string()).nullish(),
      }),
    ),
    keep: 'memory',
  }),
  plan: read({
    id: 'extensions.plan',
    summary: 'Preview an installation or update, with dependencies',
    path: '/servers/extensions/plan/:serverId',
    origin: 'extension',
    scope: 'extensions.read',
    query: z.object({
      /** One extension to install… */
      project: ProjectId.optional(),
      versionId: VersionId.optional(),
      /** …or all that are installed, to the newest that fits. */
      update: z.enum(['all']).optional(),
      /** With `update`: ids of installed ones that stay as they are, with commas between them… */
      except: z.string().max(PLAN_CHOICES_MOST).optional(),
      /** …and versions that are wanted instead of the newest. */
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
    method: 'POST',
    path: '/servers/extensions/:serverId',
    origin: 'assumed',
    scope: 'extensions.write',
    body: z.object({ items: z.array(Wanted).min(1).max(INSTALL_MOST) }),
    /** It goes on after the answer; `extensions.changes` tells how far it is. */
    status: 202,
    logged: { is: 'extension', by: 'handler' },
    answer: json(z.object({ accepted: maybe.flag })),
    stale: ['extensions.list', 'extensions.changes', 'extensions.updates'],
    bridge: 'pass',
  }),
  adopt: write({
    id: 'extensions.adopt',
    summary: 'Add uploaded jars in place of installed versions: all or none',
    method: 'POST',
    path: '/servers/extensions/adopt/:serverId',
    origin: 'extension',
    scope: 'extensions.write',
    body: z.object({
      importId: idOf('import', z.string().min(1).max(200)),
      /** Names of the jars among what was sent. */
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
    /** What was added, with its problems. Where it is refused, what was sent is still there. */
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
    method: 'POST',
    path: '/servers/extensions/undo/:serverId',
    origin: 'extension',
    scope: 'extensions.write',
    answer: json(ExtensionChanges),
    stale: ['extensions.list', 'extensions.changes', 'extensions.updates'],
    bridge: 'pass',
  }),
  change: write({
    id: 'extensions.change',
    summary: 'Enable, disable or pin an extension',
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
    method: 'DELETE',
    path: '/servers/extensions/:serverId/:extensionId',
    origin: 'assumed',
    scope: 'extensions.write',
    logged: { is: 'extension', by: 'handler' },
    stale: ['extensions.list', 'extensions.changes', 'files.list'],
    bridge: 'pass',
  }),
}
