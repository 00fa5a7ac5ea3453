import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../service.fixture.ts'
import {
  openDownloads,
  patient,
  remoteFile,
  serveBytes,
  startFileServer,
} from '../../../../tests/doubles/file-server.ts'

const bytes = randomBytes(200_000)

/** A server that sends half of the file to the first who asks, and tells when. */
async function halfSent() {
  const { promise: begun, resolve } = Promise.withResolvers<ServerResponse>()
  const server = await startFileServer((request, response, nth) => {
    if (nth > 1) return serveBytes(request, response, bytes)
    serveBytes(request, response, bytes, { stallAfter: 100_000 })
    resolve(response)
  })
  return { server, begun, file: remoteFile(server.url, bytes) }
}

/** Somebody who wants it and may give up; `half` resolves when half of it has arrived. */
function person() {
  const abort = new AbortController()
  const { promise: half, resolve } = Promise.withResolvers<void>()
  const onProgress = (done: number) => void (done === 100_000 && resolve())
  return { half, giveUp: () => abort.abort(new Error('enough')), signal: abort.signal, onProgress }
}

test('two who want the same file share one download, and one who gives up leaves the other with it', async () => {
  const { server, begun, file } = await halfSent()
  const downloads = openDownloads(await temporaryFolder())
  const [ann, bob] = [person(), person()]
  const [forAnn, forBob] = [downloads.fetch(file, ann), downloads.fetch(file, bob)]
  const refused = expect(forAnn).rejects.toThrow('enough')
  await Promise.all([ann.half, bob.half])
  ann.giveUp()
  await refused
  const response = await begun
  response.end(bytes.subarray(100_000))
  expect(readFileSync(await forBob).equals(bytes)).toBe(true)
  expect(server.asked).toEqual(['/'])
})

test('who wants what comes for somebody else already is told so once; who was first, or finds it here, is not', async () => {
  const { server, begun, file } = await halfSent()
  const downloads = openDownloads(await temporaryFolder())
  const told: string[] = []
  const named = (name: string) => ({ ...person(), onShared: () => void told.push(name) })
  const [ann, bob, eve] = [named('ann'), named('bob'), named('eve')]
  const both = [downloads.fetch(file, ann), downloads.fetch(file, bob)]
  await Promise.all([ann.half, bob.half])
  const third = downloads.fetch(file, eve)
  const response = await begun
  response.end(bytes.subarray(100_000))
  await Promise.all([...both, third])
  expect(told).toEqual(['bob', 'eve'])
  // It is here now, and only looked at.
  await Promise.all([downloads.fetch(file, named('ann')), downloads.fetch(file, named('bob'))])
  expect(told).toEqual(['bob', 'eve'])
  expect(server.asked).toEqual(['/'])
})

test('with the last who gives up the download ends, and the next who wants it continues it', async () => {
  const { server, begun, file } = await halfSent()
  const downloads = openDownloads(await temporaryFolder())
  const [ann, bob] = [person(), person()]
  const both = [downloads.fetch(file, ann), downloads.fetch(file, bob)]
  const refused = Promise.all(both.map((one) => expect(one).rejects.toThrow('enough')))
  await Promise.all([ann.half, bob.half])
  const response = await begun
  const closed = new Promise((resolve) => response.once('close', resolve))
  ann.giveUp()
  bob.giveUp()
  await setImmediate()
  // Asked for while the old one still ends: the two never write to the same file.
  const next = downloads.fetch(file, patient())
  await Promise.all([refused, closed])
  expect(readFileSync(await next).equals(bytes)).toBe(true)
  expect(server.asked).toEqual(['/', '/ bytes=100000-'])
})

test('who has given up already is told so, and nothing is asked for', async () => {
  const { server, file } = await halfSent()
  const ann = person()
  ann.giveUp()
  await expect(openDownloads(await temporaryFolder()).fetch(file, ann)).rejects.toThrow('enough')
  expect(server.asked).toEqual([])
})

test('a service that ends keeps what has arrived, and the next run continues it', async () => {
  const { server, file } = await halfSent()
  const folder = await temporaryFolder()
  const downloads = openDownloads(folder)
  const ann = person()
  const cut = expect(downloads.fetch(file, ann)).rejects.toThrow()
  await ann.half
  await downloads.close()
  await cut
  expect(readFileSync(await openDownloads(folder).fetch(file, patient())).equals(bytes)).toBe(true)
  expect(server.asked).toEqual(['/', '/ bytes=100000-'])
})
