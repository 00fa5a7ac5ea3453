import { execFileSync, spawn } from 'node:child_process'
import type { IncomingHttpHeaders } from 'node:http'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Transfer } from '../../../contract/bridge/transfer-values.ts'
import { hindered } from '../line.fixture.ts'
import type { Orders } from '../send/sender.fixture.ts'
import { hashes, openRoom, put, startTarget, type Target, temporary, tree } from '../transfers.fixture.ts'

const MIB = 1024 * 1024
let target: Target
let source: string
beforeEach(async () => {
  target = await startTarget()
  source = await temporary()
})

const to = () => ({ connectionId: 'here', serverId: target.serverId, folder: '' })
const ended = ({ endedAt }: { endedAt: string | null }) => endedAt !== null

async function pick(...files: [string, number][]) {
  const picked = []
  for (const [name, size] of files) picked.push({ path: name, file: await put(source, name, size) })
  return picked
}

/** A queue behind a line on which things go wrong. */
async function openBehind(fate: Parameters<typeof hindered>[1]) {
  const { baseUrl } = await hindered(target.service.baseUrl, fate)
  return openRoom({ here: { baseUrl, token: target.token } })
}

/** Where a piece of an upload ends, in bytes. */
const reaches = (headers: IncomingHttpHeaders) =>
  Number(headers['upload-offset'] ?? 0) + Number(headers['content-length'] ?? 0)

async function sameAsSource(): Promise<void> {
  expect(await hashes(target.folder)).toEqual(await hashes(source))
}

/** True once. */
const once = () => {
  let over = false
  return () => !over && (over = true)
}

describe('a lost answer', () => {
  it('of a batch leads to a comparison: nothing is asked, nothing is doubled', async () => {
    const first = once()
    const opened = await openBehind((_, at) =>
      at.startsWith('/servers/files/batch/') && first() ? 'lose-answer' : 'pass',
    )
    const files = await pick(...Array.from({ length: 30 }, (_, n): [string, number] => [`${n}.txt`, n * 10]))
    await opened.room.upload({ to: to(), files, folders: [] })
    expect(await opened.until((one) => ended(one) || one.state === 'asking')).toMatchObject({
      state: 'done',
      filesDone: 30,
    })
    await sameAsSource()
  })

  it('is compared again where the line breaks in the middle of the comparison', async () => {
    const [first, second] = [once(), once()]
    const opened = await openBehind((_, at) => {
      if (at.startsWith('/servers/files/batch/') && first()) return 'lose-answer'
      return at.startsWith('/servers/files/content/') && second() ? 'cut-answer' : 'pass'
    })
    const files = await pick(...Array.from({ length: 3 }, (_, n): [string, number] => [`${n}.txt`, 50_000]))
    await opened.room.upload({ to: to(), files, folders: [] })
    expect(await opened.until((one) => ended(one) || one.state === 'asking')).toMatchObject({
      state: 'done',
      filesDone: 3,
    })
    expect(second()).toBe(false)
    await sameAsSource()
  })

  it.each(['the creation', 'the last piece'])('of %s of an upload leads to one file', async (which) => {
    const first = once()
    let lost = 0
    const opened = await openBehind((method, at, { headers }) => {
      const creates = method === 'POST' && at.startsWith('/servers/files/upload/')
      const isLast = method === 'PATCH' && reaches(headers) === 3 * MIB
      const meant = which === 'the creation' ? creates : isLast
      return meant && first() && ++lost > 0 ? 'lose-answer' : 'pass'
    })
    await opened.room.upload({ to: to(), files: await pick(['big.bin', 3 * MIB]), folders: [] })
    expect(await opened.until((one) => ended(one) || one.state === 'asking')).toMatchObject({ state: 'done' })
    expect(lost).toBe(1)
    await sameAsSource()
  })

  it('of the one form of a service without tus leads to a comparison too', async () => {
    const first = once()
    const opened = await openBehind((method, at) => {
      if (at.startsWith('/servers/files/limits/')) return { status: 501, body: '{}' }
      return method === 'POST' && at.startsWith('/servers/files/upload/') && first() ? 'lose-answer' : 'pass'
    })
    await opened.room.upload({ to: to(), files: await pick(['a.txt', 100]), folders: [] })
    expect(await opened.until((one) => ended(one) || one.state === 'asking')).toMatchObject({ state: 'done' })
    await sameAsSource()
  })
})

