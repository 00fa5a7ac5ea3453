import { z } from 'zod'
import { alsoNamed, ID_NAMES, idOf } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { ExtensionProblem } from './values/extension-problem.ts'
import { always, maybe } from '../declarations/fields.ts'
import { all, json, list, openEnum, Paging, Time } from '../declarations/operation.ts'

const { read, write } = area('software')

export const Software = alsoNamed(
  z.object({
    id: idOf('software', z.string().min(1)),
    name: always.text,
    description: maybe.text,
    /** What whoever runs it has to accept first. An extension. */
    license: z.object({ name: always.text, url: always.text }).nullish(),
    /** It leads players to other servers, and has no world. An extension. */
    proxy: maybe.flag,
  }),
  ['software'],
  { id: ID_NAMES, name: ['title', 'displayName', 'label'] },
)
export type Software = z.infer<typeof Software>

export const VersionChannel = openEnum(['release', 'snapshot', 'experimental'])

export const SoftwareVersion = alsoNamed(
  z.object({
    id: always.filled,
    recommended: maybe.flag,
    /** How far its makers stand behind it. An extension; without it a release. */
    channel: VersionChannel.nullish(),
    releasedAt: Time.nullish(),
    /** All that a new server with it takes is on the service's computer: it needs no network. An extension. */
    isHere: maybe.flag,
  }),
  ['version'],
  { id: [...ID_NAMES, 'version', 'name'] },
)
export type SoftwareVersion = z.infer<typeof SoftwareVersion>

/** A Java that servers can be run with. */
export const Java = z.object({
  id: always.filled,
  major: z.number().int(),
  version: maybe.text,
  vendor: maybe.text,
  /**
   * `fetched` by the service for its servers; `found` where somebody else put it there; `catalog`: it is not there, and is
   * downloaded at the next start of a server that it is chosen for.
   */
  from: openEnum(['found', 'fetched', 'catalog']).nullish(),
})
export type Java = z.output<typeof Java>

/** What the service has downloaded for all servers, is not needed now, and can be downloaded again. Sizes in bytes. */
export const FetchedFiles = z.object({
  downloadBytes: maybe.amount,
  javaBytes: maybe.amount,
  /** Major versions of the Javas that no server is run with; none are told while a server is not at rest. */
  javas: z.array(z.number().int()).nullish(),
})
export type FetchedFiles = z.output<typeof FetchedFiles>

/** A kind of software and its version, as it is or was at a server. */
const AtServer = z.object({
  id: always.text,
  name: maybe.text,
  version: maybe.text,
})

/** A copy of a server as it was before it was changed or reset: the way back. Sizes in bytes. */
export const SafetyCopy = z.object({
  at: Time.nullish(),
  /** What it was made before. `undo`: it is what there was before something was undone. */
  reason: openEnum(['change', 'reset', 'undo']).nullish(),
  /** What ran then. */
  software: AtServer.nullish(),
  bytes: maybe.amount,
})
export type SafetyCopy = z.infer<typeof SafetyCopy>

export const InstalledSoftware = alsoNamed(
  z.object({
    id: always.text,
    name: maybe.text,
    version: maybe.text,
    build: maybe.text,
    /** This build was chosen: it is installed again where it has to be, and not the newest. */
    pinned: maybe.flag,
    /** The way back; without it there is none. */
    copy: SafetyCopy.nullish(),
  }),
  ['software'],
)
export type InstalledSoftware = z.infer<typeof InstalledSoftware>

/** Extensions that an item of a plan names; the rest is only counted. */
export const UNFIT_NAMED_MOST = 20

/** An extension that does not run with other software as it should, and why. */
export const UnfitExtension = z.object({
  name: always.text,
  version: maybe.text,
  problems: z.array(ExtensionProblem).nullish(),
})
export type UnfitExtension = z.infer<typeof UnfitExtension>

