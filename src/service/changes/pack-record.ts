import { z } from 'zod'

const Names = z.array(z.string())
/** `project` identifies the file in the pack's next version. */
const Named = z.object({ path: z.string(), project: z.string().nullish() })

/** What an installed pack brought, so updates can tell what people have changed since. */
export const PackRecord = z.object({
  /** File name of the record. */
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
  /** Files that players need. */
  players: z.array(
    z.object({ path: z.string(), sha512: z.string(), url: z.string(), optional: z.boolean() }),
  ),
  /** Files excluded on this server; updates exclude them too. */
  leftOut: z.array(Named),
  /** `taken`: client-only files included anyway. `clientOnly`: files that only their own jar declares client-only. */
  taken: z.array(Named).nullish(),
  clientOnly: z.array(Named).nullish(),
  /** Game settings from the pack. */
  settings: z.record(z.string(), z.string()).nullish(),
  /** Paths of files that existed before. */
  kept: Names,
  replaced: Names,
  removed: Names,
})
export type PackRecord = z.infer<typeof PackRecord>

/** The pack a new server is created from, until it is installed. */
export const WantedPack = z.object({
  /** Null for an uploaded file. */
  versionId: z.string().nullable(),
  /** The uploaded file and its import. */
  sent: z.object({ importId: z.string(), path: z.string() }).nullish(),
  name: z.string(),
  version: z.string(),
  leaveOut: Names.nullable(),
  take: Names.nullish(),
})
export type WantedPack = z.infer<typeof WantedPack>
