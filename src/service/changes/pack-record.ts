import { z } from 'zod'

const Names = z.array(z.string())
/** A file of a pack, and the project by which it is known in the next version. */
const Named = z.object({ path: z.string(), project: z.string().nullish() })

/** A pack that is installed on a server: what it brought, so that an update knows what people have changed since. */
export const PackRecord = z.object({
  /** Name of its file. */
  id: z.string().regex(/^pack-[\da-f-]{36}$/),
  name: z.string(),
  version: z.string(),
  /** As the contract names them; null where somebody brought the file. */
  project: z.string().nullable(),
  versionId: z.string().nullable(),
  url: z.string().nullable(),
  /** When, in milliseconds since 1970. */
  at: z.number(),
  software: z.object({ id: z.string(), version: z.string(), build: z.string().nullable() }),
  /** All files that the pack has for a server, as it has them. */
  files: z.array(
    z.object({
      path: z.string(),
      sha1: z.string(),
      project: z.string().nullish(),
      /** Of what came within the pack, as its list of files says them. */
      crc: z.number().nullish(),
      size: z.number().nullish(),
    }),
  ),
  /** What players need. */
  players: z.array(
    z.object({ path: z.string(), sha512: z.string(), url: z.string(), optional: z.boolean() }),
  ),
  /** Paths that were not wanted on this server, and their projects: an update leaves them out too. */
  leftOut: z.array(Named),
  /** What is for players alone and was wanted all the same; and what only its own jar says to be for them. */
  taken: z.array(Named).nullish(),
  clientOnly: z.array(Named).nullish(),
  /** Settings of the game that it brought. */
  settings: z.record(z.string(), z.string()).nullish(),
  /** What became of files that were there before, by their paths. */
  kept: Names,
  replaced: Names,
  removed: Names,
})
export type PackRecord = z.infer<typeof PackRecord>

/** A pack that a new server is created from, until it is installed. */
export const WantedPack = z.object({
  /** Null for a file that somebody sent. */
  versionId: z.string().nullable(),
  /** That file, and the import to which it was sent. */
  sent: z.object({ importId: z.string(), path: z.string() }).nullish(),
  name: z.string(),
  version: z.string(),
  leaveOut: Names.nullable(),
  take: Names.nullish(),
})
export type WantedPack = z.infer<typeof WantedPack>
