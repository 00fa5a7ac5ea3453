import { spawnSync } from 'node:child_process'
import { link, mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack as createTar, type Header } from 'tar-stream'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { content, namesIn } from '../uploads/uploads.fixture.ts'
import { startFileService, type FileService } from '../files.fixture.ts'

/** Waits for a job to end, and answers it as it is then. */
async function ended(it: FileService, id: string) {
  const job = async () => (await it.ask('GET jobs')).body.items.find((one: { id: string }) => one.id === id)
  await expect.poll(async () => (await job()).state, { timeout: 100_000 }).not.toBe('running')
  return job()
}

async function run(it: FileService, word: 'archive' | 'extract', body: object) {
  const started = await it.ask(`POST ${word}`, { body })
  if (started.status !== 202) return started.body
  return ended(it, started.body.id)
}

async function zipOf(entries: Record<string, Buffer | string>, mode = 0o100644): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, data] of Object.entries(entries)) zip.addBuffer(Buffer.from(data), name, { mode })
  zip.end()
  return buffer(zip.outputStream)
}

/** Writes another name over one of the same length, where the library refuses to. */
function renamed(zip: Buffer, from: string, to: string): Buffer {
  expect(Buffer.byteLength(to)).toBe(Buffer.byteLength(from))
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')
}

function tarGz(entries: (Partial<Header> & { name: string; data?: string | Buffer })[]): Promise<Buffer> {
  const tar = createTar()
  for (const { data = '', ...header } of entries) {
    if (header.type && header.type !== 'file') tar.entry(header)
    else tar.entry(header, data)
  }
  tar.finalize()
  return buffer(tar as unknown as AsyncIterable<Uint8Array> as never).then((bytes) => gzipSync(bytes))
}

const stagingOf = (it: FileService) => path.join(it.service.dataDir, 'staging', it.serverId)
const leftIn = async (it: FileService) => (await readdir(stagingOf(it))).filter((name) => name !== 'uploads')

test.for(['zip', 'tar.gz'] as const)('what is packed as %s comes out the same', async (format) => {
  const it = await startFileService()
  const { root } = it
  const files: Record<string, Buffer> = {
    'world/level.dat': content(100).bytes,
    'world/region/r.0.0.mca': content(3_000_000).bytes,
    'world/region/empty.mca': Buffer.alloc(0),
    'world/数据/привет ☃.txt': Buffer.from('snow'),
    [`world/${'long-name/'.repeat(15)}end.txt`]: Buffer.from('deep'),
    'ops.json': Buffer.from('[]'),
  }
  for (let i = 0; i < 200; i++) files[`world/many/${i}.json`] = Buffer.from(`{"i":${i}}`)
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true })
    await writeFile(path.join(root, name), bytes)
  }
  await mkdir(path.join(root, 'world/nothing'))
  // What leads out is not taken along.
  await writeFile(path.join(it.service.dataDir, 'secret.txt'), 'secret')
  await symlink('../../../secret.txt', path.join(root, 'world/link.txt'))
  await symlink('../../../..', path.join(root, 'world/all'))
  await link(path.join(it.service.dataDir, 'secret.txt'), path.join(root, 'world/hard.txt'))

  const isLinux = process.platform === 'linux'
  if (isLinux) {
    const odd = (ending: string) =>
      Buffer.concat([
        Buffer.from(path.join(root, 'world/\0')).subarray(0, -1),
        Buffer.from([0xff]),
        Buffer.from(ending),
      ])
    await writeFile(odd('.txt'), 'odd')
    await mkdir(odd(''))
  }

  const to = `backups/all.${format}`
  const packed = await run(it, 'archive', { paths: ['world', 'ops.json'], to, format })
  // The two links, the file that has a name outside too, and the two names that are no Unicode.
  expect(packed).toMatchObject({ state: 'done', error: null, leftOut: isLinux ? 5 : 3 })
  const reasons = packed.omissions.map(({ reason }: { reason: string }) => reason)
  expect(reasons.sort()).toEqual(['link', 'link', ...(isLinux ? ['name', 'name'] : []), 'outside'])
  expect(packed.doneBytes).toBe(Object.values(files).reduce((sum, { length }) => sum + length, 0))
  const bytes = await readFile(path.join(root, to))
  expect(bytes.includes('secret')).toBe(false)
  // Another program reads it too.
  const [program, ...options] = format === 'zip' ? ['unzip', '-tq'] : ['tar', '-tzf']
  const tested = spawnSync(program ?? '', [...options, path.join(root, to)])
  if (!tested.error) expect(tested.status).toBe(0)

  const unpacked = await run(it, 'extract', { path: to, to: 'copy' })
  expect(unpacked).toMatchObject({ state: 'done', error: null })
  const names = (await namesIn(path.join(root, 'copy'))).filter((name) => name in files)
  expect(names.sort()).toEqual(Object.keys(files).sort())
  for (const [name, data] of Object.entries(files)) {
    expect((await readFile(path.join(root, 'copy', name))).equals(data)).toBe(true)
    const [before, after] = [await stat(path.join(root, name)), await stat(path.join(root, 'copy', name))]
    expect(Math.abs(before.mtimeMs - after.mtimeMs)).toBeLessThan(2_000)
  }
  expect((await stat(path.join(root, 'copy/world/nothing'))).isDirectory()).toBe(true)
  expect(await namesIn(path.join(root, 'copy/world'))).not.toContain('link.txt')
  expect(await namesIn(path.join(root, 'copy/world'))).not.toContain('hard.txt')
  expect(await leftIn(it)).toEqual([])
})

