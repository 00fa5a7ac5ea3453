import { join } from 'node:path'
import { z } from 'zod'
import { ItemPath } from '../../../../contract/areas/values/file-values.ts'
import { Id } from '../../../../contract/bridge/call.ts'
import { readDataJson, writeDataFile } from '../../../../host/data-file.ts'
import { checkName } from './openable.ts'

const RecordSchema = z.object({
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
  /** The last version common to this computer and the server, with its SHA-256. */
  etag: z.string().max(200),
  hash: z.string().max(100),
  readOnly: z.boolean(),
  sentAt: z.string().max(40).nullable(),
})

export type ExternalFileRecord = z.output<typeof RecordSchema>

const fileOf = (root: string, id: string) => join(root, `${id}.json`)

export const idOfRecord = (file: string): string | null => /^([0-9a-f-]{36})\.json$/.exec(file)?.[1] ?? null

export const keepRecord = (root: string, id: string, record: ExternalFileRecord): void =>
  writeDataFile(fileOf(root, id), JSON.stringify(record))

export const readRecord = (root: string, id: string): Promise<ExternalFileRecord | null> =>
  readDataJson(fileOf(root, id), (value) => RecordSchema.parse(value))

export { fileOf as recordFile }
