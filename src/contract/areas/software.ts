import { z } from 'zod'
import { alsoNamed, ID_NAMES, idOf } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { ExtensionProblem } from './values/extension-problem.ts'
import { all, json, list, openEnum, Paging, Time, always, maybe } from '../declarations/operation.ts'

const { read, write } = area('software')

export const Software = alsoNamed(
  z.object({
    id: idOf('software', z.string().min(1)),
    name: always.text,
    description: maybe.text,
    license: z.object({ name: always.text, url: always.text }).nullish(),
    /** Routes players to other servers; has no world. An extension. */
    proxy: maybe.flag,
  }),
  { id: ID_NAMES, name: ['title', 'displayName', 'label'] },
)
export type Software = z.infer<typeof Software>

export const VersionChannel = openEnum(['release', 'snapshot', 'experimental'])

export const SoftwareVersion = alsoNamed(
  z.object({
    id: always.filled,
    recommended: maybe.flag,
    /** Absent: a release. An extension. */
    channel: VersionChannel.nullish(),
    releasedAt: Time.nullish(),
    /** Everything a new server needs is on the service's computer, so no network is required. An extension. */
    isHere: maybe.flag,
  }),
  { id: [...ID_NAMES, 'version', 'name'] },
)
export type SoftwareVersion = z.infer<typeof SoftwareVersion>

export const Java = z.object({
  id: always.filled,
  major: z.number().int(),
  version: maybe.text,
  vendor: maybe.text,
  /** `found`: installed by someone else. `catalog`: downloaded at the next start of a server that uses it. */
  from: openEnum(['found', 'fetched', 'catalog']).nullish(),
})
export type Java = z.output<typeof Java>

/** Shared downloads that are currently unused and can be downloaded again. Sizes in bytes. */
export const FetchedFiles = z.object({
  downloadBytes: maybe.amount,
  javaBytes: maybe.amount,
  /** Major versions of unused Javas; none while any server is busy. */
  javas: z.array(z.number().int()).nullish(),
})
export type FetchedFiles = z.output<typeof FetchedFiles>

const SoftwareOfServer = z.object({
  id: always.text,
  name: maybe.text,
  version: maybe.text,
})

/** A copy of a server made before a change or reset, for undoing it. Sizes in bytes. */
export const SafetyCopy = z.object({
  at: Time.nullish(),
  reason: openEnum(['change', 'reset', 'undo']).nullish(),
  software: SoftwareOfServer.nullish(),
  bytes: maybe.amount,
})
export type SafetyCopy = z.infer<typeof SafetyCopy>

export const InstalledSoftware = z.object({
  id: always.text,
  name: maybe.text,
  version: maybe.text,
  build: maybe.text,
  /** The build was chosen: reinstalling uses it instead of the newest. */
  pinned: maybe.flag,
  /** Absent: the last change can't be undone. */
  copy: SafetyCopy.nullish(),
})
export type InstalledSoftware = z.infer<typeof InstalledSoftware>

export const UNFIT_NAMED_MOST = 20

export const UnfitExtension = z.object({
  name: always.text,
  version: maybe.text,
  problems: z.array(ExtensionProblem).nullish(),
})
export type UnfitExtension = z.infer<typeof UnfitExtension>

/** A warning before a software change. Panels ignore kinds they don't know. */
export const PlanItem = z.object({
  kind: openEnum([
    /** The world was saved by the newer version `from`; older ones can't read it. */
    'older-version',
    /** The world is converted; only the copy can undo that. */
    'newer-version',
    /** Jars for other software: `count`, some of them named in `extensions`. */
    'plugins-stop',
    'mods-stop',
    /** Made for it, but not for this version, or missing something there. */
    'plugins-unfit',
    'mods-unfit',
    /** Most plugins don't run on Folia; from services that can't tell which. */
    'few-plugins',
    'no-world',
    /** The Nether, the End and datapack dimensions use other folders and are moved. */
    'dimensions-move',
    /** A snapshot or an experimental build. */
    'unstable',
    'java',
    'same-version',
    /** The copy doesn't fit on the disk. */
    'no-room',
  ]),
  from: maybe.text,
  to: maybe.text,
  count: maybe.count,
  major: maybe.whole,
  extensions: z.array(UnfitExtension).nullish(),
})
export type PlanItem = z.infer<typeof PlanItem>

export const SoftwareBuild = z.object({
  id: always.filled,
  channel: VersionChannel.nullish(),
  releasedAt: Time.nullish(),
  /** Everything a new server needs is on the service's computer. */
  isHere: maybe.flag,
  /** Changes since the previous build, one line each; empty if unknown. */
  changes: z.array(z.string()).nullish(),
  /** Number of changes beyond those. */
  moreChanges: maybe.count,
})
export type SoftwareBuild = z.infer<typeof SoftwareBuild>

