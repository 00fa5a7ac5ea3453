import type { CatalogClient } from '../requests/catalog-client.ts'
import { Refusal } from '../../host/refusal.ts'
import { isAmong, type CatalogHosts } from './places.ts'

export const PICTURE_MOST = 128 * 1024
const FRESH_MS = 7 * 24 * 60 * 60_000

export interface Picture {
  type: string
  bytes: Uint8Array
}

/** Null if missing, too large or no picture. SVG is refused: it may contain scripts. Rejects with Refusal 503. */
export async function fetchPicture(
  client: CatalogClient,
  address: string | null,
  places: CatalogHosts,
  signal: AbortSignal,
): Promise<Picture | null> {
  if (address === null || !isAmong(address, places)) return null
  try {
    return await client.get(
      {
        url: address,
        name: places.name,
        parse: (base64) => pictureOf(Buffer.from(base64, 'base64')),
        isBinary: true,
        absent: '',
        freshMs: FRESH_MS,
        mostBytes: PICTURE_MOST,
        mayFollow: (url) => isAmong(url.href, places),
      },
      signal,
    )
  } catch (error) {
    if (error instanceof Refusal && error.status === 502) return null
    throw error
  }
}

const KINDS: readonly [type: string, begins: (head: string) => boolean][] = [
  ['image/png', (head) => head.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['image/webp', (head) => head.startsWith('RIFF') && head.endsWith('WEBP')],
  ['image/gif', (head) => head.startsWith('GIF87a') || head.startsWith('GIF89a')],
]

/** By content only: a catalog's content type isn't trusted. */
function pictureOf(bytes: Buffer): Picture | null {
  const head = bytes.subarray(0, 12).toString('latin1')
  const [type] = KINDS.find(([, begins]) => begins(head)) ?? []
  return type === undefined ? null : { type, bytes }
}
