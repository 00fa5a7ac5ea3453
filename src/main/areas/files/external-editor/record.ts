import { join } from 'node:path'
import { z } from 'zod'
import { ItemPath } from '../../../../contract/areas/values/file-values.ts'
import { Id } from '../../../../contract/bridge/call.ts'
import { readDataJson, writeDataFile } from '../../../../host/data-file.ts'
import { checkName } from './openable.ts'

const Kept = z.object({
  connectionId: Id,
  serverId: Id,
  path: ItemPath,
  name: z.string().refine((name) => {
    try {
      checkName(name)
      return true
    } catch {
      return false
    }
  }),
  /** The version that this computer and the server last had in common: what a save is based on, and the SHA-256 of it. */
  etag: z.string().max(200),
  hash: z.string().max(100),
  readOnly: z.boolean(),
  sentAt: z.string().max(40).nullable(),
})

/** What is noted down of a file that is edited outside, beside its folder. */
export type HandedRecord = z.output<typeof Kept>

const fileOf = (root: string, id: string) => join(root, `${id}.json`)

/** The id in the name of a record; null where it is no record. */
export const idOfRecord = (file: string): string | null => /^([0-9a-f-]{36})\.json$/.exec(file)?.[1] ?? null

export const keepRecord = (root: string, id: string, record: HandedRecord): void =>
  writeDataFile(fileOf(root, id), JSON.stringify(record))

/** Null where it cannot be read. */
export const readRecord = (root: string, id: string): Promise<HandedRecord | null> =>
  readDataJson(fileOf(root, id), (value) => Kept.parse(value))

export { fileOf as recordFile }
