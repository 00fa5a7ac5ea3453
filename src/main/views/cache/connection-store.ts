import { z } from 'zod'
import type { ConnectionRecord, ConnectionRecords } from '../../accounts/connection-records.ts'
import { storedJson } from '../../storage/stored-json.ts'
import type { Cache } from './cache.ts'

const StoredConnection = z.object({
  id: z.string(),
  kind: z.literal('service'),
  name: z.string(),
  baseUrl: z.string(),
  user: z
    .object({ id: z.string().nullable(), name: z.string().nullable(), email: z.string().nullable() })
    .nullable(),
  expiresAt: z.string().nullable(),
  tokenKept: z.enum(['keychain', 'memory', 'none']),
  consoleOrigin: z.string().optional(),
  plainRcon: z.literal(true).optional(),
})

/** Addresses and names, never tokens. Damaged records are skipped. */
export function connectionStore(cache: Cache): ConnectionRecords {
  return {
    async all() {
      const found: ConnectionRecord[] = []
      for (const text of await cache.records()) {
        const record = StoredConnection.safeParse(storedJson(text))
        if (record.success) found.push(record.data)
      }
      return found
    },
    save: (record) => cache.saveRecord(record.id, JSON.stringify(StoredConnection.parse(record))),
    remove: (id) => cache.removeRecord(id),
  }
}
