import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { onTestFinished, expect, it } from 'vitest'
import { offerFabric, offerFill, offerVanilla } from '../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../tests/doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../../../tests/doubles/java-server.ts'
import { openTestService, temporaryFolder } from '../service.fixture.ts'
import { pingServer } from '../worlds/server-list-ping.ts'

const VERSION = '1.20.4'

/** A service whose catalogs are on loopback, and somebody who has an account there. */
async function open(dataDir?: string) {
  const catalogs = await CatalogServer.start()
  const folder = dataDir ?? (await temporaryFolder())
  const it = await openTestService({ dataDir: folder, catalogs: catalogs.settings })
  onTestFinished(async () => {
    await it.service.close(true)
    await catalogs.stop()
  })
  const token = await it.account('ann@example.org')
  const ask = async (route: string, body?: unknown) => {
    const answer = await it.call(route, { token, body })

    return { status: answer.status, body: answer.body }
  }
  const status = async (id: string) => (await ask(`GET /servers/status/${id}`)).body
  return {
    catalogs,
    folder,
    ask,
    status,
    create: (id: string, version = VERSION, more: object = { acceptLicense: true }) =>
      ask('POST /servers', { name: 'My server', software: { id, version }, memoryMb: 512, ...more }),
    reaches: (id: string, wanted: string) =>
      expect.poll(async () => (await status(id)).status, { interval: 20 }).toBe(wanted),
    power: (id: string, action: string) => ask(`POST /servers/power/${id}`, { action }),
    said: async (id: string): Promise<string[]> =>
      (await ask(`GET /servers/console/${id}`)).body.items.map(({ text }: { text: string }) => text),
    filesOf: (id: string) => path.join(folder, 'servers', id),
  }
}

/** Paper for a Java that is on this machine. */
async function openPaper() {
  const it = await open()
  const jar = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
  offerFill(it.catalogs, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar }] }])
  return { ...it, jar }
}

it('a Paper server is installed from its catalog when it is created, starts with the right Java, and stops', async () => {
  const { ask, create, reaches, power, said, filesOf } = await openPaper()
  const { items } = (await ask('GET /software')).body
  expect(items[0]).toMatchObject({ id: 'paper', license: { url: 'https://aka.ms/MinecraftEULA' } })
  const versions = (await ask('GET /software/paper/versions')).body.items
  expect(versions).toEqual([expect.objectContaining({ id: VERSION, channel: 'release', recommended: true })])

  const made = await create('paper')
  expect(made.status).toBe(201)
  const { id, address } = made.body
  await reaches(id, 'offline')
  expect(await said(id)).toEqual([`Installing Paper ${VERSION}.`, `Paper ${VERSION} is installed.`])

  await power(id, 'start')
  await reaches(id, 'online')
  expect(await pingServer(address.port)).toMatchObject({ players: { online: 0, max: 20 } })
  expect(await readFile(path.join(filesOf(id), 'eula.txt'), 'utf8')).toContain('eula=true')
  await power(id, 'stop')
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toBe('The server has stopped.')
})

it('nothing is created before the license is accepted', async () => {
  const { ask, create } = await openPaper()
  const refused = await create('paper', VERSION, {})
  expect(refused.status).toBe(422)
  expect(refused.body.error).toMatchObject({ code: 'software.license' })
  expect(refused.body.error.fields.acceptLicense[0]).toContain('https://aka.ms/MinecraftEULA')
  expect((await ask('GET /servers')).body.items).toEqual([])
})

it('an installation tells how far it is, is canceled by Stop, and Start begins it again', async () => {
  const { catalogs, create, reaches, power, said, status, ask } = await openPaper()
  await ask('GET /software/paper/versions')
  const end = catalogs.fail('/paper/v1/objects', { kind: 'stalls' })
  const { id } = (await create('paper')).body
  await expect
    .poll(() => status(id))
    .toMatchObject({
      status: 'installing',
      installation: { step: 'software', done: expect.any(Number), total: expect.any(Number) },
    })
  expect((await power(id, 'restart')).body.error.code).toBe('server.installing')
  const refused = await ask(`DELETE /servers/${id}?confirm=My%20server`)
  expect(refused.body.error).toMatchObject({ code: 'server.installing' })

  expect((await power(id, 'stop')).status).toBe(202)
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toBe('The installation was canceled.')
  // Whoever wanted it so need not be told.
  expect(await status(id)).not.toHaveProperty('failure')

  end()
  await power(id, 'start')
  await reaches(id, 'online')
})

