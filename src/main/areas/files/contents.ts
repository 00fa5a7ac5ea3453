import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { api } from '../../../contract/areas/index.ts'
import type { FilePage, TextFile } from '../../../contract/bridge/values.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import type { ApiClient } from '../../api/client.ts'
import type { OpenBytes } from '../../api/requests/content.ts'
import { PanelProblem, problem } from '../../base/problem.ts'
import { transportProblem } from '../../api/requests/transport-problem.ts'

/** Limit for opening text and for kept versions. */
export const TEXT_MOST_BYTES = 5 * 1024 * 1024

/** Exact, with byte order mark and line ends. Null if binary or not UTF-8: saving would alter it. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

export interface FileRef {
  client: ApiClient
  serverId: string
  path: string
  /** The backup that the file is in; default: as it is now. */
  backup?: string | undefined
}

/** Replaces a missing ETag; the file is re-read before saving. ETags are quoted (RFC 9110 §8.8.3): no collision. */
const HASHED = 'content-sha256:'

export const hashTag = (bytes: Uint8Array) => HASHED + createHash('sha256').update(bytes).digest('hex')
export const isHashTag = (etag: string) => etag.startsWith(HASHED)

const open = ({ client, serverId, path, backup }: FileRef, range: string) =>
  backup === undefined
    ? client.open(api.files.read, { params: { serverId }, query: { path } }, { range })
    : client.open(api.backups.content, { params: { serverId }, query: { backup, path } }, { range })

const input = ({ serverId, path }: FileRef) => ({ params: { serverId }, query: { path } })

export type FileContent =
  | { kind: 'bytes'; bytes: Buffer; etag: string | null; modifiedAt: string | null }
  | { kind: 'large'; size: number; etag: string | null; modifiedAt: string | null }

/** Reads at most 5 MiB. Throws the service's problem. */
export async function readWhole(at: FileRef): Promise<FileContent> {
  const opened = await at.client.open(api.files.read, input(at))
  const { etag, modifiedAt, size } = opened
  if (size !== null && size > TEXT_MOST_BYTES) {
    opened.stream.destroy()
    return { kind: 'large', size, etag, modifiedAt }
  }
  const bytes = await take(at, opened.stream, TEXT_MOST_BYTES + 1)
  if (bytes.length > TEXT_MOST_BYTES) return { kind: 'large', size: bytes.length, etag, modifiedAt }
  if (size !== null && bytes.length !== size) throw problem('service-failed', localized('file.broke-off'))
  return { kind: 'bytes', bytes, etag, modifiedAt }
}

export async function readText(at: FileRef): Promise<TextFile> {
  const whole = await readWhole(at)
  const { path } = at
  const { modifiedAt } = whole
  if (whole.kind === 'large')
    return { path, size: whole.size, modifiedAt, etag: whole.etag, content: { kind: 'large' } }
  const { bytes } = whole
  const text = textOf(bytes)
  return {
    path,
    size: bytes.length,
    modifiedAt,
    etag: whole.etag ?? hashTag(bytes),
    content: text === null ? { kind: 'binary' } : { kind: 'text', text },
  }
}

export async function readPage(at: FileRef, offset: number, length: number): Promise<FilePage> {
  const range = `bytes=${offset}-${offset + length - 1}`
  const opened = await open(at, range)
  const begin = opened.offset
  if (opened.status === 416 || begin > offset) {
    opened.stream.destroy()
    return { offset, size: opened.size ?? offset, bytes: '' }
  }
  const skip = offset - begin
  const got = await take(at, opened.stream, skip + length)
  const bytes = got.subarray(skip)
  return { offset, size: opened.size ?? begin + got.length, bytes: bytes.toString('base64') }
}

export async function probe(at: FileRef): Promise<Pick<OpenBytes, 'etag'>> {
  const { stream, etag } = await at.client.open(api.files.read, input(at), { range: 'bytes=0-0' })
  stream.destroy()
  return { etag }
}

async function take(at: FileRef, stream: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= most) break
    }
  } catch (fault) {
    if (fault instanceof PanelProblem) throw fault
    throw transportProblem(fault, new URL(at.client.baseUrl).host)
  }
  return Buffer.concat(chunks).subarray(0, most)
}
