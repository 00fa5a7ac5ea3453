import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { hostingOf } from '../../../tests/doubles/hosts/pterodactyl/hosting-routes.ts'
import { javaServerJar } from '../../../tests/doubles/java-server.ts'
import { startJavaServer } from '../../../tests/doubles/running-java-server.ts'
import { ownPort } from '../../../tests/fixtures/game-ports.ts'
import { temporary } from '../../host/temporary.fixture.ts'
import { signedIn } from './pterodactyl.fixture.ts'

const [ANN, BEN] = ['a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002']

async function withLists() {
  const panel = await signedIn()
  const at = (name: string) => path.join(panel.files, name)
  const write = (name: string, value: unknown) => writeFileSync(at(name), JSON.stringify(value))
  write('usercache.json', [
    { name: 'Ann', uuid: ANN },
    { name: 'Ben', uuid: BEN },
  ])
  write('ops.json', [{ name: 'Ann', uuid: ANN, level: 4 }])
  /** Once the panel has heard of it. */
  async function stop() {
    await panel.call('console.watch', { ...panel.ref, limit: 0 })
    const { length } = panel.seen
    panel.host.wings.power(panel.server.uuid, 'stop')
    const isOff = (news: unknown) => JSON.stringify(news).includes('"offline"')
    await panel.until('view', (news) => news.view === 'servers.status' && isOff(news), length)
  }
  return { ...panel, read: (name: string) => readFileSync(at(name), 'utf8'), write, stop }
}

