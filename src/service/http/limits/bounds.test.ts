import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ConsoleLog } from '../../runtime/console/console-log.ts'
import { linesAfter, linesBefore } from '../../runtime/console/history.ts'
import { openTestFiles, startFileService } from '../../files/files.fixture.ts'
import { sorted } from '../../files/sorted.ts'
import { Trash } from '../../files/trash.ts'
import { Yielder } from '../../../host/yield.ts'
import { heldClock, startTestService, temporaryFolder } from '../../service.fixture.ts'

const server = { name: 'Mine', software: { id: 'demo', version: '1.20.4' }, memoryMb: 512 }
const begun = (at: number) => ({
  'Tus-Resumable': '1.0.0',
  'Upload-Length': '100',
  'Upload-Metadata': `path ${Buffer.from(`begun/${at}`).toString('base64')}`,
})

test('an account has so many servers, also where all are asked for at once, and others go on', async () => {
  const { call, account } = await startTestService({ bounds: { servers: 3 } })
  const [ann, bob] = [await account('ann@example.org'), await account('bob@example.org')]
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => call('POST /servers', { token: ann, body: server })),
  )
  expect(answers.filter(({ status }) => status === 201).length).toBe(3)
  const refused = answers.filter(({ status }) => status !== 201)
  for (const { status, body } of refused)
    expect([status, body.error.code, body.error.message]).toEqual([
      409,
      'server.too-many',
      expect.stringMatching(/all 3 servers of your account\. Delete one/),
    ])
  expect((await call('POST /servers', { token: bob, body: server })).status).toBe(201)
})

test('servers are made so fast and no faster, and the answer says when to come again', async () => {
  const rates = { 'servers.create': { burst: 2, perSecond: 0.01 } }
  const { call, account } = await startTestService({ bounds: { rates } })
  const token = await account('ann@example.org')
  for (let at = 0; at < 2; at++)
    expect((await call('POST /servers', { token, body: server })).status).toBe(201)
  const refused = await call('POST /servers', { token, body: server })
  expect([refused.status, refused.body.error.code]).toEqual([429, 'request.too-often'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1)
})

test('so many uploads of a server are begun; one that is ended makes room for the next', async () => {
  const it = await startFileService({ bounds: { begunUploads: 5 } })
  const create = (at: number) => it.raw('POST upload', { headers: begun(at) })
  const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => create(at)))
  expect(answers.filter(({ status }) => status === 201).length).toBe(5)
  const refused = answers.find(({ status }) => status !== 201)
  expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([429, '30'])
  expect(await refused?.json()).toMatchObject({ error: { code: 'files.too-many-uploads' } })
  const folder = path.join(it.service.dataDir, 'staging', it.serverId, 'uploads')
  expect(readdirSync(folder).filter((name) => name.endsWith('.json')).length).toBe(5)
  const made = answers.find(({ status }) => status === 201)?.headers.get('location') ?? ''
  const ended = await fetch(new URL(made, it.baseUrl), {
    method: 'DELETE',
    headers: { 'Tus-Resumable': '1.0.0', Authorization: `Bearer ${it.token}` },
  })
  expect(ended.status).toBe(204)
  expect((await create(99)).status).toBe(201)
})

test('of finished uploads so many are remembered', async () => {
  const it = await startFileService({ bounds: { rememberedUploads: 3 } })
  for (let at = 0; at < 8; at++)
    expect((await it.raw('POST upload', { headers: { ...begun(at), 'Upload-Length': '0' } })).status).toBe(
      201,
    )
  const folder = path.join(it.service.dataDir, 'staging', it.serverId, 'uploads')
  expect(readdirSync(folder).filter((name) => name.endsWith('.json')).length).toBe(3)
})

