import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { startFileService, type FileService } from '../files.fixture.ts'
import type { ServiceOptions } from '../../service.ts'

/** Bytes that no compression makes smaller, and their hash as the header `Upload-Checksum` has it. */
export function content(size: number): { bytes: Buffer; checksum: string; hex: string } {
  const bytes = randomBytes(size)
  const hex = sha256(bytes)
  return { bytes, hex, checksum: `sha256 ${Buffer.from(hex, 'hex').toString('base64')}` }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** `Upload-Metadata` of these values. */
export const metadata = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')

interface RawAnswer {
  status: number
  headers: IncomingMessage['headers']
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a test reads of it, it asserts
  body: any
}

/** Hears what nobody else does. */
const unheard = () => undefined

/** One request of the protocol as it is on the wire. */
export class RawTus {
  readonly origin: string
  readonly uploads: string
  readonly token: string

  constructor(baseUrl: string, serverId: string, token: string) {
    this.origin = new URL(baseUrl).origin
    this.uploads = `${new URL(baseUrl).pathname}/servers/files/upload/${serverId}`
    this.token = token
  }

  /** Begins a request; the caller writes its body and ends it. */
  begin(method: string, target: string, headers: Record<string, string> = {}): ClientRequest {
    const request = httpRequest(this.origin + target, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, 'Tus-Resumable': '1.0.0', ...headers },
    })
    // An answer may come before the body is sent, and the connection end behind it: then nobody else listens.
    request.on('socket', (socket) => {
      // A kept connection is given to one request after the other.
      if (!socket.listeners('error').includes(unheard)) socket.on('error', unheard)
    })
    return request
  }

  async send(
    method: string,
    target: string,
    headers: Record<string, string> = {},
    body: Buffer | null = null,
  ): Promise<RawAnswer> {
    const request = this.begin(method, target, {
      ...(body && { 'Content-Length': String(body.length) }),
      ...headers,
    })
    const answer = answerOf(request).catch((error: NodeJS.ErrnoException) => {
      // The service ends a connection that is idle for seconds, maybe right when it is used again: it has read nothing then.
      if (!request.reusedSocket || error.code !== 'ECONNRESET') throw error
      return this.send(method, target, headers, body)
    })
    request.end(body ?? undefined)
    return answer
  }

  create(
    size: number,
    values: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<RawAnswer> {
    return this.send('POST', this.uploads, {
      'Upload-Length': String(size),
      'Upload-Metadata': metadata(values),
      ...headers,
    })
  }

  patch(
    target: string,
    offset: number,
    body: Buffer,
    headers: Record<string, string> = {},
  ): Promise<RawAnswer> {
    return this.send('PATCH', target, { ...patchHeaders(offset), ...headers }, body)
  }

  async offset(target: string): Promise<number> {
    const { status, headers } = await this.send('HEAD', target)
    if (status !== 200) throw new Error(`HEAD answered ${status}`)
    return Number(headers['upload-offset'])
  }
}

export const patchHeaders = (offset: number): Record<string, string> => ({
  'Upload-Offset': String(offset),
  'Content-Type': 'application/offset+octet-stream',
})

export function answerOf(request: ClientRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const body: unknown = text.startsWith('{') ? JSON.parse(text) : text
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
      })
    })
  })
}

/** All names below the server's folder. */
export const namesIn = async (root: string): Promise<string[]> =>
  (await readdir(root, { recursive: true })).map((name) => name.replaceAll(path.sep, '/')).sort()

/** A service with a server and a client of tus for it. */
export async function startUploads(
  options: Partial<ServiceOptions> = {},
): Promise<FileService & { tus: RawTus }> {
  const it = await startFileService(options)
  return Object.assign(it, { tus: new RawTus(it.baseUrl, it.serverId, it.token) })
}

/** Where the bytes of uploads wait. */
export const stagingOf = (it: FileService) => path.join(it.service.dataDir, 'staging', it.serverId, 'uploads')