test('players are read from the files of the game, and who is on from its port', async () => {
  const { view, at, server, write, call, ref, until } = await withLists()
  write('whitelist.json', 'no list')
  const port = ownPort()
  Object.assign(hostingOf(server).ports[0]!, { alias: '127.0.0.1', port })
  const game = startJavaServer(await javaServerJar({ kind: 'paper' }), temporary(), { 'server-port': port })
  await game.line(/Done \(/)
  game.type('join Ann')
  await game.line(/Ann joined/)
  expect((await view('players.list', at, true)).value).toMatchObject({
    items: [
      { name: 'Ann', online: true, op: true, whitelisted: null },
      { name: 'Ben', online: false, op: false },
    ],
    unreadable: ['whitelist'],
  })
  expect((await view('servers.status', at, true)).value).toMatchObject({ players: { online: 1, max: 20 } })
  await call('console.watch', { ...ref, limit: 0 })
  game.type('leave Ann')
  await game.line(/Ann left/)
  await until('view', ({ view: name, now }) => name === 'servers.status' && now.value?.players?.online === 0)
})

test('what a running game says in its console is the outcome of an act', async () => {
  const { send, at, host } = await withLists()
  const { wings } = host
  wings.reply = (command) => {
    if (command === 'ban Ben noise') return ['Banned Ben: noise']
    if (command === 'op Ann') return ['Nothing changed. The player already is an operator']
    return command.startsWith('kick') ? ['No player was found'] : []
  }
  const act = async (body: object) =>
    (await send('players.act', { ...at, body: body as never }))!.results as unknown[]
  expect(await act({ action: 'ban', names: [BEN], reason: 'noise' })).toMatchObject([{ outcome: 'done' }])
  expect(await act({ action: 'op', names: ['Ann'] })).toMatchObject([{ outcome: 'unchanged' }])
  expect(await act({ action: 'kick', names: ['Eve'] })).toMatchObject([
    { outcome: 'failed', error: { code: 'players.refused' } },
  ])
  expect(await act({ action: 'pardon', names: ['Ben', 'Eve'] })).toMatchObject([
    { outcome: 'unconfirmed' },
    { outcome: 'unconfirmed' },
  ])
  const until = new Date(Date.now() + 86_400_000).toISOString()
  expect(await act({ action: 'ban', names: ['Ben'], until })).toMatchObject([
    { outcome: 'failed', error: { sentence: 'host.ban-end' } },
  ])
  expect(await act({ action: 'op', names: ['@a', 'x y', '\u202ea'] })).toMatchObject(
    Array.from({ length: 3 }, () => ({ outcome: 'failed' })),
  )
  expect(wings.commands).toEqual(['ban Ben noise', 'op Ann', 'kick Eve', 'pardon Ben', 'pardon Eve'])
})

test('the whitelist is turned by a command, or in the settings of a server that is off', async () => {
  const { send, view, at, host, files, read, stop } = await withLists()
  writeFileSync(path.join(files, 'server.properties'), '# ours\nwhite-list=false\n')
  const turn = (enabled: boolean) => send('players.turn-whitelist', { ...at, body: { enabled } })
  host.wings.reply = () => ['Whitelist is now turned on']
  await turn(true)
  expect(host.wings.commands).toEqual(['whitelist on'])
  await expect(turn(false)).rejects.toMatchObject({ problem: { serviceCode: 'players.unconfirmed' } })
  await view('servers.status', at)
  await stop()
  await turn(true)
  expect(read('server.properties')).toBe('# ours\nwhite-list=true\n')
  expect((await view('players.whitelist', at, true)).value).toEqual({ enabled: true })
})

test('a server that is off is changed in its lists; one that starts meanwhile leaves the outcome open', async () => {
  const { send, view, at, host, server, read, write, stop } = await withLists()
  await view('servers.status', at)
  await stop()
  const act = (body: object) => send('players.act', { ...at, body: body as never })
  expect(await act({ action: 'op', names: ['Ben', 'Ann'] })).toMatchObject({
    running: false,
    results: [{ outcome: 'done' }, { outcome: 'unchanged' }],
  })
  expect(JSON.parse(read('ops.json'))).toMatchObject([{ name: 'Ann' }, { name: 'Ben', uuid: BEN, level: 4 }])
  expect(await act({ action: 'op', names: ['Eve'] })).toMatchObject({
    results: [{ outcome: 'failed', error: { code: 'players.unknown' } }],
  })
  host.instead = ({ method, url }) => {
    if (method === 'POST' && url?.includes('/files/write')) host.wings.power(server.uuid, 'start')
    return null
  }
  expect(await act({ action: 'deop', names: ['Ben'] })).toMatchObject({
    results: [{ outcome: 'unconfirmed' }],
  })
  expect(JSON.parse(read('ops.json'))).toHaveLength(1)
  host.instead = null
  await stop()
  write('banned-players.json', 'no list')
  await expect(act({ action: 'ban', names: ['Ben'] })).rejects.toMatchObject({
    problem: { serviceCode: 'players.list-damaged' },
  })
  expect(read('banned-players.json')).toBe('"no list"')
})

test('settings of the game are a form, which keeps whatever else the file has', async () => {
  const { view, send, at, files, read, write, ref, server } = await withLists()
  const settings = path.join(files, 'server.properties')
  expect((await view('servers.read-config', at, true)).value).toMatchObject({
    name: 'Survival',
    properties: null,
  })
  writeFileSync(settings, '# ours\r\nmotd=Hello\r\npvp=yes\r\nserver-port=25565\r\nrcon.password=secret\r\n')
  write('version_history.json', { currentVersion: '1.21.4-232-12d8fe0 (MC: 1.21.4)' })
  const config = await view('servers.read-config', at, true)
  const property = (key: string) => config.value?.properties?.find((one) => one.key === key)
  expect(property('motd')).toMatchObject({ value: 'Hello', default: 'A Minecraft Server' })
  expect(property('pvp')).toMatchObject({ type: 'switch', problem: 'type', reads: 'false' })
  expect(property('server-port')).toMatchObject({ readOnly: true })
  // Of versions after 1.21.4.
  expect(property('enable-code-of-conduct')).toBeUndefined()
  expect(JSON.stringify(config.value)).not.toContain('secret')
  const change = (properties: { key: string; value: string | null }[], ifMatch = config.tag) =>
    send('servers.change-config', { ...at, body: { properties }, ...(ifMatch && { ifMatch }) })
  await expect(change([{ key: 'max-players', value: 'many' }])).rejects.toMatchObject({
    problem: { serviceCode: 'config.property', fields: { 'properties.max-players': [expect.any(String)] } },
  })
  await expect(change([{ key: 'rcon.password', value: 'x' }])).rejects.toMatchObject({
    problem: { serviceCode: 'config.property' },
  })
  await change([{ key: 'motd', value: 'Grüße' }])
  expect(read('server.properties')).toBe(
    '# ours\r\nmotd=Gr\\u00FC\\u00DFe\r\npvp=yes\r\nserver-port=25565\r\nrcon.password=secret\r\n',
  )
  await expect(change([{ key: 'motd', value: 'Late' }])).rejects.toMatchObject({
    problem: { code: 'changed' },
  })
  await send('servers.change-config', { ...at, body: { name: 'Creative' } })
  expect(server.name).toBe('Creative')
  expect((await view('servers.list', { connectionId: ref.connectionId }, true)).value?.items[0]?.name).toBe(
    'Creative',
  )
  await expect(send('servers.change-config', { ...at, body: { memoryMb: 1024 } })).rejects.toMatchObject({
    problem: { serviceCode: 'host.elsewhere' },
  })
})

test('what somebody else writes meanwhile is never overwritten', async () => {
  const { send, at, host, files, read } = await withLists()
  const file = path.join(files, 'server.properties')
  writeFileSync(file, 'motd=Hello\n')
  let writes = 0
  host.instead = ({ method, url }) => {
    if (method === 'GET' && url?.includes('server.properties'))
      writeFileSync(file, `motd=Theirs ${++writes}\n`)
    return null
  }
  const properties = [{ key: 'motd', value: 'Ours' }]
  await expect(send('servers.change-config', { ...at, body: { properties } })).rejects.toMatchObject({
    problem: { serviceCode: 'host.file-changing' },
  })
  expect(read('server.properties')).toBe(`motd=Theirs ${writes}\n`)
})
