import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { onTestFinished, expect, it } from 'vitest'
import { offerFabric, offerFill, offerVanilla } from '../../../tests/fixtures/catalogue-answers.ts'
import { CatalogueServer } from '../../../tests/fixtures/catalogue-server.ts'
import { javaServerJar } from '../../../tests/fixtures/java-server.ts'
import { openTestService, temporaryFolder } from '../service.fixture.ts'

const OLD = '1.20.4'
const NEW = '1.20.6'
const LOST = '1.20.5'

/** A Paper server that is installed, with a world, a plugin and settings; its catalogs offer a newer version, and Fabric. */
async function openPaper() {
  const catalogs = await CatalogueServer.start()
  const folder = await temporaryFolder()
  const options = { dataDir: folder, catalogues: catalogs.settings }
  let running = await openTestService(options)
  onTestFinished(async () => {
    await running.service.close(true)
    await catalogs.stop()
  })
  const jar = async (version: string) => readFile(await javaServerJar({ kind: 'paper', version, build: '1' }))
  offerFill(catalogs, 'paper', [
    { id: NEW, java: 17, builds: [{ id: 2, jar: await jar(NEW) }] },
    // Nothing that could be run: it is for what never arrives.
    { id: LOST, java: 17, builds: [{ id: 3 }] },
    { id: OLD, java: 17, builds: [{ id: 1, jar: await jar(OLD) }] },
  ])
  const token = await running.account('ann@example.org')
  const ask = async (route: string, body?: unknown) => {
    const { status, body: answer } = await running.call(route, { token, body })
    return { status, body: answer }
  }
  const created = await ask('POST /servers', {
    ...{ name: 'Mine', software: { id: 'paper', version: OLD }, memoryMb: 512, acceptLicense: true },
  })
  const { id } = created.body
  const at = (...names: string[]) => path.join(folder, 'servers', id, ...names)
  const reaches = (wanted: string) =>
    expect
      .poll(async () => (await ask(`GET /servers/status/${id}`)).body.status, { interval: 20 })
      .toBe(wanted)
  await reaches('offline')
  const put = async (name: string, text: string | Buffer) => {
    await mkdir(path.dirname(at(name)), { recursive: true })
    await writeFile(at(name), text)
  }
  await put('world/level.dat', levelOf('1.20.4'))
  await put('world/region/r.0.0.mca', 'chunks')
  await put('plugins/Shop.jar', 'a plugin')
  await put('plugins/Shop/config.yml', 'price: 3\n')
  await put('server.properties', 'motd=mine\n')
  await put('ops.json', '[]')
  await put('notes.txt', 'mine')
  await put('logs/latest.log', 'a log')
  return {
    ...{ catalogs, folder, id, ask, at, reaches, put },
    said: async (): Promise<string[]> =>
      (await ask(`GET /servers/console/${id}`)).body.items.map(({ text }: { text: string }) => text),
    software: async () => (await ask(`GET /servers/software/${id}`)).body,
    power: (action: string) => ask(`POST /servers/power/${id}`, { action }),
    change: (software: { id: string; version: string }) => ask(`PUT /servers/software/${id}`, software),
    plan: async (software: string, version: string) =>
      (await ask(`GET /servers/software/plan/${id}?id=${software}&version=${version}`)).body,
    copies: path.join(folder, 'copies', id),
    /** All that lies in the server's folder, and what it holds. */
    async all(): Promise<Record<string, string>> {
      const entries = await readdir(at(), { recursive: true, withFileTypes: true })
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
      const texts = files.map(async (file) => [
        path.relative(at(), file),
        (await readFile(file)).toString('base64'),
      ])
      return Object.fromEntries(await Promise.all(texts)) as Record<string, string>
    },
    /** Another service in the same folder, after something was done to it. */
    async restart(meanwhile: () => Promise<void>) {
      await running.service.close(true)
      await meanwhile()
      running = await openTestService(options)
    },
  }
}

/** A `level.dat` as a version saves it, as far as its version goes. */
function levelOf(version: string): Buffer {
  const text = (name: string) => {
    const bytes = Buffer.from(name)
    return Buffer.concat([Buffer.from([0, bytes.length]), bytes])
  }
  const tags = [[10], text(''), [10], text('Data'), [10], text('Version'), [3], text('Id'), [0, 0, 14, 88]]
  const named = [[8], text('Name'), text(version), [1], text('Snapshot'), [0], [0, 0, 0]]
  return gzipSync(Buffer.concat([...tags, ...named].map((part) => Buffer.from(part))))
}

