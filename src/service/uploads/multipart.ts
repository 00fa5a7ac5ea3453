import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { z } from 'zod'
import { Conflict, ItemPath } from '../../contract/areas/file-values.ts'
import { Time } from '../../contract/areas/operation.ts'
import { claiming } from '../files/quota/reservations.ts'
import type { Placed } from '../files/write/commit-file.ts'
import { requireSize } from '../files/write/commit-file.ts'
import { chunksOf, SILENCE_MS } from '../files/write/receive-body.ts'
import { asRefusal } from '../files/refusals.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { Refusal } from '../refusal.ts'
import { parse } from '../parse-input.ts'
import type { Hasher } from './hasher.ts'
import type { UploadStore } from './upload-store.ts'

const Fields = z.object({
  path: ItemPath,
  modifiedAt: Time.optional(),
  conflict: Conflict.default('refuse'),
  /** Hex. */
  sha256: z
    .string()
    .regex(/^[\da-f]{64}$/i, 'The SHA-256 of the file must be 64 hexadecimal digits.')
    .optional(),
})

interface Received {
  /** Bytes. */
  size: number
  fields: z.output<typeof Fields>
}

/** Most bytes of a field before the file. */
const FIELD_BYTES = 8192
/** Most bytes of a form beside its file: fields, what stands between them, and what is on its way within the service. */
const BESIDE_BYTES = 1024 * 1024

/**
 * The simple way: one form with the fields `path`, `modifiedAt`, `conflict`, `sha256`, and after them `file`. Nothing is
 * placed unless the whole form arrived, and who sent it may still write here. Throws 400 `files.cut-off`, 408 `files.stalled`, 409, 413, 422, 507; 413
 * `request.too-large` where there is no end of what is beside the file.
 */
export async function receiveForm(
  incoming: IncomingMessage,
  files: ServerFiles,
  store: UploadStore,
  hasher: Hasher,
  checkAgain: () => void,
  silenceMs = SILENCE_MS,
): Promise<Placed> {
  const free = await files.space.free()
  const fileSize = Math.min(files.maxFileBytes ?? Infinity, free)
  const given = Object.create(null) as Record<string, string>
  const temp = files.newTemp()
  const gaveUp = new AbortController()
  const file: { received: Promise<Received> | null } = { received: null }

  let ofFile = 0
  const bounded = async function* () {
    let bytes = 0
    for await (const chunk of chunksOf(incoming, silenceMs)) {
      if ((bytes += chunk.length) > ofFile + BESIDE_BYTES) throw endless()
      yield chunk
    }
  }

  const receive = async (stream: BusboyFileStream): Promise<Received> => {
    const fields = parse(Fields, { ...given })
    // What the form holds beside the file is little, and not known to the byte.
    const size = Math.max(0, Number(incoming.headers['content-length'] ?? 0) - FIELD_BYTES)
    await store.check(files, { path: fields.path, conflict: fields.conflict, size })
    using claim = await files.space.claim(size)
    const target = createWriteStream(temp, { flags: 'wx', mode: 0o600 })
    const written = pipeline(stream, claiming(claim), target, { signal: gaveUp.signal })
    stream.on('data', (chunk: Buffer) => (ofFile += chunk.length))
    await written
    if (!stream.truncated) return { size: target.bytesWritten, fields }
    requireSize(files, fileSize + 1)
    await files.requireSpace(fileSize + 1)
    throw cutOff()
  }

  try {
    const form = formOf(incoming, fileSize)
    const body = Readable.from(bounded(), { objectMode: false })
    form.on('field', (name, value) => (given[name] ??= value))
    try {
      await new Promise<void>((resolve, reject) => {
        form.on('file', (_name, stream) => {
          stream.on('error', reject)
          file.received = receive(stream)
          file.received.catch(reject)
        })
        form.on('finish', resolve).on('error', () => reject(cutOff()))
        body.on('error', reject).pipe(form)
      })
    } catch (error) {
      // The connection stays, so that the refusal can be read.
      body.unpipe(form)
      body.destroy()
      gaveUp.abort()
      await file.received?.catch(() => {})
      throw error
    }
    if (!file.received) throw new Refusal(422, 'request.invalid', 'The form contains no part called "file".')
    const { size, fields } = await file.received
    if (fields.sha256 && (await hasher.digest(temp, size)) !== fields.sha256.toLowerCase()) {
      throw new Refusal(
        422,
        'files.checksum',
        'What arrived is not what was sent: the checksums differ. Nothing was written. Send the file again.',
      )
    }
    const modifiedAt = fields.modifiedAt === undefined ? null : Date.parse(fields.modifiedAt)
    return await files.place(temp, fields.path, {
      conflict: fields.conflict,
      modifiedAt,
      check: checkAgain,
    })
  } catch (error) {
    throw asRefusal(error, given['path'] ?? '')
  } finally {
    hasher.forget(temp)
    await rm(temp, { force: true })
  }
}

/** Throws 400 `files.cut-off` where the headers are none of a form. */
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

const cutOff = () =>
  new Refusal(400, 'files.cut-off', 'The form ended too early, or is not a form. Nothing was written.')

const endless = () =>
  new Refusal(
    413,
    'request.too-large',
    'The form contains more than 1 MiB besides its file. Nothing was written. Send only the file and its fields.',
  )