export const ChangePlan = z.object({
  items: z.array(PlanItem).nullish(),
  /** Bytes of the copy made first, and free disk space. */
  copyBytes: maybe.amount,
  freeBytes: maybe.amount,
  downloadBytes: maybe.amount,
  build: maybe.text,
  /** The change takes `newWorld`. */
  takesNewWorld: maybe.flag,
})
export type ChangePlan = z.infer<typeof ChangePlan>

const accepted = json(z.object({ accepted: maybe.flag }))
const CHANGED = ['servers.list', 'servers.read', 'servers.status', 'software.read', 'software.plan'] as const

export const software = {
  list: read({
    id: 'software.list',
    summary: 'List server software',
    path: '/software',
    origin: 'assumed',
    query: Paging,
    answer: list(Software, 'id'),
    pages: all(1000, 200),
    keep: 'disk',
  }),
  versions: read({
    id: 'software.versions',
    summary: 'List the versions of a software',
    path: '/software/:softwareId/versions',
    origin: 'assumed',
    query: Paging,
    answer: list(SoftwareVersion, 'id'),
    pages: all(2000, 200),
    keep: 'memory',
  }),
  javas: read({
    id: 'software.javas',
    summary: 'List the Java versions that are installed or can be downloaded',
    path: '/software/java',
    origin: 'extension',
    answer: list(Java, 'id'),
    keep: 'memory',
  }),
  read: read({
    id: 'software.read',
    summary: "Get the server's software, and the copy to go back to",
    path: '/servers/software/:serverId',
    origin: 'extension',
    scope: 'server.read',
    answer: json(InstalledSoftware),
    keep: 'disk',
  }),
  plan: read({
    id: 'software.plan',
    summary: "Preview a change of the server's software",
    lane: 'reading',
    path: '/servers/software/plan/:serverId',
    origin: 'extension',
    scope: 'software.write',
    query: z.object({
      id: z.string().min(1).max(60),
      version: z.string().min(1).max(200),
      build: z.string().min(1).max(80).optional(),
    }),
    answer: json(ChangePlan),
    keep: 'never',
  }),
  builds: read({
    id: 'software.builds',
    summary: 'List the builds of a version, newest first',
    lane: 'reading',
    path: '/software/:softwareId/builds',
    origin: 'extension',
    query: z.object({ version: z.string().min(1).max(200) }),
    answer: list(SoftwareBuild, 'id'),
    keep: 'never',
  }),
  change: write({
    id: 'software.change',
    summary: 'Copy the server as it is, then change its software',
    rate: { burst: 20, perSecond: 0.2 },
    method: 'PUT',
    path: '/servers/software/:serverId',
    origin: 'assumed',
    scope: 'software.write',
    body: z.object({
      id: z.string().min(1).max(60),
      version: z.string().min(1).max(200),
      /** Pins this build; default: the newest stable one. An extension. */
      build: z.string().min(1).max(80).optional(),
      acceptLicense: z.boolean().optional(),
      /** Puts the world's folders aside, so that the next start makes a new world. An extension. */
      newWorld: z.boolean().optional(),
    }),
    status: 202,
    answer: accepted,
    stale: CHANGED,
    bridge: 'pass',
  }),
  undo: write({
    id: 'software.undo',
    summary: 'Go back to the copy made before the last change or reset',
    rate: { burst: 20, perSecond: 0.5 },
    method: 'POST',
    path: '/servers/software/undo/:serverId',
    origin: 'extension',
    scope: 'software.write',
    status: 202,
    answer: accepted,
    stale: [...CHANGED, 'servers.read-config', 'files.list', 'files.limits', 'players.list', 'players.stats'],
    bridge: 'pass',
  }),
  fetched: read({
    id: 'software.fetched',
    summary: 'Get how much of what was downloaded is no longer needed',
    lane: 'reading',
    path: '/servers/software/fetched/:serverId',
    origin: 'extension',
    scope: 'owner',
    answer: json(FetchedFiles),
    keep: 'never',
  }),
  clearFetched: write({
    id: 'software.clear-fetched',
    summary: 'Delete downloads that are no longer needed',
    rate: { burst: 10, perSecond: 0.05 },
    method: 'DELETE',
    path: '/servers/software/fetched/:serverId',
    origin: 'extension',
    scope: 'owner',
    answer: json(z.object({ freedBytes: maybe.amount })),
    stale: ['software.javas'],
    bridge: 'pass',
  }),
  forgetCopy: write({
    id: 'software.forget-copy',
    summary: 'Delete the copy made before the last change or reset',
    method: 'DELETE',
    path: '/servers/software/copy/:serverId',
    origin: 'extension',
    scope: 'owner',
    stale: ['software.read', 'software.plan'],
    bridge: 'pass',
  }),
}
