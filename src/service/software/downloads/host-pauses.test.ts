import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../service.fixture.ts'
import {
  openDownloads,
  patient,
  remoteFile,
  serveBytes,
  startFileServer,
} from '../../../../tests/doubles/file-server.ts'
import { HostPauses, sayWaiting } from './host-pauses.ts'

const bytes = randomBytes(10_000)

/** A server that wants to be left alone before it sends a file, and downloads for which time passes at once. */
async function paused(headers: Record<string, string>, status = 429, times = 1) {
  const server = await startFileServer((request, response, nth) => {
    if (nth > times) return serveBytes(request, response, bytes)
    response.writeHead(status, headers).end()
  })
  const waits: number[] = []
  let now = 0
  const wait = (ms: number) => {
    waits.push(ms)
    now += ms
    return Promise.resolve()
  }
  const pauses = new HostPauses(() => now)
  const downloads = openDownloads(await temporaryFolder(), { wait, pauses })
  return { server, waits, downloads, file: remoteFile(server.url, bytes) }
}

test.each([
  ['seconds', { 'retry-after': '30' }, 429],
  ['a date', { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }, 503],
  ['seconds until its count begins anew', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' }, 429],
])('a server that says in %s how long it wants to be left alone is', async (_how, headers, status) => {
  const { server, waits, downloads, file } = await paused(headers, status)
  const said: string[] = []
  const at = await downloads.fetch(file, {
    ...patient(),
    onWaiting: sayWaiting((one) => said.push(one.message)),
  })
  expect(readFileSync(at).equals(bytes)).toBe(true)
  expect(server.asked).toHaveLength(2)
  const longest = Math.max(...waits)
  expect(longest).toBeGreaterThan(28_000)
  expect(longest).toBeLessThanOrEqual(30_000)
  const { host } = new URL(server.url)
  expect(said).toEqual([
    expect.stringMatching(
      new RegExp(
        `^${host} accepts no more requests at the moment. The download continues in (29|30) seconds.$`,
      ),
    ),
  ])
})

test('it is patient with a server that wants that more often than others may fail', async () => {
  const { server, downloads, file } = await paused({ 'retry-after': '10' }, 429, 12)
  const at = await downloads.fetch(file, patient())
  expect(readFileSync(at).equals(bytes)).toBe(true)
  expect(server.asked).toHaveLength(13)
})

test('one that wants it for an hour is not waited for, and no other download asks there meanwhile', async () => {
  const { server, waits, downloads, file } = await paused({ 'retry-after': '3600' })
  const told = /accepts no more requests for 60 minutes\. Try again later\.$/
  await expect(downloads.fetch(file, patient())).rejects.toThrow(told)
  const other = remoteFile(`${server.url}/other`, bytes)
  await expect(downloads.fetch(other, patient())).rejects.toThrow(told)
  expect(server.asked).toEqual(['/'])
  expect(Math.max(0, ...waits)).toBe(0)
})

test('one that wants it again and again is given up after five minutes', async () => {
  const { server, downloads, file } = await paused({ 'retry-after': '50' }, 429, 100)
  await expect(downloads.fetch(file, patient())).rejects.toThrow('accepts no more requests at the moment')
  expect(server.asked).toHaveLength(7)
})

test('who gives up while it is waited for ends it', async () => {
  const server = await startFileServer((_, response) =>
    response.writeHead(429, { 'retry-after': '40' }).end(),
  )
  const downloads = openDownloads(await temporaryFolder())
  const enough = new AbortController()
  const onWaiting = () => enough.abort(new Error('enough'))
  const file = remoteFile(server.url, bytes)
  await expect(downloads.fetch(file, { signal: enough.signal, onWaiting })).rejects.toThrow('enough')
})

test('of several downloads that wait for one host, a console is told once', () => {
  const said: string[] = []
  const tell = sayWaiting((one) => said.push(one.message))
  tell('a.example', 30)
  tell('a.example', 29)
  tell('b.example', 30)
  tell('c.example', 2)
  expect(said.map((one) => one.split(' ')[0])).toEqual(['a.example', 'b.example'])
})