test('a body with more values than anything takes is refused before it is looked through', async () => {
  const it = await startFileService()
  const many = await it.ask('POST delete', { body: `{"paths":[${'"",'.repeat(200_000)}""]}` })
  expect([many.status, many.body.error.code]).toEqual([413, 'request.too-large'])
  const deep = await it.ask('POST delete', { body: `{"paths":${'['.repeat(100_000)}` })
  expect([deep.status, deep.body.error.code]).toEqual([413, 'request.too-large'])
  const wrong = await it.ask('POST delete', { body: { paths: Array.from({ length: 900 }, () => '') } })
  expect(wrong.status).toBe(422)
  expect(Object.keys(wrong.body.error.fields).length).toBe(20)
  const honest = await it.ask('POST delete', {
    body: { paths: Array.from({ length: 1000 }, (_, at) => `no/${'such/'.repeat(20)}${at}`) },
  })
  expect([honest.status, honest.body.results.length]).toEqual([200, 1000])
})

test('a name of a megabyte is refused by its length', async () => {
  const { call, account } = await startTestService()
  const token = await account('ann@example.org')
  const long = await call('POST /servers', { token, body: { ...server, name: 'é'.repeat(20_000) } })
  expect([long.status, long.body.error.fields.name[0]]).toEqual([422, expect.stringContaining('too long')])
})

test('a flood of long addresses by somebody without an account leaves a small log', async () => {
  const { call, service } = await startTestService()
  const long = `GET /servers/${'x'.repeat(8000)}`
  for (let at = 0; at < 20; at++)
    expect(
      await Promise.all(Array.from({ length: 50 }, () => call(long).then(({ status }) => status))),
    ).toContain(401)
  await service.close(true)
  const file = path.join(service.dataDir, 'logs', 'service.log')
  expect(statSync(file).size).toBeLessThan(600_000)
  expect(readFileSync(file, 'utf8')).not.toContain('x'.repeat(200))
})

test('a page of a console ends where its lines are long, and the next one goes on there', async () => {
  const log = new ConsoleLog(await temporaryFolder(), 1)
  const lines = Array.from({ length: 400 }, (_, at) => `${at} ${'x'.repeat(16_000)}`)
  for (const line of lines) log.append([line])
  await log.written()
  const page = await linesAfter(log, { epoch: 1, seq: 0 }, 5000)
  expect(page.items.length).toBeLessThan(200)
  expect(page.nextCursor).toBe(page.items.at(-1)?.id)
  const newest = await linesBefore(log, null, 1000)
  expect(newest.items.at(-1)?.text.startsWith('399 ')).toBe(true)
  await log.close()
})

test('of things without bytes so many are in the trash', async () => {
  const { files } = await openTestFiles()
  const trash = new Trash(files, heldClock())
  for (let call = 0; call < 2; call++) {
    const id = trash.newCall()
    for (let at = 0; at < 5500; at++) {
      const folder = path.join(files.trash, `${id}-${at}`)
      mkdirSync(folder)
      writeFileSync(path.join(folder, 'item'), '')
      const record = {
        path: `${call}/${at}`,
        kind: 'file',
        size: 0,
        deletedAt: call * 1000 + Date.UTC(2026, 0, 1),
        seenAt: 0,
      }
      writeFileSync(path.join(folder, 'record.json'), JSON.stringify(record))
    }
  }
  await Promise.all([trash.sweep(), trash.sweep(), trash.sweep()])
  // The first goes on for the others, which come back at once.
  expect(await trash.list()).toHaveLength(10_000)
})

test('names of a very large folder are sorted as those of a small one', async () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `${(at * 7919) % 20_000} é${at % 7}`)
  expect(await sorted([...names], new Yielder())).toEqual([...names].sort())
})

test('long work of many takes turns: between two steps of one everybody else is heard', async () => {
  let heard = 0
  let over = false
  const listen = () => {
    heard++
    if (!over) setImmediate(listen)
  }
  setImmediate(listen)
  let rounds = 0
  const work = async () => {
    const yielder = new Yielder()
    for (let step = 0; step < 5; step++) {
      await yielder.next()
      rounds++
      const until = performance.now() + 6
      while (performance.now() < until);
    }
  }
  await Promise.all(Array.from({ length: 10 }, work))
  over = true
  // Each step used a slice up, so each had a round of its own.
  expect(heard).toBeGreaterThanOrEqual(rounds - 11)
})
