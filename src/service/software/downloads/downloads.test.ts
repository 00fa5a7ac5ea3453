import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { NO_DISK } from '../../../../tests/faults/small-disk.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { smallDisk } from '../../small-disk.fixture.ts'
import {
  cutEvery,
  openDownloads,
  patient,
  remoteFile,
  serveBytes,
  startFileServer,
  sumOf,
} from '../../../../tests/doubles/file-server.ts'

const bytes = randomBytes(300_000)
const read = (folder: string, name: string) => readdirSync(path.join(folder, name))

describe('a file of a catalog', () => {
  test('is fetched once, kept by what it is, and there without its server', async () => {
    const server = await startFileServer((request, response) => serveBytes(request, response, bytes))
    const folder = await temporaryFolder()
    const file = remoteFile(`${server.url}/server.jar`, bytes, { checksum: sumOf(bytes, 'sha1') })
    const downloads = openDownloads(folder)
    expect(await downloads.has(file)).toBe(false)
    const told: (number | null)[][] = []
    const at = await downloads.fetch(file, { ...patient(), onProgress: (...each) => void told.push(each) })
    expect(readFileSync(at).equals(bytes)).toBe(true)
    expect(path.basename(at)).toBe(sumOf(bytes).value)
    expect(told.at(-1)).toEqual([bytes.length, bytes.length])
    await server.close()
    const later = openDownloads(folder)
    expect(await later.has(file)).toBe(true)
    expect(await later.fetch(file, patient())).toBe(at)
    // The same content at another address needs no network either, where its checksum says so.
    expect(await later.fetch(remoteFile('https://example.invalid/a.jar', bytes), patient())).toBe(at)
    expect(server.asked).toEqual(['/server.jar'])
    expect(read(folder, 'partial')).toEqual([])
  })

  test('is continued where a connection was cut, as often as that happens', async () => {
    const server = await startFileServer((request, response, nth) =>
      serveBytes(request, response, bytes, nth < 8 ? { stallAfter: 40_000 } : {}),
    )
    const at = await openDownloads(await temporaryFolder()).fetch(
      remoteFile(server.url, bytes),
      cutEvery(server, 40_000),
    )
    expect(readFileSync(at).equals(bytes)).toBe(true)
    expect(server.asked.slice(1)).toEqual(Array.from({ length: 7 }, (_, i) => `/ bytes=${(i + 1) * 40_000}-`))
  })

  test('is begun anew where its server knows no parts, or gives nothing to tell them by', async () => {
    const folder = await temporaryFolder()
    for (const more of [{ wholeOnly: true }, { etag: null }, { etag: 'W/"weak"' }]) {
      const server = await startFileServer((request, response, nth) =>
        serveBytes(request, response, bytes, { ...more, ...(nth === 1 && { stallAfter: 100_000 }) }),
      )
      const other = remoteFile(server.url, bytes, { checksum: sumOf(bytes, 'md5') })
      const at = await openDownloads(folder).fetch(other, cutEvery(server, 100_000))
      expect(readFileSync(at).equals(bytes)).toBe(true)
      expect(server.asked).toEqual(['/', 'wholeOnly' in more ? '/ bytes=100000-' : '/'])
    }
  })

  test.each([
    ['keeps to the protocol', false],
    ['adds to another file all the same', true],
  ])('is never mixed of two when it changes between two pieces and its server %s', async (_how, careless) => {
    const changed = randomBytes(300_000)
    const server = await startFileServer((request, response, nth) => {
      if (nth === 1) return serveBytes(request, response, bytes, { stallAfter: 100_000 })
      if (careless && nth === 2) delete request.headers['if-range']
      serveBytes(request, response, changed, { etag: '"two"' })
    })
    // Without a checksum, nothing but the tags can tell.
    const file = remoteFile(server.url, changed, { checksum: null })
    const at = await openDownloads(await temporaryFolder()).fetch(file, cutEvery(server, 100_000))
    expect(readFileSync(at).equals(changed)).toBe(true)
    expect(server.asked).toEqual(['/', '/ bytes=100000-', ...(careless ? ['/'] : [])])
  })

  test('is begun anew where another part comes than was asked for', async () => {
    const server = await startFileServer((request, response, nth) => {
      if (nth !== 2) return serveBytes(request, response, bytes, nth === 1 ? { stallAfter: 100_000 } : {})
      const range = `bytes 200000-${bytes.length - 1}/${bytes.length}`
      response.writeHead(206, { etag: '"one"', 'content-range': range }).end(bytes.subarray(200_000))
    })
    const file = remoteFile(server.url, bytes, { size: null, checksum: null })
    const wanted = cutEvery(server, 100_000)
    const at = await openDownloads(await temporaryFolder()).fetch(file, wanted)
    expect(readFileSync(at).equals(bytes)).toBe(true)
    expect(server.asked).toEqual(['/', '/ bytes=100000-', '/'])
  })

  test('with the wrong content is thrown away, and fetched once more', async () => {
    const server = await startFileServer((request, response, nth) =>
      serveBytes(request, response, nth === 1 ? Buffer.alloc(bytes.length) : bytes),
    )
    const at = await openDownloads(await temporaryFolder()).fetch(remoteFile(server.url, bytes), patient())
    expect(readFileSync(at).equals(bytes)).toBe(true)
    expect(server.asked).toEqual(['/', '/'])
  })

  test('with the wrong content twice is a sentence, and nothing stays', async () => {
    const server = await startFileServer((request, response) =>
      serveBytes(request, response, Buffer.alloc(bytes.length)),
    )
    const folder = await temporaryFolder()
    await expect(openDownloads(folder).fetch(remoteFile(server.url, bytes), patient())).rejects.toMatchObject(
      {
        status: 502,
        code: 'software.download-wrong',
        message: expect.stringContaining('its size or checksum differed twice'),
      },
    )
    expect(server.asked).toEqual(['/', '/'])
    expect(['content', 'index', 'partial'].map((name) => read(folder, name))).toEqual([[], [], []])
  })

  test('that was damaged on the disk is fetched anew, whether it has a checksum or not', async () => {
    const server = await startFileServer((request, response) => serveBytes(request, response, bytes))
    for (const more of [{}, { checksum: null }]) {
      const downloads = openDownloads(await temporaryFolder())
      const file = remoteFile(server.url, bytes, more)
      const at = await downloads.fetch(file, patient())
      writeFileSync(at, Buffer.alloc(bytes.length))
      expect(await downloads.fetch(file, patient())).toBe(at)
      expect(readFileSync(at).equals(bytes)).toBe(true)
    }
  })

  test('that is not there any more is asked for once, and a server with a fault a few times', async () => {
    for (const [status, times, words] of [
      [404, 1, 'the file is no longer there (404)'],
      [503, 5, 'it answered with an error (503) (5 attempts)'],
    ] as const) {
      const server = await startFileServer((_request, response) => response.writeHead(status).end('no'))
      const failed = openDownloads(await temporaryFolder()).fetch(remoteFile(server.url, bytes), patient())
      await expect(failed).rejects.toThrow(
        `"server.jar" couldn't be downloaded from ${new URL(server.url).host}: ${words}.`,
      )
      expect(server.asked).toHaveLength(times)
    }
  })

  test('from a server that falls silent is given up, and what arrived is kept', async () => {
    const kept = 50_000
    // On a busy machine a try may end before anything came, or amid it: the next one is given what is missing.
    const server = await startFileServer((request, response) => {
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
      serveBytes(request, response, bytes, { stallAfter: Math.max(0, kept - from) })
    })
    const folder = await temporaryFolder()
    const failed = openDownloads(folder, { limits: { idleMs: 100 } }).fetch(
      remoteFile(server.url, bytes),
      patient(),
    )
    await expect(failed).rejects.toThrow('What has arrived is kept: try again to continue.')
    expect(server.asked.slice(-4)).toEqual(Array.from({ length: 4 }, () => `/ bytes=${kept}-`))
    expect(read(folder, 'partial')).toHaveLength(2)
  })

  test('larger than anything that is fetched, or than its catalog says, is broken off', async () => {
    const server = await startFileServer((request, response) => {
      if (request.url !== '/unsaid') return serveBytes(request, response, bytes)
      response.writeHead(200)
      response.end(bytes)
    })
    const folder = await temporaryFolder()
    const fetch = (at: string, size: number | null, mostBytes: number) =>
      openDownloads(folder, { limits: { mostBytes } }).fetch(
        remoteFile(server.url + at, bytes, { size }),
        patient(),
      )
    const large = { status: 422, code: 'software.download-too-large' }
    await expect(fetch('/declared', bytes.length, 1000)).rejects.toMatchObject(large)
    expect(server.asked).toEqual([])
    await expect(fetch('/told', null, 1000)).rejects.toMatchObject(large)
    await expect(fetch('/unsaid', null, 1000)).rejects.toMatchObject(large)
    await expect(fetch('/other', 1000, 1_000_000)).rejects.toThrow('sends more than its catalog says')
    expect(read(folder, 'partial')).toEqual([])
  })

  test('is followed to the same server, never to another without encryption, and not in circles', async () => {
    const other = await startFileServer((request, response) => serveBytes(request, response, bytes))
    const server = await startFileServer((request, response) => {
      const to = { '/near': '/server.jar', '/far': `${other.url}/server.jar`, '/circle': '/circle' }[
        request.url ?? ''
      ]
      if (to) response.writeHead(302, { location: to }).end()
      else serveBytes(request, response, bytes)
    })
    const downloads = openDownloads(await temporaryFolder())
    await downloads.fetch(remoteFile(`${server.url}/near`, bytes), patient())
    const sha1 = { checksum: sumOf(bytes, 'sha1') }
    const failing = (at: string) => downloads.fetch(remoteFile(server.url + at, bytes, sha1), patient())
    await expect(failing('/far')).rejects.toThrow('it redirects to an unencrypted or unknown address')
    await expect(failing('/circle')).rejects.toThrow('it redirects too many times')
    expect(other.asked).toEqual([])
  })
})

