import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { z } from 'zod'
import type { FileEntry } from '../../../contract/areas/values/file-values.ts'
import { backups as operations } from '../../../contract/areas/backups.ts'
import { nameOf, parentOf } from '../../../contract/rules/paths.ts'
import { isoTime } from '../../base/clock.ts'
import { refusal } from '../../../host/refusal.ts'
import type { BackupContents, BackupEntry } from '../../backups/backup-store.ts'
import type { Backups } from '../../backups/backups.ts'
import type { ArchiveItem } from '../../files/archives/archive-entries.ts'
import { zipOf } from '../../files/archives/archive-zip.ts'
import { answerBytes } from '../../files/write/content.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'

const PAGE = 1000
/** Larger ones are streamed. */
const SMALL = 256 * 1024

/** Read-only, from the list and the archive: nothing is unpacked on the disk. */
export function mountBackupContents(app: ServiceApp, backups: Backups): void {
  serve(app, operations.files, async ({ server, query }) => {
    const { row, store } = backups.whole(server.id, query.backup)
    const { limit = PAGE, cursor } = query
    const after = cursor === undefined ? null : fromCursor(cursor)
    const entries = (await store.list(row.id, query.path ?? ''))
      .map((entry) => ({ name: nameOf(entry.path), entry }))
      .filter(({ name }) => after === null || name > after)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    const page = entries.slice(0, limit)
    const last = page.at(-1)
    const nextCursor = entries.length > limit && last ? toCursor(last.name) : null
    return { items: page.map(({ name, entry }) => entryView(name, entry)), nextCursor }
  })

  serve(app, operations.content, async ({ server, query, signal, c }) => {
    const { row, store } = backups.whole(server.id, query.backup)
    const { path = '' } = query
    const entry = path === '' ? null : await store.entry(row.id, path)
    if (entry?.kind === 'file')
      return answerBytes(
        {
          size: entry.size,
          tag: `"${row.id}-${entry.size.toString(36)}-${Math.round(entry.modifiedAt).toString(36)}"`,
          modifiedAt: entry.modifiedAt,
          bytes: async (start, end) =>
            Readable.toWeb(await store.read(row.id, path, { start, end })) as ReadableStream<Uint8Array>,
          close: () => Promise.resolve(),
        },
        { method: c.req.raw.method, header: (name) => c.req.header(name) },
      )
    const headers = { 'Content-Type': 'application/zip', 'Content-Disposition': 'attachment' }
    if (c.req.raw.method === 'HEAD') return new Response(null, { headers })
    const zip = zipOf(itemsOf(store, row.id, path), (at) => nameIn(path, at), {
      ...{ signal, total: nothing, add: nothing, leaveOut: nothing, namesRead: nothing, finish: nothing },
    })
    return new Response(Readable.toWeb(Readable.from(zip, { objectMode: false })) as ReadableStream, {
      headers,
    })
  })
}

const nothing = () => undefined

/** The folder itself is in it, unless it is everything. */
const nameIn = (top: string, path: string): string => {
  const above = parentOf(top)
  return above === '' ? path : path.slice(above.length + 1)
}

async function* itemsOf(store: BackupContents, id: string, top: string): AsyncGenerator<ArchiveItem> {
  for await (const { path, kind, size, modifiedAt, mode } of store.walk(id, top === '' ? null : [top])) {
    const common = { path, modifiedAt: new Date(modifiedAt), mode }
    if (kind === 'folder') yield { ...common, kind }
    else if (size > SMALL)
      yield { ...common, kind: 'large', size, handle: handleOf(await store.read(id, path)) }
    else yield { ...common, kind: 'file', data: await whole(await store.read(id, path)) }
  }
}

const whole = async (stream: Readable): Promise<Buffer> => Buffer.concat(await stream.toArray())

const handleOf = (
  stream: Readable,
): Pick<FileHandle, typeof Symbol.asyncDispose> & { createReadStream(): Readable } => ({
  createReadStream: () => stream,
  [Symbol.asyncDispose]: async () => void stream.destroy(),
})

const entryView = (
  name: string,
  { kind, size, modifiedAt, mode }: BackupEntry,
): z.input<typeof FileEntry> => ({
  ...{ name, kind, size: kind === 'file' ? size : null, modifiedAt: isoTime(modifiedAt), mode },
})

const toCursor = (name: string): string => Buffer.from(`n${name}`).toString('base64url')

function fromCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (text.startsWith('n')) return text.slice(1)
  throw refusal(422, 'request.invalid.cursor').at('cursor')
}
