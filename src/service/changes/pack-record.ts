import { z } from 'zod'

const Names = z.array(z.string())
const ProjectFile = z.object({ path: z.string(), project: z.string().nullish() })

/** Lets updates tell what people have changed since. */
export const PackRecord = z.object({
  id: z.string().regex(/^pack-[\da-f-]{36}$/),
  name: z.string(),
  version: z.string(),
  /** Contract ids; null if the pack was uploaded. */
  project: z.string().nullable(),
  versionId: z.string().nullable(),
  url: z.string().nullable(),
  /** Unix ms. */
  at: z.number(),
  software: z.object({ id: z.string(), version: z.string(), build: z.string().nullable() }),
  /** All of the pack's server files, as in the pack. */
  files: z.array(
    z.object({
      path: z.string(),
      sha1: z.string(),
      project: z.string().nullish(),
      /** For files inside the pack, from its zip directory. */
      crc: z.number().nullish(),
      size: z.number().nullish(),
    }),
  ),
  players: z.array(
    z.object({ path: z.string(), sha512: z.string(), url: z.string(), optional: z.boolean() }),
  ),
  /** Updates exclude them too. */
  leftOut: z.array(ProjectFile),
  /** `taken`: client-only files included anyway. `clientOnly`: files that only their own jar declares client-only. */
  taken: z.array(ProjectFile).nullish(),
  clientOnly: z.array(ProjectFile).nullish(),
  settings: z.record(z.string(), z.string()).nullish(),
  kept: Names,
  replaced: Names,
  removed: Names,
})
export type PackRecord = z.infer<typeof PackRecord>

export const WantedPack = z.object({
  versionId: z.string().nullable(),
  sent: z.object({ importId: z.string(), path: z.string() }).nullish(),
  name: z.string(),
  version: z.string(),
  leaveOut: Names.nullable(),
  take: Names.nullish(),
})
export type WantedPack = z.infer<typeof WantedPack>