test('a file whose catalog names its hosts is not followed to any other', async () => {
  const asked: string[] = []
  const server = await startFileServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(302, { location: 'https://files.example.invalid/other.jar' }).end()
  })
  const file = { ...remoteFile(`${server.url}/one.jar`, bytes), hosts: ['cdn.example.invalid'] }
  await expect(openDownloads(await temporaryFolder()).fetch(file, patient())).rejects.toMatchObject({
    status: 502,
    message: expect.stringContaining(
      'it redirects to an address that it has no files at (files.example.invalid)',
    ),
  })
  expect(asked).toEqual(['/one.jar'])
})

describe('contents that nobody uses', () => {
  test('go when they are old, and those of late stay', async () => {
    const server = await startFileServer((request, response) =>
      serveBytes(request, response, Buffer.from(request.url ?? '')),
    )
    const folder = await temporaryFolder()
    let now = 0
    const downloads = openDownloads(folder, { seen: () => now })
    const fetch = (at: string) =>
      downloads.fetch(remoteFile(server.url + at, Buffer.from(at), { checksum: null }), patient())
    await fetch('/older')
    await fetch('/old')
    const again = await fetch('/again')
    now = 100
    await fetch('/again')
    const late = await fetch('/late')
    writeFileSync(path.join(folder, 'partial', 'left'), 'left by a kill')
    now = 150
    expect(await downloads.unusedBytes(100)).toBe('/old/older'.length)
    const freed = await downloads.sweep({ ageMs: 100, mostBytes: Infinity })
    expect(await downloads.unusedBytes(100)).toBe(0)
    expect(freed).toBe('/old/older'.length + 'left by a kill'.length)
    expect(read(folder, 'content').sort()).toEqual([again, late].map((at) => path.basename(at)).sort())
    expect(read(folder, 'index')).toHaveLength(2)
    expect(read(folder, 'partial')).toEqual([])
  })

  test('go from the oldest on where they are too many together, but never those of the last day', async () => {
    const day = 24 * 60 * 60 * 1000
    const server = await startFileServer((request, response) =>
      serveBytes(request, response, Buffer.from(request.url ?? '')),
    )
    const folder = await temporaryFolder()
    let now = 0
    const downloads = openDownloads(folder, { seen: () => now })
    const fetch = async (at: string) =>
      path.basename(
        await downloads.fetch(remoteFile(server.url + at, Buffer.from(at), { checksum: null }), patient()),
      )
    await fetch('/a')
    now = day
    const second = await fetch('/b')
    now = 3 * day
    const third = await fetch('/c')
    // Another run of the service: what was used lately stands on the disk alone.
    const later = openDownloads(folder, { seen: () => now })
    expect(await later.sweep({ ageMs: 30 * day, mostBytes: 4 })).toBe('/a'.length)
    expect(read(folder, 'content').sort()).toEqual([second, third].sort())
    expect(await later.sweep({ ageMs: 30 * day, mostBytes: 0 })).toBe('/b'.length)
    expect(read(folder, 'content')).toEqual([third])
    expect(read(folder, 'index')).toHaveLength(1)
  })

  test('stay when somebody asks for them while the old ones go', async () => {
    const server = await startFileServer((request, response) => serveBytes(request, response, bytes))
    const file = remoteFile(server.url, bytes, { checksum: null })
    let now = 0
    const downloads = openDownloads(await temporaryFolder(), { seen: () => now })
    await downloads.fetch(file, patient())
    now = 1000
    const sweeping = downloads.sweep({ ageMs: 100, mostBytes: Infinity })
    const at = await downloads.fetch(file, patient())
    await sweeping
    expect(readFileSync(at).equals(bytes)).toBe(true)
    expect(await downloads.has(file)).toBe(true)
  })
})

