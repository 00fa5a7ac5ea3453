import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { traces } from '../../../../tests/doubles/crowd/crowd.ts'
import { answerAbout, type ServerAccess } from '../../base/access.ts'
import { startTestService, temporaryFolder } from '../../service.fixture.ts'
import type { ServerRow } from '../../store/servers.ts'

const OTHER = '01234567-89ab-cdef-0123-456789abcdef'

async function withServer(dataDir: string) {
  const service = await startTestService({ dataDir })
  const { call } = service
  const token = await service.account('ann@example.org')
  const [software] = (await call('GET /software', { token })).body.items
  const [version] = (await call(`GET /software/${software.id}/versions`, { token })).body.items
  const create = (name: string) =>
    call('POST /servers', {
      token,
      body: { name, memoryMb: 512, software: { id: software.id, version: version.id } },
    })
  const { body } = await create('one')
  const id = String(body.id)
  const put = (file: string) => call(`PUT /servers/files/content/${id}?path=${file}`, { token, body: 'text' })
  await put('kept.txt')
  await put('thrown.txt')
  await call(`POST /servers/files/delete/${id}`, { token, body: { paths: ['thrown.txt'] } })
  const remove = () => call(`DELETE /servers/${id}?confirm=one`, { token })
  return { ...service, token, id, port: Number(body.address.port), create, remove }
}

