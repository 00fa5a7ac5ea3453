import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pack, type Pack } from 'tar-stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../service.fixture.ts'
import { startFileService, type FileService } from '../files.fixture.ts'

interface File {
  name: string
  content?: string | Buffer
  sha256?: string
  type?: 'file' | 'directory' | 'symlink' | 'link'
}

const sumOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

function tar(files: File[]): Pack {
  const stream = pack()
  for (const { name, content = '', sha256, type = 'file' } of files) {
    const pax = sha256 === undefined ? {} : { pax: { 'WHEELHOUSE.sha256': sha256 } }
    stream.entry({ name, type, linkname: '/etc/passwd', mtime: new Date(1e12), ...pax }, content)
  }
  stream.finalize()
  return stream
}

async function send(one: FileService, stream: Pack | Buffer | string, query = '') {
  const chunks: Buffer[] = []
  if (typeof stream === 'object' && !Buffer.isBuffer(stream))
    for await (const chunk of stream as unknown as AsyncIterable<Buffer>) chunks.push(chunk)
  else chunks.push(Buffer.from(stream))
  const answer = await one.raw(`POST batch ${query}`.trim(), { body: Buffer.concat(chunks) })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

test('2,000 files arrive byte for byte with their times, each answered for itself', async () => {
  const one = await startFileService()
  const files = Array.from({ length: 2000 }, (_, i) => {
    const content = randomBytes(10_000)
    return { name: `world/data-${i % 20}/файл ${i} 🎮.dat`, content, sha256: sumOf(content) }
  })
  const { status, body } = await send(one, tar(files))
  expect(status).toBe(200)
  expect(body.results).toEqual(files.map(({ name }) => ({ path: name, outcome: 'done', finalPath: name })))
  for (const { name, content } of files)
    expect((await readFile(path.join(one.root, name))).equals(content), name).toBe(true)
  expect((await stat(path.join(one.root, files[0]?.name ?? ''))).mtimeMs).toBe(1e12)
  expect(
    readdirSync(path.join(one.service.dataDir, 'staging', one.serverId)).filter((n) => n.startsWith('tmp-')),
  ).toEqual([])
})

test('a file keeps the millisecond it was changed in, before 1970 and long after it', async () => {
  const one = await startFileService()
  const times = [1_600_000_000_123, 1_600_000_000_457, 9_999_999_999_981, -86_400_000]
  const stream = pack()
  for (const time of times)
    stream.entry({ name: `${time}.txt`, pax: { mtime: (time / 1000).toFixed(3) } }, 'text')
  stream.finalize()
  expect((await send(one, stream)).status).toBe(200)
  const found = times.map(async (time) => (await stat(path.join(one.root, `${time}.txt`))).mtimeMs)
  expect((await Promise.all(found)).map(Math.trunc)).toEqual(times)
})

test('one bad file never stops the others', async () => {
  const one = await startFileService({ fileLimits: { maxFileBytes: 1000 } })
  await mkdir(path.join(one.root, 'folder'))
  await writeFile(path.join(one.root, 'taken'), 'old')
  const { body } = await send(
    one,
    tar([
      { name: 'first', content: '1' },
      { name: '../out', content: 'x' },
      { name: 'back\\slash', content: 'x' },
      { name: 'wrong', content: 'x', sha256: sumOf('y') },
      { name: 'taken', content: 'new' },
      { name: 'folder', content: 'x' },
      { name: 'large', content: 'x'.repeat(1001) },
      { name: 'link', type: 'symlink' },
      { name: 'hard', type: 'link' },
      { name: 'empty/', type: 'directory' },
      { name: 'last', content: '', sha256: sumOf('').toUpperCase() },
    ]),
  )
  const said = body.results.map((r: { path: string; outcome: string; error?: { code: string } }) => [
    r.path,
    r.error?.code ?? r.outcome,
  ])
  expect(said).toEqual([
    ['first', 'done'],
    ['../out', 'files.outside'],
    ['back\\slash', 'files.name-invalid'],
    ['wrong', 'files.checksum'],
    ['taken', 'files.exists'],
    ['folder', 'files.exists'],
    ['large', 'files.too-large'],
    ['link', 'files.not-file'],
    ['hard', 'files.not-file'],
    ['empty', 'done'],
    ['last', 'done'],
  ])
  expect(readdirSync(one.root).sort()).toEqual(['empty', 'first', 'folder', 'last', 'taken'])
  expect(await one.onDisk('taken')).toBe('old')
})

test('a taken name is replaced, kept or skipped as asked', async () => {
  const one = await startFileService()
  for (const [conflict, outcome, finalPath, now] of [
    ['skip', 'skipped', 'a.txt', 'old'],
    ['keep-both', 'done', 'a (2).txt', 'old'],
    ['replace', 'done', 'a.txt', 'new'],
  ]) {
    await writeFile(path.join(one.root, 'a.txt'), 'old')
    const { body } = await send(one, tar([{ name: 'a.txt', content: 'new' }]), `conflict=${conflict}`)
    expect(body.results, conflict).toEqual([{ path: 'a.txt', outcome, finalPath }])
    expect(await one.onDisk('a.txt')).toBe(now)
  }
})

test('what is no tar stream is 422, and of one that breaks off what was whole is answered', async () => {
  const one = await startFileService()
  const junk = await send(one, randomBytes(5000))
  expect([junk.status, junk.body.error.code]).toEqual([422, 'files.batch-invalid'])
  const whole: Buffer[] = []
  for await (const chunk of tar([
    { name: 'a', content: 'x'.repeat(600) },
    { name: 'b', content: 'x'.repeat(6000) },
  ]) as unknown as AsyncIterable<Buffer>)
    whole.push(chunk)
  const { body } = await send(one, Buffer.concat(whole).subarray(0, 3000))
  expect(body.results).toMatchObject([
    { path: 'a', outcome: 'done' },
    { path: 'b', outcome: 'failed' },
  ])
  expect(readdirSync(one.root)).toEqual(['a'])
})

test('of more than 5,000 files the rest is refused, and said', async () => {
  const one = await startFileService()
  const { body } = await send(one, tar(Array.from({ length: 5002 }, (_, i) => ({ name: `f${i}` }))))
  expect(body.results.length).toBe(5001)
  expect(body.results[4999]).toMatchObject({ outcome: 'done' })
  expect(body.results[5000]).toMatchObject({ path: 'f5000', error: { code: 'files.batch-too-large' } })
  expect(readdirSync(one.root).length).toBe(5000)
})

test('a path that no disk holds is cut in the answer, and countless ones end the batch', async () => {
  const one = await startFileService()
  const long = 'x'.repeat(60_000)
  const { body } = await send(one, tar([{ name: long }, { name: 'last', content: '1' }]))
  expect(body.results[0]).toMatchObject({ error: { sentence: 'request.invalid.path-long' } })
  expect(JSON.stringify(body.results[0]).length).toBeLessThan(10_000)
  expect(body.results[1]).toMatchObject({ path: 'last', outcome: 'done' })
  const many = await send(one, tar(Array.from({ length: 600 }, (_, at) => ({ name: `${at}${long}` }))))
  expect(many.body.results.at(-1)).toMatchObject({ error: { code: 'files.batch-too-large' } })
  expect(JSON.stringify(many.body).length).toBeLessThan(7_000_000)
})

test('a body that is said to be too large, or does not fit, is refused before it is read', async () => {
  const one = await startFileService({ fileLimits: { quotaBytes: 2000 } })
  const over = await send(one, tar([{ name: 'a', content: 'x'.repeat(4000) }]))
  expect([over.status, over.body.error.code]).toEqual([507, 'files.quota'])
  const asking = request(`${one.baseUrl}/servers/files/batch/${one.serverId}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${one.token}`, 'Content-Length': 300 * 1024 * 1024 },
  })
  asking.on('error', () => {})
  asking.flushHeaders()
  const answer = await new Promise<IncomingMessage>((resolve) => asking.once('response', resolve))
  expect([answer.statusCode, JSON.parse(await text(answer)).error.code]).toEqual([
    413,
    'files.batch-too-large',
  ])
  asking.destroy()
})