it('what was downloaded wrong is never run, and the console says what went wrong', async () => {
  const { catalogs, jar, create, reaches, said, filesOf, status } = await openPaper()
  // The catalog promises another file than there is.
  const sha256 = createHash('sha256').update(jar).digest('hex')
  catalogs.put(`/paper/v1/objects/${sha256}/paper-${VERSION}-499.jar`, Buffer.alloc(jar.length))
  const { id } = (await create('paper')).body
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toMatch(/^Paper 1\.20\.4 could not be installed\. .*checksum/)
  const failed = { work: 'install', error: { code: 'software.download-wrong' }, step: 'software' }
  expect((await status(id)).failure).toMatchObject(failed)
  expect(await readdir(filesOf(id))).toEqual([])
})

it('where no Java can be had, that is told at once, also while the software is still on its way', async () => {
  const { catalogs, create, reaches, said, filesOf, status } = await open()
  const jar = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
  offerFill(catalogs, 'paper', [{ id: VERSION, java: 99, builds: [{ id: 499, jar }] }])
  catalogs.fail('/paper/v1/objects', { kind: 'stalls' })
  const { id } = (await create('paper')).body
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toContain("Adoptium doesn't offer Java 99")
  expect((await status(id)).failure).toMatchObject({
    work: 'install',
    error: {
      code: 'software.java-not-built',
      message: expect.stringMatching(/^Adoptium doesn't offer Java 99/),
    },
  })
  expect(catalogs.requests.map(({ path }) => path)).toContainEqual(expect.stringMatching(/objects.*\.jar$/))
  expect(await readdir(filesOf(id))).toEqual([])
})

it('why an installation failed is told until something is begun again, and then no more', async () => {
  const { catalogs, ask, create, reaches, power, status } = await openPaper()
  await ask('GET /software/paper/versions')
  const end = catalogs.fail('/paper/v1/objects', { kind: 'out of reach' })
  const { id } = (await create('paper')).body
  await reaches(id, 'offline')
  const { failure } = await status(id)
  expect(failure).toMatchObject({
    work: 'install',
    error: { code: 'software.download-failed', message: expect.stringContaining('Try again') },
  })
  expect(Date.now() - Date.parse(failure.at)).toBeLessThan(60_000)

  end()
  const stalls = catalogs.fail('/paper/v1/objects', { kind: 'stalls' })
  await power(id, 'start')
  await reaches(id, 'installing')
  expect(await status(id)).not.toHaveProperty('failure')
  await power(id, 'stop')
  await reaches(id, 'offline')
  stalls()
  await power(id, 'start')
  await reaches(id, 'online')
  expect(await status(id)).not.toHaveProperty('failure')
})

it('a launcher without a checksum is taken only where it says that it is for this version, and fetched anew otherwise', async () => {
  const { catalogs, create, reaches, said, power, status } = await open()
  offerVanilla(catalogs, [{ id: VERSION, java: 17 }])
  const offer = async (game: string) => {
    const properties = `fabric-loader-version=0.16.9\ngame-version=${game}\n`
    const entries = { 'install.properties': properties }
    const jar = await readFile(await javaServerJar({ kind: 'fabric', version: VERSION, entries }))
    offerFabric(catalogs, {
      games: [{ version: VERSION, stable: true }],
      loaders: [{ version: '0.16.9', stable: true }],
      jars: { [`${VERSION}/0.16.9`]: jar },
    })
  }
  await offer('1.19.2')
  const { id } = (await create('fabric')).body
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toContain('What was downloaded is not Fabric for this version.')
  expect((await status(id)).failure).toMatchObject({ error: { code: 'software.download-other' } })

  await offer(VERSION)
  await power(id, 'start')
  await reaches(id, 'online')
})

it('without a network what is installed starts, and what was deleted from its folder is put there again from here', async () => {
  const { catalogs, ask, create, reaches, power, filesOf } = await openPaper()
  const { id } = (await create('paper')).body
  await reaches(id, 'offline')
  catalogs.fail('/', { kind: 'out of reach' })
  expect((await ask('GET /software/vanilla/versions')).status).toBeGreaterThanOrEqual(502)
  await writeFile(path.join(filesOf(id), 'server.properties'), 'motd=kept\nserver-port=1\n')
  await rm(path.join(filesOf(id), 'server.jar'))
  await power(id, 'start')
  await reaches(id, 'online')
  expect(await readFile(path.join(filesOf(id), 'server.properties'), 'utf8')).toContain('motd=kept')
})

it('nothing that belongs to a server alone is left when it is deleted', async () => {
  const { ask, create, reaches, folder } = await openPaper()
  const { id } = (await create('paper')).body
  await reaches(id, 'offline')
  const record = path.join(folder, 'software', 'installed', `${id}.json`)
  expect(existsSync(record)).toBe(true)
  expect((await ask(`DELETE /servers/${id}?confirm=My%20server`)).status).toBe(204)
  expect(existsSync(record)).toBe(false)
})

it('a crash is told with its cause', async () => {
  const { ask, create, reaches, power, said } = await openPaper()
  const { id } = (await create('paper')).body
  await reaches(id, 'offline')
  await power(id, 'start')
  await reaches(id, 'online')
  await ask(`POST /servers/command/${id}`, { command: 'crash memory' })
  await reaches(id, 'crashed')
  expect((await said(id)).at(-1)).toMatch(
    /^The server crashed \(exit code \d+\): The server ran out of memory$/,
  )
})

it('a folder or a link in the place of its jar is never run', async () => {
  const { create, reaches, power, said, filesOf, jar } = await openPaper()
  const { id } = (await create('paper')).body
  await reaches(id, 'offline')
  const at = path.join(filesOf(id), 'server.jar')
  await rm(at)
  await mkdir(at)
  await power(id, 'start')
  await expect
    .poll(async () => (await said(id)).at(-1))
    .toMatch(/could not be installed\. .server\.jar. is a folder/)
  await reaches(id, 'offline')

  await rm(at, { recursive: true })
  await writeFile(path.join(filesOf(id), 'other.jar'), 'no jar')
  await symlink('other.jar', at)
  await power(id, 'start')
  await reaches(id, 'online')
  expect((await lstat(at)).size).toBe(jar.length)
})

it('a server whose Java has gone from the computer is given it at the next start, and keeps its build', async () => {
  const { create, reaches, power, said, folder, catalogs } = await openPaper()
  const { id } = (await create('paper')).body
  await reaches(id, 'offline')
  const record = path.join(folder, 'software', 'installed', `${id}.json`)
  const kept = await readFile(record, 'utf8')
  await writeFile(record, JSON.stringify({ ...JSON.parse(kept), java: { major: 99, exact: true } }))
  await power(id, 'start')
  await reaches(id, 'crashed')
  expect((await said(id)).at(-1)).toContain('Start it again, and Java 99 is downloaded')

  const asked = catalogs.requests.length
  await power(id, 'start')
  await expect.poll(async () => (await said(id)).at(-1)).toMatch(/doesn't offer Java 99/)
  // It is as it was: crashed, and why is still known.
  await reaches(id, 'crashed')
  expect((await said(id)).slice(-2)).toEqual([
    'Java 99 is not on this computer. It is being downloaded.',
    expect.stringContaining("Adoptium doesn't offer Java 99"),
  ])
  expect(catalogs.requests.slice(asked).map(({ path }) => path.split('/')[1])).not.toContain('paper')

  // Somebody has put it there.
  await writeFile(record, kept)
  await power(id, 'start')
  await reaches(id, 'online')
})
