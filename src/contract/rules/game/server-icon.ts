export const ICON_FILE = 'server-icon.png'

const SIDE = 64
/** PNG signature and header chunk, which contains width and height. */
const BEGINS = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const HEADER_BYTES = 33

/** As data URL; null if Minecraft doesn't display it: not a 64×64 PNG. */
export function iconAddress(png: Buffer): string | null {
  const isIcon =
    png.length >= HEADER_BYTES &&
    png.subarray(0, BEGINS.length).equals(BEGINS) &&
    png.readUInt32BE(16) === SIDE &&
    png.readUInt32BE(20) === SIDE
  return isIcon ? `data:image/png;base64,${png.toString('base64')}` : null
}
