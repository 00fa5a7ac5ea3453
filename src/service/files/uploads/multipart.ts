import { rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { CommitResult } from '../write/commit-file.ts'
import { SILENCE_MS } from '../write/receive-body.ts'
import { asRefusal } from '../names/refusals.ts'
import type { ServerFiles } from '../server-files.ts'
import { refusal } from '../../../host/refusal.ts'
import { FormReader } from './form-reader.ts'
import type { Hasher } from './hasher.ts'
import type { UploadStore } from './upload-store.ts'

/**
 * Fields `path`, `modifiedAt`, `conflict`, `sha256`, then `file`. Places the file only when the form is complete and
 * writing still permitted. Throws 400 `files.cut-off`, 408 `files.stalled`, 409, 413, 422, 507.
 */
export async function receiveForm(
  incoming: IncomingMessage,
  files: ServerFiles,
  store: UploadStore,
  hasher: Hasher,
  checkAgain: () => void,
  silenceMs = SILENCE_MS,
): Promise<CommitResult> {
  const free = await files.space.free()
  const fileSize = Math.min(files.maxFileBytes ?? Infinity, free)
  const temp = files.newTemp()
  const form = new FormReader({ incoming, files, store, temp, fileSize, silenceMs })
  try {
    const { size, fields } = await form.read()
    if (fields.sha256 && (await hasher.digest(temp, size)) !== fields.sha256.toLowerCase()) {
      throw refusal(422, 'files.checksum')
    }
    const modifiedAt = fields.modifiedAt === undefined ? null : Date.parse(fields.modifiedAt)
    return await files.commit(temp, fields.path, {
      conflict: fields.conflict,
      modifiedAt,
      check: checkAgain,
    })
  } catch (error) {
    throw asRefusal(error, form.given['path'] ?? '')
  } finally {
    hasher.forget(temp)
    await rm(temp, { force: true })
  }
}
