import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { Upload } from 'tus-js-client'
import { expect, onTestFinished, test } from 'vitest'
import { serviceProgram } from '../../service-program.fixture.ts'
import { startFileService } from '../files.fixture.ts'
import { PASSWORD, temporaryFolder } from '../../service.fixture.ts'
import { content, namesIn, RawTus } from './uploads.fixture.ts'

/** A way to the service that breaks every connection after so many bytes. */
async function breakingProxy(
  port: number,
  after: () => number,
): Promise<{ origin: string; cuts: () => number }> {
  let cuts = 0
  const sockets = new Set<Socket>()
  const proxy: Server = createServer((client) => {
    let left = after()
    const service = connect(port, '127.0.0.1')
    for (const socket of [client, service]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    service.pipe(client)
    client.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left > 0) return void service.write(chunk)
      cuts++
      service.destroy()
      client.destroy()
    })
    client.on('end', () => service.end())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return { origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, cuts: () => cuts }
}

test('tus-js-client brings a file through a line that breaks again and again', async () => {
  const { baseUrl, serverId, token, root } = await startFileService()
  const { pathname, port } = new URL(baseUrl)
  let tries = 0
  const proxy = await breakingProxy(Number(port), () => 200_000 + 150_000 * (tries++ % 7))
  const { bytes, checksum } = content(5_000_000)
  const sent: number[] = []
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(bytes, {
      endpoint: `${proxy.origin}${pathname}/servers/files/upload/${serverId}`,
      headers: { Authorization: `Bearer ${token}`, 'Upload-Checksum': checksum },
      metadata: { path: 'a/b.dat' },
      retryDelays: Array.from({ length: 60 }, () => 5),
      onProgress: (offset) => sent.push(offset),
      onSuccess: () => resolve(),
      onError: reject,
    })
    upload.start()
  })
  expect(proxy.cuts()).toBeGreaterThan(3)
  expect((await readFile(path.join(root, 'a/b.dat'))).equals(bytes)).toBe(true)
  expect(await namesIn(root)).toEqual(['a', 'a/b.dat'])
})

interface Running {
  child: ChildProcess
  baseUrl: string
}

/** The service as a process of its own. */
async function spawnService(dataDir: string, more: string[] = [], input?: string): Promise<Running> {
  const child = spawn(process.execPath, [serviceProgram, '--data', dataDir, '--port', '0', ...more], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  if (input !== undefined) child.stdin?.end(input)
  let text = ''
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.on('exit', () =>
      input === undefined ? reject(new Error(`The service ended: ${text}`)) : resolve(''),
    )
    child.stdout?.on('data', (chunk: Buffer) => {
      text += String(chunk)
      const found = /^Service: (\S+)$/m.exec(text)?.[1]
      if (found) resolve(found)
    })
  })
  return { child, baseUrl }
}

async function kill({ child }: Running): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function json(baseUrl: string, route: string, body: unknown, token = '') {
  const answer = await fetch(baseUrl + route, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })

  return await answer.json()
}

test('a service killed in the middle of an upload goes on where the bytes on its disk end', async () => {
  const dataDir = await temporaryFolder()
  await spawnService(dataDir, ['--create-account', 'ann@example.org'], `${PASSWORD}\n`)
  let running = await spawnService(dataDir)
  const { token } = await json(running.baseUrl, '/auth/login', {
    email: 'ann@example.org',
    password: PASSWORD,
  })
  const software = { id: 'demo', version: '1.20.4' }
  const server = await json(running.baseUrl, '/servers', { name: 'Mine', software, memoryMb: 512 }, token)
  const root = path.join(dataDir, 'servers', server.id)
  const staging = path.join(dataDir, 'staging', server.id, 'uploads')
  const { bytes, checksum } = content(40_000_000)

  let tus = new RawTus(running.baseUrl, server.id, token)
  const { headers } = await tus.create(bytes.length, { path: 'world/region.mca' })
  const location = headers.location ?? ''
  const part = path.join(staging, `${location.split('/').at(-1)}.part`)
  for (const upTo of [7_000_000, 21_000_000, 33_000_000]) {
    const offset = await tus.offset(location)
    const request = tus.begin('PATCH', location, {
      'Upload-Offset': String(offset),
      'Content-Type': 'application/offset+octet-stream',
      'Content-Length': String(bytes.length - offset),
    })
    request.on('error', () => {})
    request.write(bytes.subarray(offset, upTo))
    await expect.poll(async () => (await stat(part)).size, { interval: 5 }).toBeGreaterThan(offset)
    await kill(running)
    expect(await namesIn(root)).toEqual([])
    running = await spawnService(dataDir)
    tus = new RawTus(running.baseUrl, server.id, token)
    const { size } = await stat(part)
    expect(await tus.offset(location)).toBe(size)
    expect((await readFile(part)).equals(bytes.subarray(0, size))).toBe(true)
  }
  const offset = await tus.offset(location)
  const last = await tus.patch(location, offset, bytes.subarray(offset), { 'Upload-Checksum': checksum })
  expect(last.status).toBe(204)
  expect((await readFile(path.join(root, 'world/region.mca'))).equals(bytes)).toBe(true)

  // What was answered is known to the next service too.
  await kill(running)
  running = await spawnService(dataDir)
  const head = await new RawTus(running.baseUrl, server.id, token).send('HEAD', location)
  expect(head.headers).toMatchObject({
    'upload-offset': '40000000',
    etag: last.headers.etag,
    'upload-final-path': 'world/region.mca',
  })
})

