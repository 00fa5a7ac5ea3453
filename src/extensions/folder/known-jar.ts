import { z } from 'zod'
import { Hashes, JarReading } from '../jars/facts.ts'

export const Origin = z.object({
  project: z.string(),
  versionId: z.string(),
  version: z.string(),
  page: z.string().nullish(),
})
export type Origin = z.output<typeof Origin>

export const KnownJar = JarReading.extend({
  hashes: Hashes.nullable(),
  /** Null: unknown to the catalogs, or not looked up yet. */
  origin: Origin.nullable(),
  update: z.object({ versionId: z.string(), version: z.string() }).nullable(),
})
export type KnownJar = z.output<typeof KnownJar>

export const UNREAD: KnownJar = { facts: null, why: 'not-opened', hashes: null, origin: null, update: null }

export const isRead = (known: KnownJar | undefined): boolean =>
  known !== undefined &&
  !known.facts?.some(({ java, fault }) => java === undefined || fault === undefined) &&
  !(known.broken && known.fault === undefined)

export const KnownJars = z.array(z.tuple([z.string(), KnownJar]))