test('a large file of a batch is written as it comes, never held in memory, and is judged like any other', async () => {
  const one = await startFileService()
  const content = randomBytes(12 * 1024 * 1024)
  const whole: Buffer[] = []
  const stream = tar([
    { name: 'good.mca', content, sha256: sumOf(content) },
    { name: 'bad.mca', content, sha256: sumOf('other') },
    { name: 'small', content: 'small' },
  ])
  for await (const chunk of stream as unknown as AsyncIterable<Buffer>) whole.push(chunk)
  const bytes = Buffer.concat(whole)
  const staging = path.join(one.service.dataDir, 'staging', one.serverId)
  const temps = () => readdirSync(staging).filter((name) => name.startsWith('tmp-'))
  const sizes = () => Promise.all(temps().map(async (name) => (await stat(path.join(staging, name))).size))
  const asking = request(`${one.baseUrl}/servers/files/batch/${one.serverId}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${one.token}`, 'Content-Length': bytes.length },
  })
  const answered = new Promise<IncomingMessage>((resolve) => asking.on('response', resolve))
  asking.write(bytes.subarray(0, 8 * 1024 * 1024))
  // Half of the first one is here, and on the disk.
  await expect.poll(async () => (await sizes())[0] ?? 0).toBeGreaterThan(6 * 1024 * 1024)
  asking.end(bytes.subarray(8 * 1024 * 1024))
  const { results } = JSON.parse(await text(await answered))
  expect(results).toMatchObject([
    { path: 'good.mca', outcome: 'done' },
    { path: 'bad.mca', outcome: 'failed', error: { code: 'files.checksum' } },
    { path: 'small', outcome: 'done' },
  ])
  expect((await readFile(path.join(one.root, 'good.mca'))).equals(content)).toBe(true)
  expect(temps()).toEqual([])
})