test('a service that ended while it placed a file knows whether it came to that', async () => {
  const it = await startFileService()
  const { serverId, token, root } = it
  const tus = new RawTus(it.baseUrl, serverId, token)
  const { bytes, checksum } = content(1000)
  const staging = path.join(it.service.dataDir, 'staging', serverId, 'uploads')
  const { headers } = await tus.create(1000, { path: 'a.dat' })
  const location = headers.location ?? ''
  const record = path.join(staging, `${location.split('/').at(-1)}.json`)
  // Half sent, then as it stands on the disk between the two steps of placing: written down, not yet moved.
  await tus.patch(location, 0, bytes.subarray(0, 999))
  const part = record.replace(/json$/, 'part')
  await tus.patch(location, 999, bytes.subarray(999))
  const placing = { kind: 'placing', ino: String((await stat(part, { bigint: true })).ino) }
  const before = JSON.parse(await readFile(record, 'utf8'))
  await writeFile(record, JSON.stringify({ ...before, state: placing }))
  expect(await tus.offset(location)).toBe(999)
  expect((await tus.patch(location, 999, bytes.subarray(999), { 'Upload-Checksum': checksum })).status).toBe(
    204,
  )

  // The same, and moved.
  const after = JSON.parse(await readFile(record, 'utf8'))
  const ino = String((await stat(path.join(root, 'a.dat'), { bigint: true })).ino)
  await writeFile(record, JSON.stringify({ ...after, state: { kind: 'placing', ino } }))
  const head = await tus.send('HEAD', location)
  expect(head.headers).toMatchObject({
    'upload-offset': '1000',
    etag: after.state.etag,
    'upload-final-path': 'a.dat',
  })
})

test('a full disk is told with 507, and what arrived stays', async ({ skip }) => {
  const small = await temporaryFolder()
  const mounted = spawn('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', small], { stdio: 'ignore' })
  const [code] = (await Promise.race([once(mounted, 'exit'), once(mounted, 'error').then(() => [1])])) as [
    number,
  ]
  if (code !== 0) return skip('Making a small disk takes rights this test does not have.')
  onTestFinished(async () => void (await once(spawn('umount', ['-l', small]), 'exit')))
  const it = await startFileService({ dataDir: path.join(small, 'data') })
  const tus = new RawTus(it.baseUrl, it.serverId, it.token)
  const { bytes, checksum } = content(30_000_000)
  const { headers } = await tus.create(bytes.length, { path: 'a.dat' })
  const location = headers.location ?? ''
  expect((await tus.patch(location, 0, bytes.subarray(0, 5_000_000))).status).toBe(204)
  // Somebody else fills the disk.
  const filler = await open(path.join(small, 'filler'), 'w')
  await filler.writeFile(Buffer.alloc(50_000_000)).catch(() => {})
  await filler.close()
  const refused = await tus.patch(location, 5_000_000, bytes.subarray(5_000_000), {
    'Upload-Checksum': checksum,
  })
  expect([refused.status, refused.body.error.code]).toEqual([507, 'files.disk-full'])
  expect((await tus.create(30_000_000, { path: 'b.dat' })).body.error.code).toBe('files.disk-full')
  await writeFile(path.join(small, 'filler'), '')
  const offset = await tus.offset(location)
  expect(offset).toBeGreaterThanOrEqual(5_000_000)
  const last = await tus.patch(location, offset, bytes.subarray(offset), { 'Upload-Checksum': checksum })
  expect(last.status).toBe(204)
  expect((await readFile(path.join(it.root, 'a.dat'))).equals(bytes)).toBe(true)
  expect(await readdir(it.root)).toEqual(['a.dat'])
})
