import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack as createTar } from 'tar-stream'
import { expect, it } from 'vitest'
import { offerVanilla } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import {
  levelDat,
  movedServer,
  paperJar,
  PORT,
  VERSION,
  zipOf,
} from '../../../../tests/fixtures/moved-server.ts'
import { promocodesTable } from '../../store/promocodes.ts'
import { callsOf, folderOf, openImports } from './imports.fixture.ts'

it('a server is moved in from an archive: recognized, run by the same software, with its world and its settings', async () => {
  const { ask, sent, create, reaches, folder } = await openImports()
  const { id, state, found } = await sent(await zipOf(await movedServer()))
  expect(state).toBe('ready')
  expect(found).toMatchObject({
    ...{ folder: 'world/old-server', software: { id: 'paper', name: 'Paper', version: VERSION } },
    ...{ jar: { name: 'paper.jar', java: 17, version: VERSION }, jarProblem: null },
    ...{ worlds: [{ name: 'overworld', version: VERSION }], plugins: 1, mods: 0 },
    ...{ port: PORT, freePort: PORT, motd: 'Welcome home', memoryMb: 1024, files: 8, leftOut: 0 },
  })
  expect((await ask('GET /servers')).body.items).toEqual([])
  // That it was accepted elsewhere is no acceptance here.
  const refused = await create(id, { acceptLicense: false })
  expect(refused.body.error.code).toBe('software.license')

  const made = await create(id, { port: found.freePort })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ name: 'Moved in', address: { port: PORT }, software: { id: 'paper' } })
  const server = made.body.id
  await reaches(server, 'offline')
  expect(existsSync(folderOf(folder, server, 'eula.txt'))).toBe(false)
  await ask(`POST /servers/power/${server}`, { action: 'start' })
  await reaches(server, 'online')
  expect(await readFile(folderOf(folder, server, 'overworld/region/r.0.0.mca'), 'utf8')).toBe('built by hand')
  expect(await readFile(folderOf(folder, server, 'server.properties'), 'utf8')).toContain('motd=Welcome home')
  expect(existsSync(folderOf(folder, server, 'ran'))).toBe(false)
  // Nothing is left of the import.
  expect((await ask(`GET /imports/${id}`)).status).toBe(404)
  expect(readdirSync(path.join(folder, 'imports'))).toEqual([])
  const log = (await ask(`GET /servers/activity/${server}`)).body.items
  expect(log.map(({ action }: { action: string }) => action)).toContain('servers.create')
})

it('a world whose name leads out of the folder of its server is not loaded from there', async () => {
  const { sent, create, folder } = await openImports()
  for (const [name, wanted] of [
    ['../../elsewhere', 'overworld'],
    ['/srv/worlds/main', 'overworld'],
    ['deep/../../elsewhere', 'overworld'],
    ['worlds/main', 'worlds/main'],
  ] as const) {
    const files = { ...(await movedServer()), 'old-server/server.properties': `level-name=${name}\nmotd=x\n` }
    const { id } = await sent(await zipOf(files))
    const made = await create(id)
    expect(await readFile(folderOf(folder, made.body.id, 'server.properties'), 'utf8')).toBe(
      `level-name=${wanted}\nmotd=x\n`,
    )
  }
})

it('a Paper server that goes on with other software has its Nether where that looks for it', async () => {
  const { sent, create, reaches, catalogs, folder } = await openImports()
  offerVanilla(catalogs, [{ id: VERSION, java: 17 }])
  const files = { ...(await movedServer()), 'old-server/overworld_nether/DIM-1/region/r.0.0.mca': 'nether' }
  const nether = async (software: string) => {
    const { id } = await sent(await zipOf(files))
    const { body } = await create(id, { software: { id: software, version: VERSION } })
    await reaches(body.id, 'offline')
    const places = ['overworld/DIM-1', 'overworld_nether/DIM-1']
    return places.filter((at) => existsSync(folderOf(folder, body.id, `${at}/region/r.0.0.mca`)))
  }
  expect(await nether('vanilla')).toEqual(['overworld/DIM-1'])
  expect(await nether('paper')).toEqual(['overworld_nether/DIM-1'])
})

