import { z } from 'zod'
import { alsoNamed, ID_NAMES, idOf } from './also-named.ts'
import { area } from './declare.ts'
import { all, list, openEnum, Paging, Time } from './operation.ts'

const { read, planned } = area('software')

export const Software = alsoNamed(
  z.object({
    id: idOf('software', z.string().min(1)),
    name: z.string(),
    description: z.string().nullish(),
    /** What whoever runs it has to accept first. An extension. */
    license: z.object({ name: z.string(), url: z.string() }).nullish(),
  }),
  ['software'],
  { id: ID_NAMES, name: ['title', 'displayName', 'label'] },
)
export type Software = z.infer<typeof Software>

export const VersionChannel = openEnum(['release', 'snapshot', 'experimental'])

export const SoftwareVersion = alsoNamed(
  z.object({
    id: z.string().min(1),
    recommended: z.boolean().nullish(),
    /** How far its makers stand behind it. An extension; without it a release. */
    channel: VersionChannel.nullish(),
    releasedAt: Time.nullish(),
  }),
  ['version'],
  { id: [...ID_NAMES, 'version', 'name'] },
)
export type SoftwareVersion = z.infer<typeof SoftwareVersion>

/** A Java that is on the computer of the service. */
export const Java = z.object({
  /** Its folder. */
  id: z.string().min(1),
  major: z.number().int(),
  version: z.string().nullish(),
  vendor: z.string().nullish(),
  /** `fetched` by the service for its servers; `found` where somebody else put it there. */
  from: openEnum(['found', 'fetched']).nullish(),
})
export type Java = z.output<typeof Java>

export const software = {
  list: read({
    id: 'software.list',
    summary: 'Catalog of server software',
    path: '/software',
    origin: 'assumed',
    query: Paging,
    answer: list(Software, 'id'),
    pages: all(1000, 200),
    keep: 'disk',
  }),
  versions: read({
    id: 'software.versions',
    summary: 'Versions of a server software',
    path: '/software/:softwareId/versions',
    origin: 'assumed',
    query: Paging,
    answer: list(SoftwareVersion, 'id'),
    pages: all(2000, 200),
    keep: 'memory',
  }),
  javas: read({
    id: 'software.javas',
    summary: 'Versions of Java on the computer of the service',
    path: '/software/java',
    origin: 'extension',
    answer: list(Java, 'id'),
    keep: 'memory',
  }),
  change: planned.write({
    id: 'software.change',
    summary: "Change a server's software",
    method: 'PUT',
    path: '/servers/software/:serverId',
    origin: 'assumed',
    scope: 'software.write',
  }),
}