describe('a full disk', () => {
  test('is told with figures before anything is fetched, and when it fills up halfway', async ({ skip }) => {
    const disk = await smallDisk(4)
    if (!disk) return skip(NO_DISK)
    const large = randomBytes(3_000_000)
    const server = await startFileServer((request, response, nth) => {
      if (nth > 1) return serveBytes(request, response, large)
      response.writeHead(200, { 'content-length': large.length, etag: '"one"' })
      response.write(large.subarray(0, 100_000))
      progressed.then(
        () => (disk.fill(), response.end(large.subarray(100_000))),
        () => undefined,
      )
    })
    const { promise: progressed, resolve: progress } = Promise.withResolvers<void>()
    const tight = openDownloads(path.join(disk.folder, 'tight'), { spareBytes: 2 * 1024 * 1024 })
    await expect(tight.fetch(remoteFile(server.url, large), patient())).rejects.toMatchObject({
      status: 507,
      message: expect.stringMatching(/it needs 2\.9 MB, with 2 MB to spare, and (4|3\.\d) MB are free/),
    })
    expect(server.asked).toEqual([])
    const folder = path.join(disk.folder, 'loose')
    const loose = openDownloads(folder)
    const failed = loose.fetch(remoteFile(server.url, large), {
      ...patient(),
      onProgress: (done) => done >= 100_000 && progress(),
    })
    await expect(failed).rejects.toMatchObject({ status: 507, code: 'software.disk-full' })
    expect(read(folder, 'partial')).toEqual([])
    disk.clear()
    const at = await loose.fetch(remoteFile(server.url, large), patient())
    expect(readFileSync(at).equals(large)).toBe(true)
  })
})
