import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { readDataFile, readDataJson } from '../../../host/data-file.ts'
import { Conflict } from '../../../contract/areas/values/file-values.ts'
import { PART } from '../quota/partial-uploads.ts'

/** `open`: bytes or checksum missing. `placing`: verified; `ino` finds the file after a crash. */
const State = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('placing'), ino: z.string() }),
  z.object({ kind: z.literal('done'), path: z.string(), etag: z.string(), at: z.number() }),
])

/** Persisted next to the bytes. */
export const UploadRecord = z.object({
  id: z.string(),
  accountId: z.string(),
  path: z.string(),
  size: z.number(),
  /** ISO 8601; null: time of placing. */
  modifiedAt: z.string().nullable(),
  conflict: Conflict,
  /** Verbatim, as the client may ask for it. */
  metadata: z.record(z.string(), z.string().nullable()),
  createdAt: z.number(),
  /** Last activity by uptime; absent for records of earlier versions. */
  seenAt: z.number().nullish(),
  state: State,
})
export type UploadRecord = z.infer<typeof UploadRecord>

export const partOf = (folder: string, id: string): string => path.join(folder, id + PART)
const recordOf = (folder: string, id: string): string => path.join(folder, `${id}.json`)

/** 22 base64url characters, safe as file names. */
const ID = /^[\w-]{22}$/

export async function readRecord(folder: string, id: string): Promise<UploadRecord | null> {
  if (!ID.test(id)) return null
  return readDataJson(recordOf(folder, id), (value) => UploadRecord.parse(value))
}

/** A record that can't be read now, perhaps temporarily. */
export const isUnreadable = (folder: string, id: string): Promise<boolean> =>
  readDataFile(recordOf(folder, id)).then(
    () => false,
    () => true,
  )

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

export async function removeUpload(folder: string, id: string): Promise<void> {
  await rm(partOf(folder, id), { force: true })
  await rm(recordOf(folder, id), { force: true })
  await rm(`${recordOf(folder, id)}.new`, { force: true })
}