it('a version is changed after a copy was made, and one step leads back to it with world, jar and record', async () => {
  const { ask, at, change, id, reaches, software, said, all, power, put } = await openPaper()
  const before = await all()
  expect((await change({ id: 'paper', version: NEW })).status).toBe(202)
  await reaches('offline')
  expect((await said()).slice(-2)).toEqual([
    `Changing the software to Paper ${NEW}. A copy of the server is made first.`,
    `The software is Paper ${NEW} now.`,
  ])
  expect(await software()).toMatchObject({
    ...{ id: 'paper', version: NEW, build: '2' },
    copy: {
      reason: 'change',
      software: { id: 'paper', name: 'Paper', version: OLD },
      bytes: expect.any(Number),
    },
  })
  expect((await ask(`GET /servers/${id}`)).body.software).toMatchObject({ id: 'paper', version: NEW })
  const after = await all()
  expect(after['server.jar']).not.toBe(before['server.jar'])
  expect({ ...after, 'server.jar': before['server.jar'] }).toEqual(before)
  await power('start')
  await reaches('online')
  expect((await said()).join('\n')).toContain(`Starting minecraft server version ${NEW}`)
  expect((await ask(`POST /servers/software/undo/${id}`)).body.error.code).toBe('server.running')
  await power('stop')
  await reaches('offline')
  await put('world/region/r.0.0.mca', 'converted')
  await put('logs/latest.log', 'a newer log')

  expect((await ask(`POST /servers/software/undo/${id}`)).status).toBe(202)
  expect(await all()).toEqual({ ...before, 'logs/latest.log': Buffer.from('a newer log').toString('base64') })
  expect(await software()).toMatchObject({
    ...{ id: 'paper', version: OLD, build: '1' },
    copy: { reason: 'undo', software: { version: NEW } },
  })
  await power('start')
  await reaches('online')
  await power('stop')
  await reaches('offline')
  // And once more: what was undone is the copy now.
  expect((await ask(`POST /servers/software/undo/${id}`)).status).toBe(202)
  expect(await readFile(at('world/region/r.0.0.mca'), 'utf8')).toBe('converted')
  expect(await software()).toMatchObject({ version: NEW })

  expect((await ask(`DELETE /servers/software/copy/${id}`)).status).toBe(204)
  expect((await software()).copy).toBeNull()
  expect((await ask(`POST /servers/software/undo/${id}`)).body.error.code).toBe('software.no-copy')
})

it('a change that fails or is canceled leaves the server as it was, and the way back that there was', async () => {
  const { catalogs, change, reaches, software, said, all, power, copies, id, ask } = await openPaper()
  await change({ id: 'paper', version: NEW })
  await reaches('offline')
  await ask(`POST /servers/software/undo/${id}`)
  const [before, way] = [await all(), await software()]

  const end = catalogs.fail('/paper/v1/objects', { kind: 'status', status: 404 })
  await change({ id: 'paper', version: LOST })
  await reaches('offline')
  expect((await said()).at(-1)).toMatch(
    /^The software was not changed, and the server is as it was before\. /,
  )
  expect([await all(), await software()]).toEqual([before, way])
  end()

  catalogs.fail('/paper/v1/objects', { kind: 'stalls' })
  await change({ id: 'paper', version: LOST })
  await expect
    .poll(async () => (await ask(`GET /servers/status/${id}`)).body.installation)
    .toMatchObject({ step: 'software', cancelable: true })
  expect((await change({ id: 'paper', version: LOST })).body.error.code).toBe('server.installing')
  await power('stop')
  await reaches('offline')
  expect((await said()).at(-1)).toBe('The change was canceled. The server is as it was before.')
  expect([await all(), await software()]).toEqual([before, way])
  expect((await readdir(copies)).filter((name) => name.startsWith('copy-'))).toHaveLength(1)
})

it('what a change would do is said before: an older world, plugins that stop, Java, the copy and the room for it', async () => {
  const { catalogs, plan, ask, id, put } = await openPaper()
  offerVanilla(catalogs, [{ id: OLD, java: 99 }])
  offerFabric(catalogs, {
    games: [
      { version: '1.19.2', stable: true },
      { version: OLD, stable: true },
    ],
    loaders: [{ version: '0.16.9', stable: true }],
  })
  offerVanilla(catalogs, [
    { id: OLD, java: 99 },
    { id: '1.19.2', java: 17 },
  ])
  const fabric = await plan('fabric', OLD)
  expect(fabric.items).toEqual([
    { kind: 'plugins-stop', count: 1 },
    { kind: 'java', major: 99 },
  ])
  expect(fabric.copyBytes).toBeGreaterThan(1000)
  expect(fabric.freeBytes).toBeGreaterThan(fabric.copyBytes)
  expect((await plan('paper', NEW)).items).toEqual([{ kind: 'newer-version', from: OLD, to: NEW }])
  expect((await plan('paper', OLD)).items).toEqual([{ kind: 'same-version' }])
  await put('world/level.dat', levelOf('1.21.4'))
  expect((await plan('vanilla', OLD)).items).toContainEqual({
    kind: 'older-version',
    from: '1.21.4',
    to: OLD,
  })
  const unknown = await ask(`GET /servers/software/plan/${id}?id=paper&version=9`)
  expect(unknown.body.error).toMatchObject({
    code: 'software.version-not-known',
    fields: { version: [expect.any(String)] },
  })
})

