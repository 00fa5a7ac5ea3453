import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { readDataFile, readDataJson } from '../../../host/data-file.ts'
import { Conflict } from '../../../contract/areas/values/file-values.ts'
import { PART } from '../quota/partial-uploads.ts'

/**
 * How far an upload is. `open`: bytes are missing, or nobody has vouched for them yet. `placing`: everything agrees and
 * it is being put into its place; `ino` tells the file by, should the service end just then. `done`: where it is now.
 */
const State = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('placing'), ino: z.string() }),
  z.object({ kind: z.literal('done'), path: z.string(), etag: z.string(), at: z.number() }),
])

/** What is known of an upload, beside its bytes. Kept in a file, so that it outlives the service. */
export const UploadRecord = z.object({
  id: z.string(),
  accountId: z.string(),
  /** Contract path it was meant for. */
  path: z.string(),
  /** Of the whole file, in bytes. */
  size: z.number(),
  /** ISO 8601; null: when it is placed. */
  modifiedAt: z.string().nullable(),
  conflict: Conflict,
  /** As the client gave it: a client may ask for it again. */
  metadata: z.record(z.string(), z.string().nullable()),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  /** When it was last heard of, by seen time; absent where an earlier version began it. */
  seenAt: z.number().nullish(),
  state: State,
})
export type UploadRecord = z.infer<typeof UploadRecord>

/** Where the bytes of an upload gather, and what is known of it. */
export const partOf = (folder: string, id: string): string => path.join(folder, id + PART)
const recordOf = (folder: string, id: string): string => path.join(folder, `${id}.json`)

/** Ids are ours: 22 characters of base64url. Anything else names no file. */
export const ID = /^[\w-]{22}$/

/** Null where there is no such upload, or it cannot be read. */
export async function readRecord(folder: string, id: string): Promise<UploadRecord | null> {
  if (!ID.test(id)) return null
  return readDataJson(recordOf(folder, id), (value) => UploadRecord.parse(value))
}

/** Whether there is a record that cannot be read now, as on a disk that fails: it may be as good as ever. */
export const isUnreadable = (folder: string, id: string): Promise<boolean> =>
  readDataFile(recordOf(folder, id)).then(
    () => false,
    () => true,
  )

/** Replaces the record in one step. */
export async function writeRecord(folder: string, record: UploadRecord): Promise<void> {
  const file = recordOf(folder, record.id)
  const handle = await open(`${file}.new`, 'w', 0o600)
  try {
    await handle.writeFile(JSON.stringify(record))
  } finally {
    await handle.close()
  }
  await rename(`${file}.new`, file)
}

/** Removes bytes and record. */
export async function removeUpload(folder: string, id: string): Promise<void> {
  await rm(partOf(folder, id), { force: true })
  await rm(recordOf(folder, id), { force: true })
  await rm(`${recordOf(folder, id)}.new`, { force: true })
}
