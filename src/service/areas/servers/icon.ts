import { ICON_BYTES } from '../../../contract/areas/servers.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { Refusal } from '../../base/refusal.ts'

const ICON_FILE = 'server-icon.png'
const SIDE = 64
/** PNG signature and header chunk, which contains width and height. */
const BEGINS = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const HEADER_BYTES = 33

/** As data URL; null if missing or not displayed by Minecraft: not a 64×64 PNG, or too large. */
export async function iconIn(files: Pick<ServerFiles, 'openRead'>): Promise<string | null> {
  const file = await files.openRead(ICON_FILE).catch((error: unknown) => {
    if (error instanceof Refusal && error.status < 500) return null
    throw error
  })
  if (!file) return null
  try {
    if (file.stat.size < HEADER_BYTES || file.stat.size > ICON_BYTES) return null
    const png = Buffer.alloc(Number(file.stat.size))
    const { bytesRead } = await file.handle.read(png, 0, png.length, 0)
    return bytesRead === png.length && isIcon(png) ? `data:image/png;base64,${png.toString('base64')}` : null
  } finally {
    await file.handle.close()
  }
}

const isIcon = (png: Buffer): boolean =>
  png.subarray(0, BEGINS.length).equals(BEGINS) &&
  png.readUInt32BE(16) === SIDE &&
  png.readUInt32BE(20) === SIDE