it.each([
  [[], ['logs/latest.log', 'server.jar']],
  [['config'], ['logs/latest.log', 'server.jar', 'server.properties']],
  [
    ['extensions', 'players', 'files'],
    ['logs/latest.log', 'notes.txt', 'ops.json', 'plugins/Shop.jar', 'plugins/Shop/config.yml', 'server.jar'],
  ],
])('a reset that keeps %j leaves a fresh world, and one step leads back', async (keep, left) => {
  const { ask, id, reaches, all, software, said } = await openPaper()
  const before = await all()
  expect((await ask(`POST /servers/reset/${id}`, { keep })).status).toBe(202)
  await reaches('offline')
  expect((await said()).at(-1)).toBe('The server is reset. A fresh world is made at the next start.')
  expect(Object.keys(await all()).sort()).toEqual(left)
  expect(await software()).toMatchObject({ version: OLD, copy: { reason: 'reset' } })
  await ask(`POST /servers/software/undo/${id}`)
  expect(await all()).toEqual(before)
})

it('a service that was killed within a step is after it or before it when it starts again', async () => {
  const { ask, id, reaches, all, software, restart, copies, at, change } = await openPaper()
  const before = await all()
  await change({ id: 'paper', version: NEW })
  await reaches('offline')
  const after = await all()
  const current = JSON.parse(await readFile(path.join(copies, 'current.json'), 'utf8'))
  const aside = {
    ...current,
    id: current.id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')),
    reason: 'undo',
    software: { id: 'paper', version: NEW },
  }

  // Going back: cut off when half of it is out, and when half of the other is in.
  const journal = { kind: 'undo', copy: current, aside, left: ['logs'], phase: 'out' }
  await restart(async () => {
    await mkdir(path.join(copies, aside.id))
    await rename(at('world'), path.join(copies, aside.id, 'world'))
    await writeFile(path.join(copies, 'journal.json'), JSON.stringify(journal))
  })
  expect(await all()).toEqual(before)
  expect(await software()).toMatchObject({
    version: OLD,
    copy: { reason: 'undo', software: { version: NEW } },
  })
  expect((await ask(`POST /servers/software/undo/${id}`)).status).toBe(202)
  expect(await all()).toEqual(after)
  expect(existsSync(path.join(copies, 'journal.json'))).toBe(false)
})

it('a change that was cut off before it was decided has not happened, and nothing of it is left', async () => {
  const { id, all, software, restart, copies, folder } = await openPaper()
  const before = await all()
  await restart(async () => {
    await mkdir(path.join(copies, 'copy-00000000-0000-0000-0000-000000000000'), { recursive: true })
    const copy = {
      ...{ id: 'copy-00000000-0000-0000-0000-000000000000', at: 1, reason: 'change', isOwners: false },
      ...{ software: { id: 'paper', version: OLD }, installed: null, bytes: 1 },
    }
    const journal = { kind: 'change', copy, to: { id: 'paper', version: NEW } }
    await writeFile(path.join(copies, 'journal.json'), JSON.stringify(journal))
    const record = path.join(folder, 'software', 'installed', `${id}.json`)
    const next = { ...JSON.parse(await readFile(record, 'utf8')), version: NEW }
    await writeFile(record.replace('.json', '.next.json'), JSON.stringify(next))
  })
  expect(await all()).toEqual(before)
  expect(await software()).toMatchObject({ version: OLD, build: '1', copy: null })
  await expect.poll(() => readdir(copies)).toEqual([])
  await expect.poll(() => readdir(path.join(folder, 'software', 'installed'))).toEqual([`${id}.json`])
})

it('nothing of a deleted server is left, also where its software is not offered any more', async () => {
  const { id, ask, change, reaches, copies, folder } = await openPaper()
  await change({ id: 'paper', version: NEW })
  await reaches('offline')
  expect(existsSync(copies)).toBe(true)
  await ask(`DELETE /servers/${id}?confirm=Mine`)
  expect(existsSync(copies)).toBe(false)
  expect(await readdir(path.join(folder, 'software', 'installed'))).toEqual([])
})

it('a folder in the way of the new jar is said, and nothing is changed', async () => {
  const { at, all, change, reaches, said, software, put } = await openPaper()
  await rm(at('server.jar'))
  await put('server.jar/inner.txt', 'mine')
  const before = await all()
  await change({ id: 'paper', version: NEW })
  await reaches('offline')
  expect((await said()).at(-1)).toContain('“server.jar” is a folder')
  expect(await all()).toEqual(before)
  expect(await software()).toMatchObject({ version: OLD, copy: null })
})
