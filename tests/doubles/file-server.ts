import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Checksum, RemoteFile } from '../../src/service/software/catalog.ts'
import { Downloads, type DownloadsOptions } from '../../src/service/software/downloads/downloads.ts'
import type { TaskSubscriber } from '../../src/service/software/downloads/shared-tasks.ts'

export type Answering = (request: IncomingMessage, response: ServerResponse, nth: number) => void

export interface FileServer {
  url: string
  /** What was asked for, in order: path, and the part where one was asked for. */
  asked: string[]
  /** Cuts the connections of answers that stand still. */
  cut(): void
  close(): Promise<void>
}

const stalled = new WeakSet<ServerResponse>()

/** A server on loopback that answers as it is told to; `nth` counts requests from 1. */
export async function startFileServer(answering: Answering): Promise<FileServer> {
  const asked: string[] = []
  const responses = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    responses.add(response)
    asked.push([request.url, request.headers.range].filter(Boolean).join(' '))
    answering(request, response, asked.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(close)
  const cut = () => {
    for (const response of responses) if (stalled.has(response)) response.destroy()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, cut, close }
}

export interface Serving {
  etag?: string | null
  /** So many bytes of this answer are sent, and then nothing more. */
  stallAfter?: number
  /** Parts are not known to it. */
  wholeOnly?: boolean
}

/** Answers bytes, or the part of them that is asked for, as RFC 9110 has it. */
export function serveBytes(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
  { etag = '"one"', stallAfter, wholeOnly = false }: Serving = {},
): void {
  const { range, 'if-range': ifRange } = request.headers
  const isPart = range !== undefined && !wholeOnly && (ifRange === undefined || ifRange === etag)
  const start = isPart ? Number(/^bytes=(\d+)-$/.exec(range)?.[1]) : 0
  const sent = bytes.subarray(start)
  response.writeHead(isPart ? 206 : 200, {
    'content-length': sent.length,
    ...(etag !== null && { etag }),
    ...(isPart && { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
  })
  if (stallAfter === undefined) return void response.end(sent)
  stalled.add(response)
  response.write(sent.subarray(0, stallAfter))
}

export const sumOf = (bytes: Buffer, algorithm: Checksum['algorithm'] = 'sha256'): Checksum => ({
  algorithm,
  value: createHash(algorithm).update(bytes).digest('hex'),
})

/** A file of a catalog. */
export const remoteFile = (url: string, bytes: Buffer, more: Partial<RemoteFile> = {}): RemoteFile => ({
  url,
  name: 'server.jar',
  size: bytes.length,
  checksum: sumOf(bytes),
  ...more,
})

/** Downloads into a folder, without pauses; they are closed after the test. */
export function openDownloads(folder: string, options: Partial<DownloadsOptions> = {}): Downloads {
  const downloads = new Downloads({
    folder,
    userAgent: 'Wheelhouse (test@example.org)',
    seen: () => 0,
    spareBytes: 0,
    ...options,
    limits: { pauseMs: () => 0, ...options.limits },
  })
  onTestFinished(() => downloads.close())
  return downloads
}

/** For somebody who never gives up. */
export const patient = () => ({ signal: new AbortController().signal })

/** For somebody whose connection is cut each time that so many bytes have arrived and no more come. */
export function cutEvery(server: FileServer, bytes: number): TaskSubscriber {
  let at = 0
  const onProgress = (done: number) => {
    if (done < at + bytes) return
    at = done
    server.cut()
  }
  return { ...patient(), onProgress }
}