describe('a service', () => {
  it('without tus and without batches is sent one form a file', async () => {
    const seen: string[] = []
    const { baseUrl } = await hindered(target.service.baseUrl, (method, at, request) => {
      if (at.startsWith('/servers/files/limits/')) return { status: 404, body: '{}' }
      if (!at.startsWith('/servers/files/upload/')) return 'pass'
      seen.push(method)
      // What such a service says to a creation: this is no form.
      return request.headers['tus-resumable'] === undefined ? 'pass' : { status: 415, body: '{}' }
    })
    const opened = await openRoom({ here: { baseUrl, token: target.token } })
    await opened.room.upload({
      to: to(),
      files: await pick(['a/b.txt', 100], ['c.bin', 5 * MIB]),
      folders: [],
    })
    expect(await opened.until(ended)).toMatchObject({ state: 'done', filesDone: 2 })
    expect(seen).toContain('POST')
    await sameAsSource()
  })

  it.each([
    [429, { 'retry-after': '0' }, '{}'],
    [500, {}, '{}'],
    [423, { 'retry-after': '1' }, '{}'],
  ])('that answers %d once is sent the same a little later', async (status, headers, body) => {
    const first = once()
    const opened = await openBehind((method) =>
      method === 'PATCH' && first() ? { status, headers, body } : 'pass',
    )
    await opened.room.upload({ to: to(), files: await pick(['big.bin', 2 * MIB]), folders: [] })
    expect(await opened.until(ended)).toMatchObject({ state: 'done' })
    await sameAsSource()
  })

  it.each([
    [413, '{"error":{"code":"files.too-large","message":"This file is too large here."}}', 'too-large'],
    [507, '{"error":{"code":"files.disk-full","message":"The disk is full."}}', 'service-failed'],
    [200, '<!doctype html><p>Sign in to the hotel</p>', 'unconfirmed'],
  ])(
    'that answers %d to a piece ends that file with a sentence, and the others come',
    async (status, body, code) => {
      let victim: string | undefined
      const opened = await openBehind((method, at) => {
        if (method !== 'PATCH') return 'pass'
        victim ??= at
        return at === victim ? { status, body, headers: { 'content-type': 'text/html' } } : 'pass'
      })
      const files = await pick(['a.bin', 2 * MIB], ['b.bin', 2 * MIB])
      const { transferId } = await opened.room.upload({ to: to(), files, folders: [] })
      expect(await opened.until(ended)).toMatchObject({ state: 'failed', filesDone: 1, filesFailed: 1 })
      const { items } = await opened.room.items({ transferId, only: 'failed', offset: 0, limit: 9 })
      expect(items[0]?.problem?.code).toBe(code)
      expect(items[0]?.problem?.message).toMatch(/^.{10,}\.$/)
      expect((await readdir(target.folder)).filter((name) => name.endsWith('.bin'))).toHaveLength(1)
      victim = ''
      await opened.room.retry(transferId)
      expect(await opened.until((one) => one.state === 'done')).toMatchObject({ filesDone: 2 })
      await sameAsSource()
    },
  )

  it.each([
    ['files.disk-full', 'service-failed'],
    ['service.failed', 'service-failed'],
    ['files.too-large', 'too-large'],
    ['files.name-invalid', 'invalid'],
    ['files.denied', 'conflict'],
  ])(
    'that answers %s to a file of a batch ends that file as it would be alone, and the others come',
    async (serviceCode, code) => {
      const error = { code: serviceCode, message: 'This file could not be kept.' }
      const first = once()
      const opened = await openBehind((_, at) => {
        if (!at.startsWith('/servers/files/batch/') || !first()) return 'pass'
        const results = [{ path: 'a.txt', outcome: 'failed', error }]
        return { status: 200, body: JSON.stringify({ results }) }
      })
      const files = await pick(['a.txt', 100], ['b.txt', 100])
      const { transferId } = await opened.room.upload({ to: to(), files, folders: [] })
      expect(await opened.until(ended)).toMatchObject({ state: 'failed', filesDone: 1, filesFailed: 1 })
      const { items } = await opened.room.items({ transferId, only: 'failed', offset: 0, limit: 9 })
      expect(items[0]?.problem).toMatchObject({ code, serviceCode, message: error.message })
      await opened.room.retry(transferId)
      expect(await opened.until((one) => one.state === 'done')).toMatchObject({ filesDone: 2 })
      await sameAsSource()
    },
  )

  it('that shared the server without the right to write is sent nothing', async () => {
    const sent: string[] = []
    const opened = await openBehind((method, at) => {
      if (at === `/servers/${target.serverId}`) {
        const body = { id: target.serverId, name: 'World', role: ['files.read'] }
        return { status: 200, body: JSON.stringify(body) }
      }
      if (method !== 'GET') sent.push(at)
      return 'pass'
    })
    await opened.room.upload({ to: to(), files: await pick(['a.txt', 100]), folders: [] })
    const failed = await opened.until(ended)
    expect(failed).toMatchObject({ state: 'failed', problem: { code: 'forbidden' } })
    expect(sent).toEqual([])
  })

  it('without the room for all of it is sent nothing', async () => {
    const opened = await openBehind((_, at) =>
      at.startsWith('/servers/files/limits/')
        ? { status: 200, body: JSON.stringify({ quotaBytes: 1000, usedBytes: 950, resumable: true }) }
        : 'pass',
    )
    await opened.room.upload({ to: to(), files: await pick(['a.txt', 100]), folders: [] })
    const failed = await opened.until(ended)
    expect(failed).toMatchObject({ state: 'failed', problem: { serviceCode: 'files.quota' } })
    expect(await readdir(target.folder)).not.toContain('a.txt')
  })
})

