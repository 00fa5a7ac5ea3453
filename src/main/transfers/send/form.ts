import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { api } from '../../../contract/areas/index.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { problem } from '../../base/problem.ts'
import { joined, nameOf } from '../../../contract/rules/paths.ts'
import { namesIn, notProven } from './verify-upload.ts'
import {
  type ItemOutcome,
  errorCode,
  errorMessage,
  finalPath,
  type TransferContext,
} from '../items/context.ts'
import { isSent, isThereAsTaken } from '../items/compare-remote.ts'
import type { Source } from '../sources/local-file.ts'
import type { ItemRow } from '../store/rows.ts'

/** Of SHA-256 in hex. */
const SUM_LENGTH = 64

/** One multipart POST, for services without tus. Not resumable; after a lost answer the file is compared. */
export async function uploadByForm(
  context: TransferContext,
  item: ItemRow,
  source: Source,
): Promise<ItemOutcome> {
  const { signal } = context
  const target = item.target
  const unsure = item.sent
  const isLast = context.limits?.checksumLast === true
  const named = (name: string) => context.client.nameOf(api.files.upload, name)
  const boundary = `wheelhouse-${randomUUID()}`
  const fields: [string, string][] = [['path', target]]
  if (item.modifiedAt !== null) fields.push(['modifiedAt', new Date(item.modifiedAt).toISOString()])
  // For keep-both the name was chosen before, see `keepBoth`.
  fields.push(['conflict', item.choice === 'replace' ? 'replace' : 'refuse'])
  const field = ([name, value]: [string, string]) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${named(name)}"\r\n\r\n${value}\r\n`
  const sum = async () => field(['sha256', Buffer.from(await source.sha256(), 'base64').toString('hex')])
  const head = Buffer.from(
    fields.map(field).join('') +
      (isLast ? '' : await sum()) +
      `--${boundary}\r\nContent-Disposition: form-data; name="${named('file')}"; filename="${quoted(nameOf(target))}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  )
  const last = isLast ? field(['sha256', ' '.repeat(SUM_LENGTH)]) : ''
  const tailLength = `\r\n${last}--${boundary}--\r\n`.length
  const bytes = await source.piece(0, source.size, signal)
  async function* body(): AsyncGenerator<Uint8Array> {
    yield head
    yield* context.limiter.pace(bytes, signal)
    yield Buffer.from(`\r\n${isLast ? await sum() : ''}--${boundary}--\r\n`)
  }
  await context.keep(item, { sent: true })
  const answer = await context.client.raw(api.files.upload, {
    params: { serverId: context.transfer.serverId },
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + source.size + tailLength),
    },
    body: Readable.from(body(), { objectMode: false }),
    accept: [409, 422],
    signal,
  })
  if (answer.status === 409 && errorCode(answer.json) === 'files.exists') {
    if (unsure && (await isSent(context, target, item, source)))
      return { kind: 'done', finalPath: finalPath(context, item, target) }
    await context.keep(item, { sent: false })
    return item.choice === 'skip' ? { kind: 'skipped' } : { kind: 'asking' }
  }
  if (answer.status >= 400) {
    await context.keep(item, { sent: false })
    const code = errorCode(answer.json)
    const message = errorMessage(answer.json)
    throw problem(
      answer.status === 409 ? 'conflict' : 'invalid',
      message === null ? localized('send.refused') : { message },
      { retryable: false, ...(code === null ? {} : { serviceCode: code }) },
    )
  }
  // Our only copy is deleted next, so the upload must be proven first.
  const alone = item.source === '' || item.source.startsWith(context.spoolFolder)
  if (alone && !namesIn(answer.json, target, source.size) && !(await isThereAsTaken(context, target, source)))
    return { kind: 'failed', problem: notProven().problem }
  // The answer has only the name, within the requested folder.
  const name = (answer.json as { entry?: { name?: unknown } } | null)?.entry?.name
  const final = typeof name === 'string' ? joined(target.slice(0, -nameOf(target).length - 1), name) : target
  return { kind: 'done', finalPath: finalPath(context, item, final) }
}

const quoted = (name: string) => name.replace(/["\\\r\n]/g, '_')
