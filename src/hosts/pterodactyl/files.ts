import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { z } from 'zod'
import type { FileEntry, FileLimits, SearchHit } from '../../contract/areas/values/file-values.ts'
import { splitLast } from '../../contract/rules/paths.ts'
import { type HostBytes, HostRefusal, hostRefusal } from '../base/adapter.ts'
import { type Caller, collect, lastLines, textTooLong } from '../base/body.ts'
import { fileExists, type FileResult, resultOf } from '../base/file-results.ts'
import type { Copy, CopyRoom } from '../sftp/copying.ts'
import { BATCH } from '../sftp/files.ts'
import type { SearchWish } from '../sftp/search.ts'
import { UnofferedRequest } from '../sftp/session.ts'
import { FileObject, SignedAddress } from './answers.ts'
import type { PanelApi } from './panel-api.ts'
import type { PanelSftp } from './panel-sftp.ts'
import { pathOf } from './servers.ts'
import { openSigned, SILENT_MS } from './signed-address.ts'
import { UploadLimits } from './upload-limits.ts'

type Entry = z.input<typeof FileEntry>

/** What a panel opens as text; Wings' own default, MB. */
const TEXT_MOST = 4
const UPLOAD_ERROR_MOST = 64 * 1024

/** Paths in the contract's form: without a leading slash. */
export class PanelFiles {
  readonly #api: PanelApi
  readonly #sftp: PanelSftp
  readonly #limits = new UploadLimits()

  constructor(api: PanelApi, sftp: PanelSftp) {
    this.#api = api
    this.#sftp = sftp
  }