/** Sends a batch without its length, or in two parts with something done in between. */
async function sendInParts(one: FileService, bytes: Buffer, cut: number, between?: () => Promise<void>) {
  const asking = request(`${one.baseUrl}/servers/files/batch/${one.serverId}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${one.token}`,
      ...(between ? { 'Content-Length': bytes.length } : { 'Transfer-Encoding': 'chunked' }),
    },
  })
  const answered = once(asking, 'response') as Promise<[IncomingMessage]>
  asking.write(bytes.subarray(0, cut))
  await between?.()
  asking.end(bytes.subarray(cut))
  const [answer] = await answered
  return JSON.parse(await text(answer)) as { results: { path: string; outcome: string }[] }
}

async function wholeOf(stream: Pack): Promise<Buffer> {
  const whole: Buffer[] = []
  for await (const chunk of stream as unknown as AsyncIterable<Buffer>) whole.push(chunk)
  return Buffer.concat(whole)
}

const tempsOf = ({ service, serverId }: FileService) =>
  readdirSync(path.join(service.dataDir, 'staging', serverId)).filter((name) => name.startsWith('tmp-'))

test('a disk that fills within a large file ends that file alone: what still fits after it is kept', async ({
  skip,
}) => {
  const disk = await temporaryFolder()
  const mounted = spawn('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk], { stdio: 'ignore' })
  const [code] = (await Promise.race([once(mounted, 'exit'), once(mounted, 'error').then(() => [1])])) as [
    number,
  ]
  if (code !== 0) return skip('Making a small disk takes rights this test does not have.')
  onTestFinished(async () => void (await once(spawn('umount', ['-l', disk]), 'exit')))
  const one = await startFileService({ dataDir: path.join(disk, 'data') })
  const [before, large] = [randomBytes(1000), randomBytes(30_000_000)]
  const small = randomBytes(5000)
  const bytes = await wholeOf(
    tar([
      { name: 'before', content: before },
      { name: 'large.mca', content: large },
      { name: 'after/a', content: small, sha256: sumOf(small) },
      { name: 'after/b', content: small },
    ]),
  )
  const { results } = await sendInParts(one, bytes, 10_000_000, async () => {
    const staging = path.join(one.service.dataDir, 'staging', one.serverId)
    const sizes = () =>
      Promise.all(tempsOf(one).map(async (name) => (await stat(path.join(staging, name))).size))
    await expect.poll(async () => Math.max(0, ...(await sizes()))).toBeGreaterThan(9_000_000)
    // Somebody else takes all that is left.
    await writeFile(path.join(disk, 'filler'), Buffer.alloc(64_000_000)).catch(() => {})
  })
  expect(results).toMatchObject([
    { path: 'before', outcome: 'done' },
    { path: 'large.mca', outcome: 'failed', error: { code: 'files.disk-full' } },
    { path: 'after/a', outcome: 'done' },
    { path: 'after/b', outcome: 'done' },
  ])
  expect((await readFile(path.join(one.root, 'after/b'))).equals(small)).toBe(true)
  expect(tempsOf(one)).toEqual([])
})

test('where the length is not said, one that does not fit leaves its room to those after it', async () => {
  const one = await startFileService({ fileLimits: { maxFileBytes: null, quotaBytes: 10_000 } })
  const bytes = await wholeOf(
    tar([
      { name: 'a', content: 'x'.repeat(4000) },
      { name: 'large', content: 'x'.repeat(8000) },
      { name: 'b', content: 'x'.repeat(4000) },
      { name: 'c', content: 'x'.repeat(4000) },
    ]),
  )
  const { results } = await sendInParts(one, bytes, 1000)
  expect(results).toMatchObject([
    { path: 'a', outcome: 'done' },
    { path: 'large', outcome: 'failed', error: { code: 'files.quota' } },
    { path: 'b', outcome: 'done' },
    { path: 'c', outcome: 'failed', error: { code: 'files.quota' } },
  ])
  expect(tempsOf(one)).toEqual([])
})

test('one that was written when the service began to close is answered for what it is', async () => {
  const one = await startFileService()
  const bytes = await wholeOf(tar([{ name: 'a', content: Buffer.alloc(6_000_000) }]))
  const { results } = await sendInParts(one, bytes, 3_000_000, async () => {
    await expect.poll(() => tempsOf(one).length).toBe(1)
    // On a busy machine the rest may take longer than a closing service waits.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    void one.service.close(true)
    // The servers are down by then, and nobody new is let in.
    const ask = () =>
      fetch(one.baseUrl).then(
        ({ status }) => status,
        () => 'closed',
      )
    await expect.poll(ask).toBe('closed')
  })
  vi.useRealTimers()
  expect(results).toMatchObject([{ path: 'a', outcome: 'done' }])
  expect(await one.onDisk('a')).toHaveLength(6_000_000)
})

test('a body that never ends behind the end of its tar is refused', async () => {
  const one = await startFileService()
  const target = new URL(`${one.baseUrl}/servers/files/batch/${one.serverId}`)
  const asking = request(target, { method: 'POST', headers: { Authorization: `Bearer ${one.token}` } })
  onTestFinished(() => void asking.destroy())
  const answered = new Promise<IncomingMessage>((resolve) =>
    asking.on('error', () => {}).on('response', resolve),
  )
  const zeros = Buffer.alloc(1024 * 1024)
  const goOn = () => {
    while (!asking.destroyed && asking.write(zeros));
    asking.once('drain', goOn)
  }
  goOn()
  const answer = await answered
  expect([answer.statusCode, JSON.parse(await text(answer)).error.code]).toEqual([
    413,
    'files.batch-too-large',
  ])
})
