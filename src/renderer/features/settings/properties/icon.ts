/** In pixels. */
const SIDE = 64
/** In bytes. */
export const PICTURE_MOST = 20 * 1024 * 1024

/** Crops to the center and scales to 64×64 pixels; PNG in base64. Null if the picture cannot be decoded. */
export async function iconOf(picture: Blob): Promise<string | null> {
  let bitmap: ImageBitmap
  try {
    bitmap = await createImageBitmap(picture)
  } catch {
    return null
  }
  try {
    const side = Math.min(bitmap.width, bitmap.height)
    const [x, y] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2]
    const canvas = new OffscreenCanvas(SIDE, SIDE)
    const context = canvas.getContext('2d')
    if (!context) return null
    context.imageSmoothingQuality = 'high'
    // Small pictures are pixel art; don't blur them.
    context.imageSmoothingEnabled = side > SIDE
    context.drawImage(bitmap, x, y, side, side, 0, 0, SIDE, SIDE)
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  } finally {
    bitmap.close()
  }
}