/** What people should know before they change a server's software. Those that are not known are left out by a panel. */
export const PlanItem = z.object({
  kind: openEnum([
    /** The world was saved by a newer version: `from`. An older one cannot read it. */
    'older-version',
    /** The world is converted, which cannot be taken back but by the copy. */
    'newer-version',
    /** Jars in `plugins` or `mods` that are made for other software: `count`, of which `extensions` names some. */
    'plugins-stop',
    'mods-stop',
    /** Those that are made for it, but not for this version, or that lack something there. */
    'plugins-unfit',
    'mods-unfit',
    /** Most plugins do not run on Folia; from services that do not tell which. */
    'few-plugins',
    /** A proxy, which has no world. */
    'no-world',
    /** The Nether, the End and dimensions of datapacks lie in other folders with it, and are moved there. */
    'dimensions-move',
    /** A snapshot or an experiment. */
    'unstable',
    /** This major version of Java is downloaded. */
    'java',
    /** It is installed already: its newest build is installed. */
    'same-version',
    /** The copy does not fit on the disk. */
    'no-room',
  ]),
  from: maybe.text,
  to: maybe.text,
  count: maybe.count,
  major: maybe.whole,
  extensions: z.array(UnfitExtension).nullish(),
})
export type PlanItem = z.infer<typeof PlanItem>

/** A build of a version of software. */
export const SoftwareBuild = z.object({
  id: always.filled,
  /** Without it a release. */
  channel: VersionChannel.nullish(),
  releasedAt: Time.nullish(),
  /** All that a new server with it takes is on the service's computer. */
  isHere: maybe.flag,
  /** What it changes from the build before it, one line each; empty where nobody tells. */
  changes: z.array(z.string()).nullish(),
  /** How many changes it has beside those. */
  moreChanges: maybe.count,
})
export type SoftwareBuild = z.infer<typeof SoftwareBuild>

export const ChangePlan = z.object({
  items: z.array(PlanItem).nullish(),
  /** Bytes of the copy that is made first, and what the disk has left. */
  copyBytes: maybe.amount,
  freeBytes: maybe.amount,
  /** Bytes of the software; without them nobody knows. */
  downloadBytes: maybe.amount,
  build: maybe.text,
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
    path: '/servers/software/plan/:serverId',
    origin: 'extension',
    scope: 'software.write',
    query: z.object({
      id: z.string().min(1).max(60),
      version: z.string().min(1).max(200),
      /** Without it the newest stable one. */
      build: z.string().min(1).max(80).optional(),
    }),
    answer: json(ChangePlan),
    keep: 'never',
  }),
  builds: read({
    id: 'software.builds',
    summary: 'List the builds of a version, newest first',
    path: '/software/:softwareId/builds',
    origin: 'extension',
    query: z.object({ version: z.string().min(1).max(200) }),
    answer: list(SoftwareBuild, 'id'),
    keep: 'never',
  }),
  change: write({
    id: 'software.change',
    summary: 'Copy the server as it is, then change its software',
    method: 'PUT',
    path: '/servers/software/:serverId',
    origin: 'assumed',
    scope: 'software.write',
    body: z.object({
      id: z.string().min(1).max(60),
      version: z.string().min(1).max(200),
      /** This build and no other, from now on; without it the newest stable one. An extension. */
      build: z.string().min(1).max(80).optional(),
      /** The license of the software was shown and accepted. An extension. */
      acceptLicense: z.boolean().optional(),
    }),
    status: 202,
    answer: accepted,
    stale: CHANGED,
    bridge: 'pass',
  }),
  undo: write({
    id: 'software.undo',
    summary: 'Go back to the copy made before the last change or reset',
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
    path: '/servers/software/fetched/:serverId',
    origin: 'extension',
    scope: 'owner',
    answer: json(FetchedFiles),
    keep: 'never',
  }),
  clearFetched: write({
    id: 'software.clear-fetched',
    summary: 'Delete downloads that are no longer needed',
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
