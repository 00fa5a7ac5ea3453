import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { openTestFiles } from '../files.fixture.ts'
import { heldClock } from '../../service.fixture.ts'
import type { Reservation } from '../quota/reservations.ts'
import { createHasher } from './hasher.ts'
import { UploadStore } from './upload-store.ts'

test('the bytes of an upload count once, also while what is known of it is written down', async () => {
  const reservations = new Set<Reservation>()
  const { files } = await openTestFiles({ quotaBytes: 1000, reservations })
  const hasher = createHasher()
  onTestFinished(() => hasher.close())
  const store = new UploadStore(hasher, heldClock())
  const id = 'a'.repeat(22)
  await store.create(files, {
    ...{ id, accountId: 'a', path: 'a.txt', size: 600, modifiedAt: null, conflict: 'replace' as const },
    ...{ metadata: {}, createdAt: 0, state: { kind: 'open' as const } },
  })
  const counted: number[][] = []
  const set = files.partialUploads.set.bind(files.partialUploads)
  files.partialUploads.set = (...args) => {
    set(...args)
    // The rest of the same step is done by then, and the record is not written yet.
    queueMicrotask(() =>
      counted.push([files.partialUploads.bytes, ...[...reservations].map(({ quota }) => quota)]),
    )
  }
  const vouching = { checksum: null } as never
  expect(await store.write(files, id, Readable.from([Buffer.alloc(500)]), 0, vouching)).toBe(500)
  expect(counted).toEqual([[500, 100]])
})
