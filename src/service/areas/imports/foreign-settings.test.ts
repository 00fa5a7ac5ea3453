import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type JavaSettings, openJavaSettings } from '../../../../tests/fixtures/java-settings.ts'
import { levelDat, movedServer, PORT, VERSION, zipOf } from '../../../../tests/fixtures/moved-server.ts'
import { folderOf, openImports } from './imports.fixture.ts'

let java: JavaSettings
beforeAll(async () => {
  java = await openJavaSettings()
})
afterAll(() => java.close())

const SECRET = 's3cr3t'.padEnd(40, 'x')

it('no way to write settings keeps a known password, a known secret, another address or a world elsewhere', async () => {
  const { sent, create, folder } = await openImports()
  const ways = [
    `enable-rcon true\nlevel-name ../../../other\nmanagement-server-enabled true\nmanagement-server-secret ${SECRET}\n`,
    `enable-rcon\ttrue\rlevel-name:/srv/x\rmanagement-server-enabled=true\rmanagement-server-host=0.0.0.0\rmanagement-server-secret=${SECRET}`,
    `enable\\-rcon=true\nlevel\\-name=../x\nmanagement\\-server-secret=${SECRET}\n`,
    `\\u0065nable-rcon=TRUE\n\\u006cevel-name=..\\u002f..\n`,
    'motd=x\\\n\nenable-\\\n  rcon=tr\\\n  ue\nlevel-\\\r\n name=../x',
    'level-name=overworld\nlevel-name=../x\nenable-rcon=false\nenable-rcon=true\\',
    '\\\n#c\\\nenable-rcon=true\nlevel-name=../x\n',
    '\fenable-rcon\f=\ftrue\n\flevel-name\f../x\n',
    'enable-rcon=true\nlevel-name=../x\nmotd=\\u12\n',
  ]
  for (const settings of ways) {
    const files = { ...(await movedServer()), 'old-server/server.properties': settings }
    const { id, found } = await sent(await zipOf(files))
    expect(found, settings).toMatchObject({
      ...{ remoteConsole: true, level: { state: 'outside', folder: 'overworld' } },
    })
    const { body } = await create(id)
    const written = await readFile(folderOf(folder, body.id, 'server.properties'))
    // A malformed escape keeps the file from being read until somebody repairs it.
    const readable = Buffer.from(written.toString('latin1').replace('\\u12', ''), 'latin1')
    const read = new Map(await java.file(readable))
    expect(read.get('enable-rcon'), settings).toBe('false')
    expect(read.get('level-name'), settings).toBe('overworld')
    expect(read.has('management-server-secret'), settings).toBe(false)
  }
})

it('a server that is started after it was moved in listens where the service says, whatever its settings say', async () => {
  const { ask, sent, create, reaches, folder } = await openImports()
  const plain = 'server-ip=127.0.0.1\nserver-port=1\nlevel-name=overworld\n'
  const settings = `${plain}server\\-ip=0.0.0.0\rserver-port ${PORT + 1}\rserver-\\\rip=0.0.0.0\r`
  const { id } = await sent(
    await zipOf({ ...(await movedServer()), 'old-server/server.properties': settings }),
  )
  const server = (await create(id, { port: PORT })).body.id
  await reaches(server, 'offline')
  await ask(`POST /servers/power/${server}`, { action: 'start' })
  await reaches(server, 'online')
  const read = new Map(await java.file(await readFile(folderOf(folder, server, 'server.properties'))))
  expect([read.get('server-ip'), read.get('server-port')]).toEqual(['127.0.0.1', String(PORT)])
})

it('a duplicate has no secrets of the original, however they are written', async () => {
  const { ask, sent, create, reaches, folder } = await openImports()
  const { id } = await sent(await zipOf(await movedServer()))
  const server = (await create(id)).body.id
  await reaches(server, 'offline')
  const settings = `rcon\\.password known\rmanagement\\-server-secret:${SECRET}\rmotd=\\u00fc`
  await ask(`PUT /servers/files/content/${server}?path=server.properties`, settings)
  const copy = (await ask(`POST /servers/duplicate/${server}`, { name: 'Copy' })).body.id
  const read = new Map(await java.file(await readFile(folderOf(folder, copy, 'server.properties'))))
  expect([read.get('rcon.password'), read.get('management-server-secret')]).toEqual(['', ''])
  expect(read.get('motd')).toBe('\u00fc')
})

it('switches are told as the game reads them, and a world that only differs in form is loaded', async () => {
  const { sent, create, folder } = await openImports()
  const found = async (text: string | Buffer) =>
    (await sent(await zipOf({ 'server.properties': text, 'world/level.dat': levelDat(VERSION) }))).found
  expect(await found('white-list=true \nonline-mode=true \n')).toMatchObject({
    ...{ whitelistOn: false, checksAccounts: false },
  })
  expect(await found('white-list=True\nonline-mode=FALSE\nserver-port=25570 \n')).toMatchObject({
    ...{ whitelistOn: true, checksAccounts: false, port: 25_565 },
  })
  expect(await found('\ufeffonline-mode=false\n')).toMatchObject({ checksAccounts: null })
  const apart = 'Ju\u0308rgen'
  const { id, found: told } = await sent(
    await zipOf({
      'server.properties': 'level-name=J\u00fcrgen\n',
      [`${apart}/level.dat`]: levelDat(VERSION),
    }),
  )
  expect(told.level).toEqual({ name: 'J\u00fcrgen', state: 'other-form', folder: apart })
  const { body } = await create(id)
  const read = await java.file(await readFile(folderOf(folder, body.id, 'server.properties')))
  expect(read).toEqual([['level-name', apart]])
})

it('another jar that came along can be chosen, and none that did not', async () => {
  const { sent, create } = await openImports()
  const files = await movedServer()
  const { id, found } = await sent(
    await zipOf({ ...files, 'old-server/other.jar': files['old-server/paper.jar']! }),
  )
  expect(found.jars.map(({ name }: { name: string }) => name)).toEqual(['paper.jar', 'other.jar'])
  const jar = (name: string) => create(id, { software: { id: 'custom', jar: name } })
  expect((await jar('elsewhere.jar')).body.error.code).toBe('imports.no-jar')
  expect((await jar('other.jar')).status).toBe(201)
})

it('a Bedrock server is called one', async () => {
  const { sent } = await openImports()
  const { state, error } = await sent(await zipOf({ 'bedrock_server.exe': 'MZ', 'server.properties': '' }))
  expect([state, error.code]).toEqual(['failed', 'imports.bedrock'])
})
