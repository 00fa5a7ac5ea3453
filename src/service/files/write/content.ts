import { refusal } from '../../../host/refusal.ts'
import { tagOf } from '../names/entry.ts'
import type { OpenedFile } from '../server-files.ts'

const CHUNK = 256 * 1024

interface ContentRequest {
  method: string
  header: (name: string) => string | undefined
}

/** What is answered, wherever it comes from. */
export interface Content {
  size: number
  tag: string
  modifiedAt: number
  /** Closes what it reads from. */
  bytes: (start: number, end: number) => Promise<ReadableStream<Uint8Array>> | ReadableStream<Uint8Array>
  /** If the bytes aren't asked for. */
  close: () => Promise<void>
}

/** Closes the file. Throws like `answerBytes`. */
export const answerContent = (file: OpenedFile, asked: ContentRequest): Promise<Response> =>
  answerBytes(
    {
      size: Number(file.stat.size),
      tag: tagOf(file.stat),
      modifiedAt: Number(file.stat.mtimeMs),
      bytes: (start, end) => streamOf(file, start, end),
      close: () => file.handle.close(),
    },
    asked,
  )

/** Supports a single `Range`, `If-Range` and `If-None-Match`. Throws 416 `files.range`. */
export async function answerBytes(content: Content, asked: ContentRequest): Promise<Response> {
  let handed = false
  try {
    const { size, tag } = content
    const headers = new Headers({
      ETag: tag,
      'Accept-Ranges': 'bytes',
      'Last-Modified': new Date(content.modifiedAt).toUTCString(),
    })
    const known = asked.header('if-none-match')
    if (known !== undefined && matchesTag(known, tag)) return new Response(null, { status: 304, headers })
    const ifRange = asked.header('if-range')
    const range =
      ifRange === undefined || ifRange.trim() === tag ? rangeOf(asked.header('range'), size) : null
    const { start, end } = range ?? { start: 0, end: size }
    // A browser must not run a server's files with the service's origin.
    headers.set('Content-Type', 'application/octet-stream')
    headers.set('Content-Disposition', 'attachment')
    headers.set('Content-Length', String(end - start))
    if (range) headers.set('Content-Range', `bytes ${start}-${end - 1}/${size}`)
    const status = range ? 206 : 200
    if (asked.method === 'HEAD' || end === start) return new Response(null, { status, headers })
    handed = true
    return new Response(await content.bytes(start, end), { status, headers })
  } finally {
    if (!handed) await content.close()
  }
}

export const matchesTag = (list: string, tag: string): boolean =>
  list.trim() === '*' || list.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)

function rangeOf(header: string | undefined, size: number): { start: number; end: number } | null {
  // The standard allows answering several ranges with the whole file.
  const found = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '')
  const [from = '', to = ''] = found?.slice(1) ?? []
  if (from === '' && to === '') return null
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size : Math.min(size, Number(to) + 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null
  if (start < end) return { start, end }
  throw refusal(416, 'files.range', { size }).with({ 'Content-Range': `bytes */${size}` })
}

/** Fails if the file shrinks: a truncated response must not look complete. */
function streamOf({ handle }: OpenedFile, start: number, end: number): ReadableStream<Uint8Array> {
  let at = start
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const buffer = Buffer.allocUnsafe(Math.min(CHUNK, end - at))
          const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
          if (bytesRead === 0) throw new Error('The file became shorter while it was read')
          at += bytesRead
          controller.enqueue(buffer.subarray(0, bytesRead))
          if (at < end) return
          controller.close()
          await handle.close()
        } catch (error) {
          await handle.close().catch(() => {})
          controller.error(error)
        }
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 2 },
  )
}
