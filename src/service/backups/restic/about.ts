import { z } from 'zod'
import { InstallationRecord } from '../../software/installed.ts'

/** What a backup tells of itself wherever it is copied to: where there is no database that knows it. */
export const BackupDescription = z.object({
  server: z.object({
    id: z.string().min(1).max(100),
    name: z.string().max(200),
    memoryMb: z.number().int().positive(),
    acceptsLicense: z.boolean(),
  }),
  software: z.object({
    id: z.string().max(100),
    version: z.string().max(100),
    installed: InstallationRecord.nullable(),
    pack: z.string().max(200).nullable(),
  }),
  /** Bytes and files it holds. */
  bytes: z.number().int().min(0),
  files: z.number().int().min(0),
})
export type BackupDescription = z.infer<typeof BackupDescription>

const ABOUT = 'about-'
const OF_SERVER = 'server-'
const TAG_MOST = 50_000

export const serverTag = (serverId: string): string => OF_SERVER + serverId

export const aboutTag = (about: BackupDescription): string =>
  ABOUT + Buffer.from(JSON.stringify(about)).toString('base64url')

/** Null if none is readable: anybody with the password may have written it. */
export function aboutIn(tags: readonly string[]): BackupDescription | null {
  const tag = tags.find((one) => one.startsWith(ABOUT) && one.length <= TAG_MOST)
  if (tag === undefined) return null
  try {
    const told: unknown = JSON.parse(Buffer.from(tag.slice(ABOUT.length), 'base64url').toString())
    return BackupDescription.safeParse(told).data ?? null
  } catch {
    return null
  }
}