it('the jar that came along runs as it is, and the start says what is wrong with it when it is another one', async () => {
  const { ask, sent, create, reaches, said, folder } = await openImports()
  const { id } = await sent(await zipOf(await movedServer()))
  const made = await create(id, { software: { id: 'custom' } })
  const software = { id: 'custom', name: 'Custom jar', version: VERSION }
  expect(made.body.software).toEqual({ ...software, loadsAs: 'paper' })
  const server = made.body.id
  const start = () => ask(`POST /servers/power/${server}`, { action: 'start' })
  await reaches(server, 'offline')
  await start()
  await reaches(server, 'online')
  expect(existsSync(folderOf(folder, server, 'server.jar'))).toBe(false)
  await ask(`POST /servers/power/${server}`, { action: 'stop' })
  await reaches(server, 'offline')

  const jar = folderOf(folder, server, 'paper.jar')
  const fails = async (words: RegExp) => {
    await start()
    await expect.poll(async () => (await said(server)).at(-1), { timeout: 10_000 }).toMatch(words)
  }
  await writeFile(jar, await paperJar({ classVersion: 99 + 44 }))
  await fails(/needs Java 99/)
  await writeFile(jar, await zipOf({ 'plugin.yml': 'name: Homes' }))
  await fails(/paper\.jar can't be run: it doesn't say what is to be started/)
  await writeFile(jar, 'no jar')
  await fails(/paper\.jar can't be run: it is damaged, or not a jar/)
  await rm(jar)
  await fails(/paper\.jar, the jar of this server, isn't in its folder/)
  await writeFile(jar, await paperJar())
  await start()
  await reaches(server, 'online')
})

it('a folder is sent file by file, and a world alone becomes a server with that world', async () => {
  const { begin, send, looked, create, reaches, folder } = await openImports()
  const id = await begin()
  await send(id, 'My World/level.dat', levelDat(VERSION))
  await send(id, 'My World/region/r.0.0.mca', Buffer.from('built by hand'))
  const { found } = await looked(id)
  expect(found).toMatchObject({
    ...{ folder: '', software: { id: null, name: 'Minecraft', version: VERSION }, jar: null },
    ...{ worlds: [{ name: 'My World', version: VERSION }], port: null },
  })
  expect((await create(id, { software: { id: 'custom' } })).body.error.code).toBe('imports.no-jar')
  const { body } = await create(id)
  await reaches(body.id, 'offline')
  expect(await readFile(folderOf(folder, body.id, 'server.properties'), 'utf8')).toContain(
    'level-name=My World',
  )
  expect(existsSync(folderOf(folder, body.id, 'My World/region/r.0.0.mca'))).toBe(true)
})

it('the secret of a management protocol that came along is gone, and whom it lets in is kept', async () => {
  const { sent, create, folder } = await openImports()
  const management = [
    'enabled=true',
    'host=localhost',
    'port=25585',
    'tls-enabled=false',
    'allowed-origins=mine',
  ]
  const own = [`secret=${'s3cr3t'.padEnd(40, 'x')}`, 'tls-keystore-password=hunter2']
  const settings = [...management, ...own].map((line) => `management-server-${line}\n`).join('')
  const { id } = await sent(
    await zipOf({ 'server.properties': `motd=Hi\n${settings}`, 'world/level.dat': levelDat(VERSION) }),
  )
  const { body } = await create(id)
  expect(await readFile(folderOf(folder, body.id, 'server.properties'), 'utf8')).toBe(
    'motd=Hi\nmanagement-server-allowed-origins=mine\n',
  )
})

it('whom lists of players name is told before, and they come along; a remote console is turned off, and said to be on', async () => {
  const { sent, create, folder } = await openImports()
  const lists = {
    'ops.json': '[{"uuid":"1","name":"Ann","level":4}]',
    'whitelist.json': '[{"uuid":"1","name":"Ann"},{"uuid":"2","name":"Ben"}]',
    'banned-players.json': '[{"uuid":"3","name":"Cid"}]',
    'banned-ips.json': '[{"ip":"203.0.113.7"}]',
  }
  const { id, found } = await sent(
    await zipOf({
      ...lists,
      'server.properties':
        'motd=Hi\nenable-rcon=TRUE\nrcon.password=hunter2\nrcon.port=25575\nwhite-list=true\n',
      'world/level.dat': levelDat(VERSION),
    }),
  )
  const told = { operators: 1, whitelisted: 2, banned: 2, whitelistOn: true, remoteConsole: true }
  expect(found).toMatchObject(told)
  expect(JSON.stringify(found)).not.toContain('hunter2')
  const { body } = await create(id)
  const at = (name: string) => readFile(folderOf(folder, body.id, name), 'utf8')
  expect(await at('server.properties')).toBe(
    'motd=Hi\nenable-rcon=false\nrcon.password=hunter2\nrcon.port=25575\nwhite-list=true\n',
  )
  for (const [name, text] of Object.entries(lists)) expect(await at(name)).toBe(text)
})

it('settings that came along keep the name of their world, where only another world was found', async () => {
  const { sent, create, folder } = await openImports()
  const settings = 'level-name=worlds/main\nmotd=Welcome home\n'
  const { id, found } = await sent(
    await zipOf({ 'server.properties': settings, 'archive/level.dat': levelDat(VERSION) }),
  )
  expect(found.worlds).toEqual([{ name: 'archive', version: VERSION }])
  const { body } = await create(id)
  expect(await readFile(folderOf(folder, body.id, 'server.properties'), 'utf8')).toContain(
    'level-name=worlds/main',
  )
})

it('archives that cannot be used are refused in a sentence, and another one can be sent', async () => {
  const { send, looked, sent, ask, folder } = await openImports()
  const good = await zipOf(await movedServer())
  const { id, state, error } = await sent(good.subarray(0, good.length - 200))
  expect([state, error.code]).toEqual(['failed', 'files.archive-broken'])
  const imported = path.join(folder, 'imports', id, 'files')
  expect(readdirSync(imported)).toEqual(['server.zip'])
  const failed = async (name: string, content: Buffer) => {
    await send(id, name, content)
    return (await looked(id, name)).error
  }
  expect((await failed('b.rar', Buffer.from('Rar!'))).code).toBe('files.archive-unknown')
  expect((await looked(id, 'gone.zip')).error.code).toBe('files.not-found')
  expect((await failed('c.zip', await zipOf({ 'holiday.jpg': 'x' }))).code).toBe('imports.nothing-found')
  await send(id, 'd.zip', good)
  expect((await looked(id, 'd.zip')).state).toBe('ready')
  expect((await ask(`DELETE /imports/${id}`)).status).toBe(204)
  expect(existsSync(path.join(folder, 'imports', id))).toBe(false)
  expect(await send(id, 'e.zip', good)).toBe(404)
})

it('no server is made of files that were checked again while it was asked for, and then one is', async () => {
  const { ask, sent, looked, create, catalogs } = await openImports()
  const { id } = await sent(await zipOf(await movedServer()))
  const held = Promise.withResolvers<void>()
  catalogs.held = held.promise
  const asked = catalogs.requests.length
  const making = create(id)
  await catalogs.arrived(asked + 1)
  expect((await looked(id, 'server.zip')).state).toBe('ready')
  held.resolve()
  const refused = await making
  expect([refused.status, refused.body.error.code]).toEqual([409, 'imports.changed'])
  expect((await ask('GET /servers')).body.items).toEqual([])
  expect((await create(id)).status).toBe(201)
})

it('nobody else reaches what is moved in, and nothing but files can be sent to it', async () => {
  const { test, ask, begin, send } = await openImports()
  const id = await begin()
  const bob = callsOf(test, await test.account('bob@example.org'))
  for (const route of [`GET /imports/${id}`, `DELETE /imports/${id}`, `GET /servers/files/${id}`])
    expect((await bob.ask(route)).status, route).toBe(404)
  expect((await bob.ask(`POST /imports/look/${id}`, {})).status).toBe(404)
  expect(await bob.send(id, 'a.txt', Buffer.from('a'))).toBe(404)
  expect(await send(id, 'a.txt', Buffer.from('a'))).toBe(201)
  const at = `/${id}`
  for (const [route, body] of [
    [`POST /servers/power${at}`, { action: 'start' }],
    [`DELETE /servers${at}?confirm=x`],
    [`GET /servers/config${at}`],
    [`GET /servers/console${at}`],
    [`GET /servers/events?servers=${id}`],
    [`POST /servers/files/extract${at}`, { path: 'a.txt', to: '' }],
    [`POST /servers/duplicate${at}`, { name: 'x' }],
  ] as const)
    expect((await ask(route, body)).status, route).toBe(404)
})

it('what was sent outlives the service: an extraction that was cut off begins again, and one that was being deleted goes', async () => {
  const before = await openImports()
  const { folder, token } = before
  const id = await before.begin()
  await before.send(id, 'server.zip', await zipOf(await movedServer()))
  const gone = await before.begin()
  await before.test.service.close(true)
  // As a service leaves it that is killed: half of the archive is there, and of another import its small file is gone.
  const files = path.join(folder, 'imports', id, 'files')
  await mkdir(path.join(files, 'world/half'), { recursive: true })
  await writeFile(path.join(files, 'world/half/server.properties'), 'motd=half')
  await rm(path.join(folder, 'imports', gone, 'import.json'))

  const { ask, looked, create } = await openImports({ dataDir: folder, token })
  expect((await ask(`GET /imports/${id}`)).body).toMatchObject({ id, state: 'waiting' })
  const { found } = await looked(id, 'server.zip')
  expect(found).toMatchObject({ folder: 'world/old-server', motd: 'Welcome home' })
  expect(readdirSync(path.join(files, 'world'))).toEqual(['old-server'])
  // Asked once more by a panel that has not heard of it.
  expect((await looked(id, 'server.zip')).found).toMatchObject({ folder: 'world/old-server' })
  expect((await create(id)).status).toBe(201)
  await expect.poll(() => existsSync(path.join(folder, 'imports', gone))).toBe(false)
})

it('what does not fit is refused, and nothing of it is left beside the archive', async () => {
  const { sent, folder, create } = await openImports({ fileLimits: { quotaBytes: 1_000_000 } })
  const zip = await zipOf({ 'server.properties': '', 'world/region/r.0.0.mca': Buffer.alloc(2_000_000) })
  const { id, state, error } = await sent(zip)
  expect([state, error.code]).toEqual(['failed', expect.stringMatching(/^files\.(quota|disk-full)$/)])
  expect(readdirSync(path.join(folder, 'imports', id, 'files'))).toEqual(['server.zip'])
  expect(
    readdirSync(path.join(folder, 'imports', id, 'staging')).filter((name) => name !== 'uploads'),
  ).toEqual([])
  expect((await create(id)).body.error.code).toBe('imports.not-ready')
})

it('links in an archive are left out and counted, and never lead anywhere', async () => {
  const { begin, send, looked } = await openImports()
  const id = await begin()
  const tar = createTar()
  tar.entry({ name: 'server.properties' }, 'server-port=80')
  tar.entry({ name: 'plugins', type: 'symlink', linkname: '/etc' })
  tar.finalize()
  await send(id, 'server.tar.gz', gzipSync(await buffer(tar)))
  const { found } = await looked(id, 'server.tar.gz')
  // A port that servers cannot have here is none.
  expect(found).toMatchObject({ leftOut: 1, plugins: 0, port: null, software: null })
})

it('who may have no other server is told so before anything is sent', async () => {
  const { ask, sent, create } = await openImports({ bounds: { servers: 1 } })
  const { id } = await sent(await zipOf({ 'server.properties': '' }))
  expect((await create(id)).status).toBe(201)
  const { status, body } = await ask('POST /imports')
  expect([status, body.error.code]).toEqual([409, 'server.too-many'])
  expect(body.error.message).toContain('You use the only server of your account')
})

it('where files have a quota an account moves in two at once, each as large as its promotions let a server be', async () => {
  const { test, folder, token, begin, ask, send } = await openImports({ fileLimits: { quotaBytes: 1000 } })
  const ids = [await begin(), await begin(), await begin()]
  const answers = await Promise.all(ids.map((id) => ask(`GET /imports/${id}`)))
  expect(answers.map(({ status }) => status)).toEqual([404, 200, 200])
  const more = Buffer.alloc(50_000)
  expect(await send(ids[2]!, 'a.jar', more)).toBe(507)
  const code = 'ABCDEFGHJKMNPQRS'
  const hash = createHash('sha256').update(`promocode:${code}`).digest('base64url')
  const db = new DatabaseSync(path.join(folder, 'service.db'), { timeout: 5000 })
  promocodesTable(db).insert({
    ...{ id: 'p1', hash, name: 'Launch week', createdAt: 1, usesMost: 1 },
    ...{ servers: 0, memoryMb: 0, diskBytes: 2 ** 30, lastsMs: null, expiresAt: null },
  })
  db.close()
  expect((await test.call('POST /promocodes/activate', { token, body: { code } })).status).toBe(200)
  expect(await send(ids[2]!, 'a.jar', more)).toBe(201)
})

it('who may have no more servers is told so before one is sent, and can still send a modpack for one that is there', async () => {
  const { ask } = await openImports({ bounds: { servers: 0 } })
  const refused = await ask('POST /imports')
  expect([refused.status, refused.body.error.code]).toEqual([409, 'server.too-many'])
  expect((await ask('POST /imports?for=modpack')).status).toBe(201)
  // One of which a server is to be created is sent for nothing, too.
  const created = await ask('POST /imports?for=modpack&creates=server')
  expect([created.status, created.body.error.message]).toEqual([409, refused.body.error.message])
})