  async list(id: string, path: string, caller: Caller): Promise<Entry[]> {
    const { items } = await this.#api.page(`${pathOf(id)}/files/list`, FileObject, caller, {
      directory: `/${path}`,
    })
    return items.map(entryOf)
  }

  async entry(id: string, path: string, caller: Caller): Promise<Entry | null> {
    const { folder, name } = splitLast(path)
    const entries = await this.list(id, folder, caller).catch((error: unknown) => {
      if (error instanceof HostRefusal && error.status === 404) return []
      throw error
    })
    return entries.find((entry) => entry.name === name) ?? null
  }

  /**
   * As text the panel opens it itself. Larger files and parts come from the server's machine: over SFTP, or whole, by an
   * address that works once.
   */
  async read(id: string, path: string, range: string | null, caller: Caller): Promise<HostBytes> {
    const part = range === null ? null : await this.part(id, path, range, caller)
    return part ?? (await this.contents(id, path, caller)) ?? this.whole(id, path, caller)
  }

  /** From the panel itself; null for what it doesn't open. */
  async contents(id: string, path: string, caller: Caller): Promise<HostBytes | null> {
    try {
      const query = { file: `/${path}` }
      const { body } = await this.#api.open(`${pathOf(id)}/files/contents`, caller, { query })
      return { stream: body, size: null }
    } catch (error) {
      if (!(error instanceof HostRefusal) || error.status !== 400) throw error
      return null
    }
  }

  /** Null where the host gives files only whole. */
  part(id: string, path: string, range: string, caller: Caller): Promise<HostBytes | null> {
    return this.#sftp.with(id, caller, ({ files }) => files.read(path, range, caller))
  }

  /** From the server's machine. */
  async whole(id: string, path: string, caller: Caller): Promise<HostBytes> {
    const bySftp = await this.#sftp.with(id, caller, ({ files }) => files.read(path, null, caller))
    return bySftp ?? this.#download(id, path, caller)
  }

  /** The last lines of a text file. */
  async tail(id: string, path: string, caller: Caller): Promise<string[]> {
    return lastLines((await this.read(id, path, null, caller)).stream)
  }

  async write(
    id: string,
    path: string,
    content: Readable,
    mustBeNew: boolean,
    caller: Caller,
  ): Promise<Entry> {
    const bytes = await collect(content, TEXT_MOST * 1024 * 1024, textTooLong(TEXT_MOST))
    if (mustBeNew && (await this.entry(id, path, caller))) throw hostRefusal(412, 'files.exists', { path })
    const query = { file: `/${path}` }
    await this.#api.send(`${pathOf(id)}/files/write`, caller, { method: 'POST', query, bytes })
    return this.#written(id, path, caller)
  }

  async makeFolder(id: string, path: string, mustBeNew: boolean, caller: Caller): Promise<Entry> {
    const there = await this.entry(id, path, caller)
    if (there && (mustBeNew || there.kind !== 'folder')) throw fileExists(path)
    if (there) return there
    const { folder, name } = splitLast(path)
    await this.#api.send(`${pathOf(id)}/files/create-folder`, caller, {
      method: 'POST',
      json: { root: `/${folder}`, name },
    })
    return this.#written(id, path, caller)
  }

  async move(
    id: string,
    { from, to }: { from: string; to: string },
    conflict: ConflictRule,
    caller: Caller,
  ): Promise<FileResult> {
    return resultOf(from, async () => {
      if (await this.entry(id, to, caller)) {
        if (conflict === 'skip') return 'skipped'
        // Wings doesn't replace, and to delete first could lose both.
        throw fileExists(to)
      }
      await this.#api.send(`${pathOf(id)}/files/rename`, caller, {
        method: 'PUT',
        json: { root: '/', files: [{ from, to }] },
      })
      return 'done'
    })
  }

  /** For good: these panels have no trash. */
  async remove(id: string, path: string, caller: Caller): Promise<FileResult> {
    return resultOf(path, async () => {
      const { folder, name } = splitLast(path)
      await this.#api.send(`${pathOf(id)}/files/delete`, caller, {
        method: 'POST',
        json: { root: `/${folder}`, files: [name] },
      })
      return 'done'
    })
  }

  /** Over SFTP, else by an address that works once. */
  async upload(id: string, upload: Upload, caller: Caller): Promise<Entry> {
    const { path, conflict, file, modifiedAt, sha256 } = upload
    const sent = {
      path,
      bytes: file,
      mustBeNew: conflict !== 'replace',
      modifiedAt,
      ...(sha256 && { sha256 }),
    }
    const written = await this.#sftp
      .with(id, caller, ({ writing }) => writing.write(sent, caller))
      .catch((error: unknown) => {
        if (file.readableDidRead) throw error
        return this.#unlessReadOnly(id, error)
      })
    return written ?? this.#uploadOnce(id, upload, caller)
  }

  /** A machine may take nothing over SFTP; it isn't tried again for a while. */
  #unlessReadOnly(id: string, error: unknown): null {
    if (!(error instanceof UnofferedRequest)) throw error
    this.#sftp.shut(id)
    return null
  }

  async #uploadOnce(id: string, upload: Upload, caller: Caller): Promise<Entry> {
    const { path, conflict, file, formBytes = 0 } = upload
    this.#limits.check(this.#sftp.machine(id), formBytes)
    const there = await this.entry(id, path, caller)
    if (there && (conflict !== 'replace' || there.kind === 'folder')) throw fileExists(path)
    const { url } = await this.#api.one(`${pathOf(id)}/files/upload`, SignedAddress, caller)
    const { folder, name } = splitLast(path)
    const address = this.#api.address(url, 'https:')
    address.searchParams.set('directory', `/${folder}`)
    await this.#send(id, { address, name, file }, caller)
    return this.#written(id, path, caller)
  }

  /** Small files, many at once, where there is SFTP. */
  async batch(id: string, tar: Readable, replaces: boolean, caller: Caller): Promise<FileResult[]> {
    const results = await this.#sftp
      .with(id, caller, ({ batch }) => batch.write(tar, replaces, caller))
      .catch((error: unknown) => this.#unlessReadOnly(id, error))
    if (results) return results
    throw noSftp()
  }

  /** A folder with all in it: where it is then, or null if it was skipped. It takes SFTP. */
  async copyFolder(
    id: string,
    copy: Copy,
    conflict: ConflictRule,
    room: CopyRoom,
    caller: Caller,
  ): Promise<string | null> {
    const done = await this.#sftp.with(id, caller, async ({ copying }) => ({
      path: await copying.copied(copy, conflict, room, caller),
    }))
    if (!done) throw hostRefusal(409, 'host.copy-file')
    return done.path
  }

  /** Where there is SFTP; a panel would be asked for each folder, and answers 240 times a minute. */
  async search(id: string, wish: SearchWish, caller: Caller): Promise<z.input<typeof SearchHit>[]> {
    const hits = await this.#sftp.with(id, caller, ({ search }) => search.run(wish, caller))
    if (hits) return hits
    throw noSftp()
  }

  limits(id: string, { disk, used }: Room): z.input<typeof FileLimits> {
    const quotaBytes = disk ? disk * 1024 * 1024 : null
    const usedBytes = used ?? null
    const freeBytes = quotaBytes !== null && usedBytes !== null ? Math.max(0, quotaBytes - usedBytes) : null
    const batch = this.#sftp.mayBeOpen(id) ? BATCH : null
    const maxFileBytes = batch ? null : this.#limits.of(this.#sftp.machine(id))
    const room = { quotaBytes, usedBytes, freeBytes }
    return { resumable: false, checksumLast: true, batch, trash: null, maxFileBytes, ...room }
  }

  async #download(id: string, path: string, caller: Caller): Promise<HostBytes> {
    const query = { file: `/${path}` }
    const { url } = await this.#api.one(`${pathOf(id)}/files/download`, SignedAddress, caller, query)
    return openSigned(this.#api, url, caller)
  }

  /** The address names its own permission: the key goes to the panel alone. */
  async #send(id: string, { address, name, file }: FormUpload, { signal }: Caller): Promise<void> {
    const boundary = `wheelhouse-${randomUUID()}`
    const shown = name.replace(/["\\\r\n]/g, '_')
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${shown}"\r\n` +
          'Content-Type: application/octet-stream\r\n\r\n',
      )
      yield* file as AsyncIterable<Uint8Array>
      yield Buffer.from(`\r\n--${boundary}--\r\n`)
    }
    const answer = await this.#api.dispatcher.request({
      ...{ origin: address.origin, path: address.pathname + address.search, method: 'POST' },
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'user-agent': 'Wheelhouse' },
      body: Readable.from(body(), { objectMode: false }),
      signal,
      headersTimeout: 5 * 60_000,
      bodyTimeout: SILENT_MS,
    })
    answer.body.on('error', () => {})
    if (answer.statusCode >= 200 && answer.statusCode < 300) return void answer.body.destroy()
    const text = (await collect(answer.body, UPLOAD_ERROR_MOST)).toString()
    const tooLarge = this.#limits.refused(this.#sftp.machine(id), text)
    if (tooLarge) throw tooLarge
    // By what is in front of the machine, which doesn't tell its limit.
    throw answer.statusCode === 413
      ? hostRefusal(413, 'host.upload-size.unknown')
      : hostRefusal(503, 'host.node-away')
  }

  /** As the host itself tells it afterwards. */
  async #written(id: string, path: string, caller: Caller): Promise<Entry> {
    const entry = await this.entry(id, path, caller)
    if (!entry) throw hostRefusal(502, 'host.not-written')
    return entry
  }
}

const noSftp = () => new HostRefusal(501, 'There is no way in over SFTP.')

export type ConflictRule = 'refuse' | 'replace' | 'keep-both' | 'skip' | undefined

/** MiB, and bytes. */
interface Room {
  disk: number | null | undefined
  used: number | null | undefined
}

interface FormUpload {
  address: URL
  name: string
  file: Readable
}

interface Upload {
  path: string
  conflict: string
  file: Readable
  /** Of the form that it comes in. */
  formBytes?: number
  modifiedAt?: string | undefined
  /** Hex; asked for when all was read. */
  sha256?: () => Promise<string | undefined>
}

function entryOf({ name, is_file, is_symlink, size, mode_bits, modified_at }: FileObject): Entry {
  const mode = Number.parseInt(String(mode_bits ?? ''), 8)
  const modified = Date.parse(modified_at ?? '')
  return {
    name,
    kind: is_symlink ? 'link' : is_file === false ? 'folder' : 'file',
    size: is_file === false ? null : size,
    modifiedAt: Number.isNaN(modified) ? null : new Date(modified).toISOString(),
    mode: Number.isNaN(mode) ? null : mode,
  }
}
