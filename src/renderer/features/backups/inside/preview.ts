import { call, type Problem, asProblem } from '../../../core/bridge.ts'
import type { ServerRef } from '../../../../contract/bridge/values.ts'

/** Bytes of a text that are shown. */
const TEXT_MOST = 256 * 1024
/** A page of bytes, the most that is answered at once. */
const PAGE = 1024 * 1024
/** Larger pictures are for downloading. */
const PICTURE_MOST = 4 * PAGE

export type Preview =
  | { kind: 'reading' }
  | { kind: 'text'; text: string; isCut: boolean }
  | { kind: 'picture'; bytes: Blob }
  | { kind: 'none' }
  | { kind: 'failed'; problem: Problem }

const pictures: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
}

/** What can be shown of a file in a backup; only so many bytes of it are read. */
export async function readPreview(server: ServerRef, backup: string, path: string): Promise<Preview> {
  const page = async (offset: number, length: number) => {
    const { connectionId, serverId } = server
    const { size, bytes } = await call('files.read-page', {
      ...{ connectionId, serverId, path, offset, length, backup },
    })
    return { size, bytes: Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0)) }
  }
  try {
    const type = pictures[path.split('.').at(-1)?.toLowerCase() ?? '']
    const first = await page(0, type ? PAGE : TEXT_MOST)
    if (!type) return textPreview(first.bytes, first.size > first.bytes.length)
    if (first.size > PICTURE_MOST) return { kind: 'none' }
    const parts = [first.bytes]
    for (let at = first.bytes.length; at < first.size;) {
      const { bytes } = await page(at, PAGE)
      if (bytes.length === 0) return { kind: 'none' }
      parts.push(bytes)
      at += bytes.length
    }
    return { kind: 'picture', bytes: new Blob(parts, { type }) }
  } catch (thrown) {
    return { kind: 'failed', problem: asProblem(thrown) }
  }
}

function textPreview(bytes: Uint8Array, isCut: boolean): Preview {
  if (bytes.includes(0)) return { kind: 'none' }
  try {
    // A cut may be within a character.
    return {
      kind: 'text',
      text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut }),
      isCut,
    }
  } catch {
    return { kind: 'none' }
  }
}
