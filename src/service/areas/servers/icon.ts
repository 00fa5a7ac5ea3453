import { ICON_BYTES } from '../../../contract/areas/servers.ts'
import { ICON_FILE, iconAddress } from '../../../contract/rules/game/server-icon.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { Refusal } from '../../../host/refusal.ts'

/** As data URL; null if missing or not displayed by Minecraft: not a 64×64 PNG, or too large. */
export async function iconIn(files: Pick<ServerFiles, 'openRead'>): Promise<string | null> {
  const file = await files.openRead(ICON_FILE).catch((error: unknown) => {
    if (error instanceof Refusal && error.status < 500) return null
    throw error
  })
  if (!file) return null
  try {
    if (file.stat.size > ICON_BYTES) return null
    const png = Buffer.alloc(Number(file.stat.size))
    const { bytesRead } = await file.handle.read(png, 0, png.length, 0)
    return bytesRead === png.length ? iconAddress(png) : null
  } finally {
    await file.handle.close()
  }
}
