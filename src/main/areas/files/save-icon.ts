import { api } from '../../../contract/areas/index.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { problem } from '../../base/problem.ts'
import type { FileRef } from './contents.ts'

export const ICON_FILE = 'server-icon.png'
const SIDE = 64
const BEGINS = Buffer.from([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
])

/** Throws `invalid` unless it is a PNG of 64×64 pixels: others stop a server from starting. */
export async function saveIcon(at: FileRef, base64: string): Promise<void> {
  const png = Buffer.from(base64, 'base64')
  const isIcon =
    png.length >= 33 &&
    png.subarray(0, BEGINS.length).equals(BEGINS) &&
    png.readUInt32BE(16) === SIDE &&
    png.readUInt32BE(20) === SIDE
  if (!isIcon) throw problem('invalid', localized('file.no-icon'))
  await at.client.send(
    api.files.write,
    { params: { serverId: at.serverId }, query: { path: at.path } },
    { content: png },
  )
}