/** Lets every statement of a kind on the servers' table fail, as on a full disk, until the answered function is called. */
function failing(dataDir: string, statement: 'INSERT' | 'DELETE'): () => void {
  const db = new DatabaseSync(path.join(dataDir, 'service.db'))
  onTestFinished(() => db.close())
  db.exec(
    `CREATE TRIGGER full BEFORE ${statement} ON servers BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
  )
  return () => db.exec('DROP TRIGGER full')
}

describe('after a crash', () => {
  test('in the middle of creating nothing is left of the server, but a folder with files is nobody’s to delete', async () => {
    const dataDir = await temporaryFolder()
    const { service, id } = await withServer(dataDir)
    await service.close()
    const begun = '11111111-2222-3333-4444-555555555555'
    for (const folder of [`servers/${begun}`, `servers/${OTHER}`]) await mkdir(path.join(dataDir, folder))
    await writeFile(path.join(dataDir, 'servers', OTHER, 'level.dat'), 'a world')
    await startTestService({ dataDir })
    expect((await traces(dataDir)).ids).toEqual([OTHER, id].sort())
    expect(await readFile(path.join(dataDir, 'servers', OTHER, 'level.dat'), 'utf8')).toBe('a world')
  })

  test('in the middle of deleting the rest goes too: row, trash, what was not whole, and console', async () => {
    const dataDir = await temporaryFolder()
    const { service, id, token } = await withServer(dataDir)
    await service.close()
    for (const folder of ['removed', `console/${id}`, `removed/${OTHER}.trash/x`, `removed/${OTHER}`])
      await mkdir(path.join(dataDir, folder), { recursive: true })
    await rename(path.join(dataDir, 'servers', id), path.join(dataDir, 'removed', id))
    const again = await startTestService({ dataDir })
    expect((await again.call('GET /servers', { token })).body.items).toEqual([])
    expect((await traces(dataDir)).ids).toEqual([])
  })

  test('a server without a folder has an empty one, and can be read, written and deleted', async () => {
    const dataDir = await temporaryFolder()
    const { service, id, token } = await withServer(dataDir)
    await service.close()
    await rm(path.join(dataDir, 'servers', id), { recursive: true })
    const { call } = await startTestService({ dataDir })
    expect((await call(`GET /servers/files/${id}`, { token })).body.items).toEqual([])
    const put = await call(`PUT /servers/files/content/${id}?path=a.txt`, { token, body: 'text' })
    expect(put.status).toBe(200)
    expect((await call(`DELETE /servers/${id}?confirm=one`, { token })).status).toBe(204)
  })
})

describe('what fails halfway', () => {
  test('of creating leaves neither folder nor row nor port behind', async () => {
    const dataDir = await temporaryFolder()
    const { create, call, token, id, port } = await withServer(dataDir)
    const repair = failing(dataDir, 'INSERT')
    expect((await create('two')).status).toBeGreaterThanOrEqual(500)
    expect((await call('GET /servers', { token })).body.items).toHaveLength(1)
    expect((await traces(dataDir)).ids).toEqual([id])
    repair()
    expect((await create('two')).body.address.port).toBe(port + 1)
  })

  test('of creating for lack of a folder leaves nothing either', async () => {
    const dataDir = await temporaryFolder()
    const { create, call, token, port } = await withServer(dataDir)
    const servers = path.join(dataDir, 'servers')
    await rename(servers, `${servers}-away`)
    await writeFile(servers, 'no folder')
    expect((await create('two')).status).toBeGreaterThanOrEqual(400)
    await rm(servers)
    await rename(`${servers}-away`, servers)
    expect((await call('GET /servers', { token })).body.items).toHaveLength(1)
    expect((await create('two')).body.address.port).toBe(port + 1)
  })

  test('of deleting leaves the server as it was, with its console, files and trash', async () => {
    const dataDir = await temporaryFolder()
    const { call, token, id, remove } = await withServer(dataDir)
    const repair = failing(dataDir, 'DELETE')
    const before = await call(`GET /servers/files/trash/${id}`, { token })
    expect(before.body.items).toHaveLength(1)
    expect((await remove()).status).toBeGreaterThanOrEqual(500)
    expect((await call('GET /servers', { token })).body.items).toHaveLength(1)
    expect((await call(`GET /servers/files/${id}`, { token })).body.items).toHaveLength(1)
    expect((await call(`GET /servers/files/trash/${id}`, { token })).body).toEqual(before.body)
    expect((await call(`POST /servers/power/${id}`, { token, body: { action: 'start' } })).status).toBe(202)
    expect((await call(`POST /servers/power/${id}`, { token, body: { action: 'kill' } })).status).toBe(202)
    await expect
      .poll(async () => (await call(`GET /servers/status/${id}`, { token })).body.status)
      .toBe('offline')
    repair()
    expect((await remove()).status).toBe(204)
    expect((await traces(dataDir)).ids).toEqual([])
  })
})

test('of two who delete a server at the same moment one does, and its folder is gone when that is answered', async () => {
  const dataDir = await temporaryFolder()
  const { id, remove } = await withServer(dataDir)
  const both = (await Promise.all([remove(), remove()])).map(({ status, body }) => body?.error.code ?? status)
  expect(both).toContain(204)
  expect(['server.removing', 'server.not-found']).toContain(both.find((answer) => answer !== 204))
  await expect(access(path.join(dataDir, 'servers', id))).rejects.toThrow('ENOENT')
})

describe('an answer about a server that goes meanwhile', () => {
  /** The part of the service that is asked whether there is such a server. */
  const accessTo = (state: { there: boolean; going: boolean }): ServerAccess => ({
    byId: (id) => (state.there ? ({ id, name: 'A' } as ServerRow) : null),
    held: () => 'owner',
    isGoing: () => state.going,
  })
  const ask = (state: { there: boolean; going: boolean }, method: string, act: () => unknown) =>
    answerAbout(
      accessTo(state),
      { accountId: 'me', serverId: 'a', needs: 'owner', changes: method !== 'GET' },
      act,
    )

  test('is that it is gone, whatever was gathered or failed; its body is let go of', async () => {
    for (const method of ['GET', 'POST']) {
      const state = { there: true, going: false }
      const failing = ask(state, method, () => {
        state.there = false
        throw new Error('ENOENT')
      })
      await expect(failing).rejects.toMatchObject({ code: 'server.not-found' })
    }
    let closed = false
    const state = { there: true, going: false }
    const reading = ask(state, 'GET', () => {
      state.there = false
      return new Response(new ReadableStream({ cancel: () => void (closed = true) }))
    })
    await expect(reading).rejects.toMatchObject({ code: 'server.not-found' })
    expect(closed).toBe(true)
  })

  test('is what was done, where it was done before', async () => {
    const state = { there: true, going: false }
    const done = ask(state, 'POST', () => {
      state.there = false
      return 'done'
    })
    expect(await done).toBe('done')
  })

  test('begins nothing new: it is read until it has gone, and changed no more', async () => {
    const state = { there: true, going: true }
    await expect(ask(state, 'POST', () => 'done')).rejects.toMatchObject({ code: 'server.removing' })
    expect(await ask(state, 'GET', () => 'read')).toBe('read')
  })
})
