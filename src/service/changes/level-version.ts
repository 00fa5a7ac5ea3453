import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { ServerFiles } from '../files/server-files.ts'
import { readWorldSettings } from '../worlds/server-properties.ts'
import { readWorldText } from '../worlds/world-file.ts'

const unzip = promisify(gunzip)

/** Size limit of `level.dat`, which usually has a few kB, and hundreds of kB with many mods. */
const MOST_BYTES = 2 * 1024 * 1024
const MOST_UNZIPPED = 32 * 1024 * 1024
/** Bytes to search after the group's name. */
const GROUP_BYTES = 400

/** NBT: compound tag `Version`, and string tag `Name` inside it. */
const GROUP = Buffer.from([10, 0, 7, ...Buffer.from('Version')])
const NAME = Buffer.from([8, 0, 4, ...Buffer.from('Name')])

export interface LevelVersion {
  isThere: boolean
  /** The Minecraft version that saved it, such as `1.21.4`; null if unknown. */
  version: string | null
}

/** @param name defaults to the world the server loads */
export async function readLevelVersion(files: ServerFiles, name?: string): Promise<LevelVersion> {
  const level = name ?? (await readWorldSettings(files)).level
  const read = await readWorldText(files, `${level}/level.dat`, MOST_BYTES, undefined, 'latin1').catch(
    () => 'unusable' as const,
  )
  if (read === null || read === 'same') return { isThere: false, version: null }
  if (read === 'unusable') return { isThere: true, version: null }
  try {
    const bytes = await unzip(Buffer.from(read.text, 'latin1'), { maxOutputLength: MOST_UNZIPPED })
    return { isThere: true, version: versionIn(bytes) }
  } catch {
    return { isThere: true, version: null }
  }
}

function versionIn(bytes: Buffer): string | null {
  const group = bytes.indexOf(GROUP)
  if (group < 0) return null
  const fields = bytes.subarray(group + GROUP.length, group + GROUP.length + GROUP_BYTES)
  const at = fields.indexOf(NAME) + NAME.length
  if (at < NAME.length || at + 2 > fields.length) return null
  const name = fields.toString('utf8', at + 2, at + 2 + fields.readUInt16BE(at))
  return /^[\w .-]{1,60}$/.test(name) ? name : null
}