test('an archive that means harm, or is damaged, changes nothing', async () => {
  const zeros = Buffer.alloc(260 * 1024 * 1024)
  const plain = await zipOf({ 'fine.txt': 'fine', 'xx/evil.txt': 'evil' })
  const encrypted = Buffer.from(plain)
  // Bit 0 of the flags, in the list at the end where readers look.
  const listAt = encrypted.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  encrypted.writeUInt16LE(encrypted.readUInt16LE(listAt + 8) | 1, listAt + 8)
  const flipped = await zipOf({ 'a.bin': content(5000).bytes })
  flipped[2000] = (flipped[2000] ?? 0) ^ 255
  const harm: Record<string, [Buffer, string]> = {
    'climbs.zip': [renamed(plain, 'xx/evil.txt', '../evil.txt'), 'files.outside'],
    'climbs2.zip': [renamed(plain, 'xx/evil.txt', '..\\evil.txt'), 'files.outside'],
    'drive.zip': [renamed(plain, 'xx/evil.txt', 'C:/evil.txt'), 'files.outside'],
    'encrypted.zip': [encrypted, 'files.archive-encrypted'],
    'cut.zip': [plain.subarray(0, plain.length - 30), 'files.archive-broken'],
    'flipped.zip': [flipped, 'files.archive-broken'],
    'bomb.zip': [await zipOf({ 'a.bin': zeros }), 'files.archive-bomb'],
    'none.zip': [Buffer.from('no archive'), 'files.archive-unknown'],
    'climbs.tar.gz': [
      await tarGz([{ name: 'fine.txt' }, { name: '../evil.txt', data: 'evil' }]),
      'files.outside',
    ],
    'cut.tar.gz': [
      (await tarGz([{ name: 'a', data: 'x'.repeat(9000) }])).subarray(0, 60),
      'files.archive-broken',
    ],
    'bomb.tar.gz': [await tarGz([{ name: 'a.bin', data: zeros }]), 'files.archive-bomb'],
  }
  // Only now: making them keeps this process so busy that a service in it would lose its idle connections meanwhile.
  const it = await startFileService({
    fileLimits: { quotaBytes: 1024 ** 3, maxFileBytes: 600 * 1024 * 1024 },
  })
  const { root } = it
  for (const [name, [bytes, code]] of Object.entries(harm)) {
    await writeFile(path.join(root, name), bytes)
    const job = await run(it, 'extract', { path: name, to: 'out' })
    expect([name, job.state, job.error?.code]).toEqual([name, 'failed', code])
    expect(job.error.message).toMatch(/\.$/)
  }
  expect(await namesIn(root)).toEqual(Object.keys(harm).sort())
  expect(await leftIn(it)).toEqual([])
  expect((await readdir(path.dirname(root))).length).toBe(1)
})

test('links in an archive are not made, and nothing is written through them', async () => {
  const it = await startFileService()
  const { root } = it
  const outside = path.join(it.service.dataDir, 'outside')
  await mkdir(outside)
  const linked = await zipOf({ link: '../../outside' }, 0o120777)
  await writeFile(path.join(root, 'link.zip'), linked)
  const bytes = await tarGz([
    { name: 'link', type: 'symlink', linkname: '../../outside' },
    { name: 'link/evil.txt', data: 'evil' },
    { name: 'hard', type: 'link', linkname: '/etc/passwd' },
    { name: 'pipe', type: 'fifo' },
  ])
  await writeFile(path.join(root, 'link.tar.gz'), bytes)
  const [fromZip, fromTar] = [
    await run(it, 'extract', { path: 'link.zip', to: 'a' }),
    await run(it, 'extract', { path: 'link.tar.gz', to: 'b' }),
  ]
  expect([fromZip, fromTar]).toMatchObject([
    { state: 'done', leftOut: 1, omissions: [{ name: 'link', reason: 'link' }] },
    {
      ...{ state: 'done', leftOut: 3 },
      omissions: [
        ...['link', 'hard'].map((name) => ({ name, reason: 'link' })),
        { name: 'pipe', reason: 'special' },
      ],
    },
  ])
  expect((await namesIn(root)).filter((name) => !name.includes('.zip') && !name.includes('.gz'))).toEqual([
    'a',
    'b',
    'b/link',
    'b/link/evil.txt',
  ])
  expect((await stat(path.join(root, 'b/link'))).isDirectory()).toBe(true)
  // A link that is there already is no way out either.
  await symlink(outside, path.join(root, 'c'))
  expect((await run(it, 'extract', { path: 'link.tar.gz', to: 'c' })).error.code).toBe('files.outside')
  expect(await readdir(outside)).toEqual([])
})

