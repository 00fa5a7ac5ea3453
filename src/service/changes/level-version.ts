import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { ServerFiles } from '../files/server-files.ts'
import { readWorldSettings } from '../worlds/server-properties.ts'
import { readWorldText } from '../worlds/world-file.ts'

const unzip = promisify(gunzip)

/** Bytes of a `level.dat`: some thousand, with many mods some hundred thousand. */
const MOST_BYTES = 2 * 1024 * 1024
const MOST_UNZIPPED = 32 * 1024 * 1024
/** Bytes after the name of the group in which its fields stand. */
const GROUP_BYTES = 400

/** The compound tag `Version`, and in it the text `Name`, as NBT writes them. */
const GROUP = Buffer.from([10, 0, 7, ...Buffer.from('Version')])
const NAME = Buffer.from([8, 0, 4, ...Buffer.from('Name')])

/** What is known of a server's world. */
export interface LevelVersion {
  /** Whether there is one. */
  isThere: boolean
  /** The version of Minecraft that saved it, such as `1.21.4`; null where it does not tell. */
  version: string | null
}

/** Reads which version saved a server's world, from its `level.dat`. `name`: of another world than the one it loads. */
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
