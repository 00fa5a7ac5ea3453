import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { DataStore, Upload } from '@tus/server'
import { Conflict, ItemPath } from '../../../contract/areas/values/file-values.ts'
import { Time } from '../../../contract/declarations/operation.ts'
import type { AgingClock } from '../../base/clock.ts'
import type { ServerFiles } from '../server-files.ts'
import { refusal } from '../../../host/refusal.ts'
import { parse } from '../../http/parse-input.ts'
import type { Holder } from './locks.ts'
import type { UploadRecord } from './record.ts'
import { EXPIRES_MS, gone, type UploadStore, type UploadConditions } from './upload-store.ts'

/** Request context that @tus/server doesn't pass on. */
export interface TusRequestContext {
  accountId: string
  files: ServerFiles
  vouching: UploadConditions
  holder: Holder
  path: string
  failure: unknown
  record: UploadRecord | null
}

/** Adapts `UploadStore` to @tus/server. Accounts see only their own uploads. */
export class TusStore extends DataStore {
  override extensions = ['creation', 'termination', 'expiration']
  readonly #store: UploadStore
  readonly #clock: AgingClock
  readonly #asking: () => TusRequestContext

  constructor(store: UploadStore, clock: AgingClock, asking: () => TusRequestContext) {
    super()
    this.#store = store
    this.#clock = clock
    this.#asking = asking
  }

  override async create(upload: Upload): Promise<Upload> {
    const ask = this.#asking()
    const record = newRecord(upload, ask.accountId, this.#clock.now())
    await this.#store.create(ask.files, record)
    ask.record = record
    if (record.size > 0) return upload
    // An empty file is complete already.
    try {
      await this.#store.write(ask.files, upload.id, empty(), 0, emptyVouched(ask.vouching))
    } catch (error) {
      await this.#store.remove(ask.files, upload.id)
      throw error
    }
    await this.#look(upload.id)
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const { record, offset, touchedAt } = await this.#look(id)
    const { size, metadata } = record
    return new Upload({ id, size, offset, metadata, creation_date: new Date(touchedAt).toISOString() })
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const ask = this.#asking()
    const reached = await this.#store.write(ask.files, id, stream, offset, ask.vouching)
    await this.#look(id)
    return reached
  }

  override async remove(id: string): Promise<void> {
    await this.#look(id)
    await this.#store.remove(this.#asking().files, id)
  }

  override getExpiration(): number {
    return EXPIRES_MS
  }

  async #look(id: string) {
    const ask = this.#asking()
    const state = await this.#store.read(ask.files, id)
    if (state?.record.accountId !== ask.accountId) throw gone()
    ask.record = state.record
    return state
  }
}

function newRecord(upload: Upload, accountId: string, now: number): UploadRecord {
  const { metadata = {}, id, size } = upload
  if (size === undefined || !Number.isSafeInteger(size)) {
    throw refusal(422, 'request.invalid.size').at('Upload-Length')
  }
  const read = { path: metadata['path'] ?? '', conflict: metadata['conflict'] ?? 'refuse' }
  const modifiedAt = metadata['modifiedAt'] || null
  return {
    id,
    accountId,
    path: parse(ItemPath, read.path),
    size,
    modifiedAt: modifiedAt === null ? null : parse(Time, modifiedAt),
    conflict: parse(Conflict, read.conflict),
    metadata,
    createdAt: now,
    state: { kind: 'open' },
  }
}

const empty = (): Readable => Readable.from([])

/** Empty files need no checksum from the client. */
const SHA256_OF_NOTHING = createHash('sha256').digest('hex')

const emptyVouched = (vouching: UploadConditions): UploadConditions => ({
  conflict: vouching.conflict,
  checkAgain: () => vouching.checkAgain(),
  sha256: () => vouching.sha256() ?? SHA256_OF_NOTHING,
})
