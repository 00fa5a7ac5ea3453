import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { z } from 'zod'
import { Conflict, ItemPath } from '../../../contract/areas/values/file-values.ts'
import { Time } from '../../../contract/declarations/operation.ts'
import { reserving } from '../quota/reservations.ts'
import { requireSize } from '../write/commit-file.ts'
import { chunksOf } from '../write/receive-body.ts'
import type { ServerFiles } from '../server-files.ts'
import { fieldError } from '../../../contract/messages/refusals/field-error.ts'
import { refusal } from '../../../host/refusal.ts'
import { parse } from '../../http/parse-input.ts'
import type { UploadStore } from './upload-store.ts'

const Fields = z.object({
  path: ItemPath,
  modifiedAt: Time.optional(),
  conflict: Conflict.default('refuse'),
  sha256: z
    .string()
    .regex(/^[\da-f]{64}$/i, fieldError('request.invalid.sha256'))
    .optional(),
})

interface FormResult {
  size: number
  fields: z.output<typeof Fields>
}

const FIELD_BYTES = 8192
/** Limit in bytes besides the file: fields, boundaries, buffers. */
const BESIDE_BYTES = 1024 * 1024

interface FormParts {
  incoming: IncomingMessage
  files: ServerFiles
  store: UploadStore
  temp: string
  fileSize: number
  silenceMs: number
}

export class FormReader {
  readonly given = Object.create(null) as Record<string, string>
  readonly #parts: FormParts
  readonly #gaveUp = new AbortController()
  #ofFile = 0
  #received: Promise<FormResult> | null = null

  constructor(parts: FormParts) {
    this.#parts = parts
  }

  async read(): Promise<FormResult> {
    const form = formOf(this.#parts.incoming, this.#parts.fileSize)
    const body = Readable.from(this.#bounded(), { objectMode: false })
    form.on('field', (name, value) => (this.given[name] ??= value))
    try {
      await new Promise<void>((resolve, reject) => {
        form.on('file', (_name, stream) => {
          stream.on('error', reject)
          this.#received = this.#receiveFile(stream)
          this.#received.catch(reject)
        })
        form.on('finish', resolve).on('error', () => reject(cutOff()))
        body.on('error', reject).pipe(form)
      })
    } catch (error) {
      // Keep the connection, so the client can read the refusal.
      body.unpipe(form)
      body.destroy()
      this.#gaveUp.abort()
      await this.#received?.catch(() => {})
      throw error
    }
    if (!this.#received) throw refusal(422, 'request.invalid.no-file')
    return this.#received
  }

  async *#bounded() {
    const { incoming, silenceMs } = this.#parts
    let bytes = 0
    for await (const chunk of chunksOf(incoming, silenceMs)) {
      if ((bytes += chunk.length) > this.#ofFile + BESIDE_BYTES) throw endless()
      yield chunk
    }
  }

  async #receiveFile(stream: BusboyFileStream): Promise<FormResult> {
    const { incoming, files, store, temp, fileSize } = this.#parts
    const fields = parse(Fields, { ...this.given })
    // An estimate: the size of the other fields is unknown.
    const size = Math.max(0, Number(incoming.headers['content-length'] ?? 0) - FIELD_BYTES)
    await store.check(files, { path: fields.path, conflict: fields.conflict, size })
    using reservation = await files.space.reserve(size)
    const target = createWriteStream(temp, { flags: 'wx', mode: 0o600 })
    const written = pipeline(stream, reserving(reservation), target, { signal: this.#gaveUp.signal })
    stream.on('data', (chunk: Buffer) => (this.#ofFile += chunk.length))
    await written
    if (!stream.truncated) return { size: target.bytesWritten, fields }
    requireSize(files, fileSize + 1)
    await files.requireSpace(fileSize + 1)
    throw cutOff()
  }
}

/** Throws 400 `files.cut-off` without valid form headers. */
function formOf(incoming: IncomingMessage, fileSize: number): BusboyInstance {
  try {
    return new Busboy({
      headers: incoming.headers as BusboyHeaders,
      limits: { fieldNameSize: 100, fieldSize: FIELD_BYTES, fields: 8, files: 1, fileSize },
      isPartAFile: (name) => name === 'file',
    })
  } catch {
    throw cutOff()
  }
}

const cutOff = () => refusal(400, 'files.cut-off.form')

const endless = () => refusal(413, 'request.too-large.form')