test('names that are taken: refused before anything is placed, replaced, or kept beside', async () => {
  const it = await startFileService()
  const { root } = it
  await writeFile(path.join(root, 'a.zip'), await zipOf({ 'new.txt': 'new', 'old.txt': 'theirs' }))
  await mkdir(path.join(root, 'to'))
  await writeFile(path.join(root, 'to/old.txt'), 'mine')
  const wish = { path: 'a.zip', to: 'to' }
  expect((await run(it, 'extract', wish)).error.code).toBe('files.exists')
  expect(await namesIn(path.join(root, 'to'))).toEqual(['old.txt'])
  expect((await run(it, 'extract', { ...wish, conflict: 'skip' })).state).toBe('done')
  expect(await it.onDisk('to/old.txt')).toBe('mine')
  expect((await run(it, 'extract', { ...wish, conflict: 'keep-both' })).state).toBe('done')
  expect(await it.onDisk('to/old (2).txt')).toBe('theirs')
  expect((await run(it, 'extract', { ...wish, conflict: 'replace' })).state).toBe('done')
  expect(await it.onDisk('to/old.txt')).toBe('theirs')

  const archive = { paths: ['to'], to: 'a.zip', format: 'zip' }
  expect((await run(it, 'archive', archive)).error.code).toBe('files.exists')
  expect((await run(it, 'archive', { ...archive, paths: ['nothing'] })).error.code).toBe('files.not-found')
  expect((await run(it, 'archive', { ...archive, to: '../a.zip' })).error.code).toBe('files.outside')
  expect(await leftIn(it)).toEqual([])
})

test('a canceled job leaves nothing behind, and the event stream tells of it', async () => {
  const it = await startFileService()
  const { root, token } = it
  await writeFile(path.join(root, 'large.bin'), content(200_000_000).bytes)
  const stream = await fetch(`${it.baseUrl}/servers/events?servers=${it.serverId}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  let told = ''
  const reading = (async () => {
    for await (const chunk of stream.body ?? []) {
      told += Buffer.from(chunk).toString()
      if (told.includes('"state":"cancelled"')) return
    }
  })()
  const { body: job } = await it.ask('POST archive', {
    body: { paths: ['large.bin'], to: 'a.zip', format: 'zip' },
  })
  expect(job).toMatchObject({ kind: 'archive', state: 'running', path: 'a.zip' })
  await expect.poll(async () => (await leftIn(it)).length).toBe(1)
  expect((await it.ask('POST cancel', { body: { id: 'other' } })).status).toBe(404)
  expect((await it.ask('POST cancel', { body: { id: job.id } })).status).toBe(204)
  expect((await ended(it, job.id)).state).toBe('cancelled')
  expect(await leftIn(it)).toEqual([])
  expect(await namesIn(root)).toEqual(['large.bin'])
  await reading
  const jobs = [...told.matchAll(/event: job\ndata: (.*)\n/g)].map(([, data]) => JSON.parse(data ?? ''))
  expect(jobs[0]).toMatchObject({ serverId: it.serverId, job: { id: job.id, state: 'running' } })
  expect(jobs.at(-1).job.state).toBe('cancelled')
})

test('finds names and lines in any case, and neither in what leads out nor in what is no text', async () => {
  const it = await startFileService()
  const { root } = it
  await mkdir(path.join(root, 'plugins/Über'), { recursive: true })
  await writeFile(path.join(root, 'plugins/Über/Config.yml'), 'a: 1\r\nMax-Players: 20\nb: ÄPFEL\n')
  await writeFile(path.join(root, 'config.json'), `${'x'.repeat(400_000)}max-players${'y'.repeat(400_000)}`)
  await writeFile(path.join(root, 'world.bin'), Buffer.from('\0max-players'))
  await writeFile(path.join(it.service.dataDir, 'secret.txt'), 'max-players')
  await symlink('../../secret.txt', path.join(root, 'link.txt'))
  await symlink('../../..', path.join(root, 'out'))
  const find = async (query: string) => (await it.ask(`GET search ${query}`)).body.items
  expect((await find('name=CONFIG')).map((hit: { path: string }) => hit.path)).toEqual([
    'config.json',
    'plugins/Über/Config.yml',
  ])
  const lines = await find('text=MAX-players')
  expect(lines).toMatchObject([
    { path: 'config.json', line: 1 },
    { path: 'plugins/Über/Config.yml', line: 2, text: 'Max-Players: 20' },
  ])
  expect(lines[0].text).toContain('max-players')
  expect(lines[0].text.length).toBe(300)
  expect(await find('text=äpfel&name=yml')).toMatchObject([{ line: 3, text: 'b: ÄPFEL' }])
  expect(await find('text=a&limit=1')).toHaveLength(1)
  expect(await find('name=x&path=plugins')).toEqual([])
  expect((await it.ask('GET search')).status).toBe(422)
  expect((await it.ask('GET search name=a&path=../..')).body.error.code).toBe('files.outside')
  expect((await it.ask('GET search name=a&path=out')).body.error.code).toBe('files.outside')
})
