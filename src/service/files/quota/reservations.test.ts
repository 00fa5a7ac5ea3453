import { statfs } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { reserving, type Reservation } from './reservations.ts'
import { openTestFiles } from '../files.fixture.ts'

test('what is on its way to a server has its room: who comes later is refused, not both in the middle', async () => {
  const { files } = await openTestFiles({ quotaBytes: 1000 })
  const [first, second] = await Promise.allSettled([files.space.reserve(600), files.space.reserve(600)])
  expect(first.status).toBe('fulfilled')
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'files.quota' } })
  expect(await files.space.free()).toBe(400)
  if (first.status === 'fulfilled') first.value[Symbol.dispose]()
  expect(await files.space.free()).toBe(1000)
  using _again = await files.space.reserve(600)
})

test('servers on one disk reckon with each other, but not with the quota of the other', async () => {
  const reservations = new Set<Reservation>()
  const [one, other] = [
    await openTestFiles({ reservations }),
    await openTestFiles({ reservations, quotaBytes: 1000 }),
  ]
  const { bavail, bsize } = await statfs(one.root)
  using _most = await one.files.space.reserve(Math.floor(bavail * bsize * 0.9))
  await expect(other.files.space.reserve(1000)).resolves.toBeDefined()
  await expect(one.files.space.reserve(Math.floor(bavail * bsize * 0.9))).rejects.toMatchObject({
    code: 'files.disk-full',
  })
})

test('what is written and counted is reserved no longer', async () => {
  const { files } = await openTestFiles({ quotaBytes: 1000 })
  using reservation = await files.space.reserve(1000)
  await expect(files.space.reserve(1)).rejects.toMatchObject({ code: 'files.quota' })
  reservation.wrote(400)
  reservation.counted(400)
  expect([reservation.disk, reservation.quota]).toEqual([600, 600])
  using _next = await files.space.reserve(400)
})

test.for([10, 11])('of a stream of %i00 bytes as many get through as fit', async (count) => {
  const { files } = await openTestFiles({ quotaBytes: 1000 })
  using reservation = await files.space.reserve(0)
  const chunks = Array.from({ length: count }, () => Buffer.alloc(100))
  let through = 0
  const sent = pipeline(Readable.from(chunks), reserving(reservation), async (stream) => {
    for await (const chunk of stream) through += (chunk as Buffer).length
  })
  if (count === 10) await sent
  else await expect(sent).rejects.toMatchObject({ code: 'files.quota' })
  expect(through).toBeLessThanOrEqual(1000)
})

test('bytes that are written while it is looked whether others fit count once', async () => {
  const { files } = await openTestFiles({ quotaBytes: 700 })
  const first = await files.space.reserve(301)
  files.space.forget()
  const second = files.space.reserve(301)
  // The folder is measured now.
  files.partialUploads.set('first', 300)
  first.counted(300)
  first[Symbol.dispose]()
  using _second = await second
  expect(await files.space.free()).toBe(99)
})