describe('a panel that is killed', () => {
  const program = fileURLToPath(new URL('../send/sender.fixture.ts', import.meta.url))

  /** Starts the process and kills it when what it tells is as wanted. */
  async function run(orders: Orders, enough: (transfer: Transfer) => boolean): Promise<Transfer> {
    const child = spawn(process.execPath, ['--no-warnings', program], { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stdin.write(`${JSON.stringify(orders)}\n`)
    for await (const line of createInterface(child.stdout)) {
      const transfer = JSON.parse(line) as Transfer | null
      if (!transfer || !(enough(transfer) || ended(transfer))) continue
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
      return transfer
    }
    throw new Error('the process ended by itself')
  }

  it('again and again in the middle of a tree loses nothing and doubles nothing', async () => {
    const sizes = Array.from({ length: 120 }, (_, n): [string, number] => [`t/${n % 7}/${n}`, 300 + n * 50])
    const files = await pick(...sizes, ['t/big.bin', 12 * MIB], ['t/two.bin', 5 * MIB])
    const dataDir = await temporary()
    const orders = { dataDir, baseUrl: target.service.baseUrl, token: target.token, limit: 6 * MIB }
    let before = -1
    let transfer = await run({ ...orders, upload: { to: to(), files } }, (one) => one.bytesDone > before)
    for (let kills = 1; kills < 4 && !ended(transfer); kills++) {
      before = transfer.bytesDone
      transfer = await run(orders, (one) => one.bytesDone > before || one.state === 'asking')
      expect(transfer.state).not.toBe('asking')
    }
    transfer = await run({ ...orders, limit: null }, (one) => one.state === 'asking')
    expect(transfer).toMatchObject({ state: 'done', filesDone: 122, filesFailed: 0 })
    await sameAsSource()
    for (const [, content] of await tree(dataDir)) expect(content.includes(target.token)).toBe(false)
  })
})

// A small disk of its own can only be had by root on Linux.
const canMount = process.platform === 'linux' && process.getuid?.() === 0
describe.runIf(canMount)('a full disk of this computer', () => {
  it('fails a download with a sentence; after room was made the retry brings it', async () => {
    const disk = await temporary()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk])
    try {
      await put(target.folder, 'world.zip', 5 * MIB)
      await writeFile(path.join(disk, 'ballast'), Buffer.alloc(6 * MIB))
      const opened = await openRoom(
        { here: { baseUrl: target.service.baseUrl, token: target.token } },
        { downloads: path.join(disk, 'Downloads') },
      )
      const { transferId } = await opened.room.download({ ...to(), paths: ['world.zip'] })
      await opened.until(ended)
      const { items } = await opened.room.items({ transferId, only: 'failed', offset: 0, limit: 9 })
      expect(items[0]?.problem?.message).toMatch(/^This computer's disk is full/)
      expect(await readdir(path.join(disk, 'Downloads'))).not.toContain('world.zip')
      await rm(path.join(disk, 'ballast'))
      await opened.room.retry(transferId)
      expect(await opened.until((one) => one.state === 'done')).toMatchObject({ filesDone: 1 })
      expect((await stat(path.join(disk, 'Downloads/world.zip'))).size).toBe(5 * MIB)
      await opened.close()
    } finally {
      execFileSync('umount', [disk])
    }
  })

  it('under the queue itself stops it and lets it go on, without losing its place', async () => {
    const disk = await temporary()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk])
    onTestFinished(() => void execFileSync('umount', ['-l', disk]))
    const dataDir = path.join(disk, 'data')
    await mkdir(dataDir)
    const opened = await openRoom(
      { here: { baseUrl: target.service.baseUrl, token: target.token } },
      { dataDir },
    )
    await opened.room.limit({ limit: 4 * MIB, atOnce: 1 })
    await opened.room.upload({ to: to(), files: await pick(['big.bin', 10 * MIB]), folders: [] })
    await opened.until((one) => one.bytesDone > 0)
    await writeFile(path.join(disk, 'ballast'), Buffer.alloc(8 * MIB)).catch(() => undefined)
    await opened.room.limit({ limit: null, atOnce: 1 }).catch(() => undefined)
    const stopped = await opened.until((one) => one.problem !== null || ended(one))
    expect(stopped.endedAt).toBeNull()
    expect(stopped.problem?.message).toMatch(/^This computer's disk is full/)
    await rm(path.join(disk, 'ballast'))
    expect(await opened.until(ended)).toMatchObject({ state: 'done' })
    expect((await readFile(path.join(target.folder, 'big.bin'))).length).toBe(10 * MIB)
    await opened.close()
  })
})
