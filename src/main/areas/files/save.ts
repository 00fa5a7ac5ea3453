import { Readable } from 'node:stream'
import { api } from '../../../contract/areas/index.ts'
import type { ParsedCallInput } from '../../../contract/bridge/calls.ts'
import type { ServerRef } from '../../../contract/bridge/values.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { PanelProblem, problem } from '../../base/problem.ts'
import {
  type FileRef,
  hashTag,
  isHashTag,
  probe,
  readWhole,
  type FileContent,
  TEXT_MOST_BYTES,
  textOf,
} from './contents.ts'
import type { PreviousVersions } from './previous-versions.ts'
import { holds, names, notProven } from '../../transfers/send/verify-upload.ts'

type Base = ParsedCallInput<'files.write-text'>['base']

const codeOf = (error: unknown) => (error instanceof PanelProblem ? error.problem.code : null)
const gone = () => problem('not-found', localized('file.deleted'))
const changed = () => problem('changed', localized('file.changed'))
const exists = () => problem('conflict', localized('file.name-taken'), { serviceCode: 'files.exists' })

/** Reads the file first, to keep it and because a service may ignore `If-Match`. */
export async function saveText(
  at: FileRef,
  server: ServerRef,
  text: string,
  base: Base,
  former: PreviousVersions,
): Promise<{ etag: string | null; running: boolean }> {
  const bytes = Buffer.from(text)
  if (bytes.length > TEXT_MOST_BYTES)
    throw problem('too-large', localized('file.too-large', { most: TEXT_MOST_BYTES }))
  if (!text.isWellFormed()) throw problem('invalid', localized('file.half-character'))

  const now = await before(at, base)
  const keptId =
    now?.kind === 'bytes' && textOf(now.bytes) !== null && !now.bytes.equals(bytes)
      ? await former.keep(server, at.path, now.bytes, 'saved')
      : null
  const etag = base.kind === 'etag' ? (isHashTag(base.etag) ? now?.etag : base.etag) : undefined
  try {
    const { value, etag: written } = await at.client.send(
      api.files.write,
      { params: { serverId: at.serverId }, query: { path: at.path } },
      {
        content: bytes,
        ...(etag ? { ifMatch: etag } : {}),
        ...(base.kind === 'create' ? { ifNoneMatch: '*' } : {}),
      },
    )
    // The editor drops its draft on success, so it has to be proven.
    if (
      !names(value, at.path, bytes.length) &&
      !(await holds(at.client, at, async () => Readable.from([bytes])))
    )
      throw notProven()
    return { etag: written ?? hashTag(bytes), running: value?.running ?? false }
  } catch (error) {
    const why = await refused(at, base, error)
    // If the write may have happened, keep the old version.
    if (!(error instanceof PanelProblem && error.problem.unsure)) await former.remove(keptId)
    throw why
  }
}

/** Null if unreadable. Throws if it isn't what the save is based on. */
async function before(at: FileRef, base: Base): Promise<FileContent | null> {
  if (base.kind === 'create') {
    if (await isThere(at)) throw exists()
    return null
  }
  let now: FileContent
  try {
    now = await readWhole(at)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'not-found' && base.kind === 'etag') throw gone()
    // Without read access or an ETag, nothing protects against overwriting.
    const unguarded = base.kind === 'etag' && isHashTag(base.etag)
    if (!unguarded && (code === 'not-found' || code === 'forbidden' || code === 'unavailable')) return null
    throw error
  }
  if (base.kind === 'etag') {
    const tag = isHashTag(base.etag) ? (now.kind === 'bytes' ? hashTag(now.bytes) : null) : now.etag
    // Some services send ETags only on writes, but still check them.
    if (tag !== base.etag && (tag !== null || isHashTag(base.etag))) throw changed()
  }
  return now
}

/** Explains a refusal: the file may have been created, changed or deleted in between. */
async function refused(at: FileRef, base: Base, error: unknown): Promise<unknown> {
  if (codeOf(error) !== 'changed') return error
  if (base.kind === 'create') return exists()
  return (await isThere(at).catch(() => true)) ? error : gone()
}

async function isThere(at: FileRef): Promise<boolean> {
  try {
    await probe(at)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'not-found' || code === 'forbidden' || code === 'unavailable') return false
    if (code === 'conflict' || code === 'invalid') return true
    throw error
  }
}
