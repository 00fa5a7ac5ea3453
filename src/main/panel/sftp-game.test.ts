import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startRcon } from '../../../tests/doubles/hosts/sftp/rcon.ts'
import { ownPort } from '../../../tests/fixtures/game-ports.ts'
import { NO_SFTP } from '../../../tests/fixtures/sftp-server.ts'
import { javaServerJar } from '../../../tests/doubles/java-server.ts'
import { startJavaServer } from '../../../tests/doubles/running-java-server.ts'
import { temporary } from '../../host/temporary.fixture.ts'
import { signedIn } from './sftp.fixture.ts'

test.skipIf(NO_SFTP)('players are read from the files of the game, and a damaged list is told', async () => {
  const { view, at, files } = await signedIn()
  const write = (name: string, value: unknown) => writeFileSync(path.join(files, name), JSON.stringify(value))
  const [ann, ben] = ['a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002']
  write('usercache.json', [{ name: 'Ann', uuid: ann }, { name: 'Ben', uuid: ben }, 'nonsense'])
  write('ops.json', [{ name: 'Ann', uuid: ann, level: 4 }])
  const created = '2026-11-20 18:00:00 +0100'
  write('banned-players.json', [
    { name: 'Ben', uuid: ben, created, expires: 'forever', reason: 'noise\nmore' },
  ])
  writeFileSync(path.join(files, 'whitelist.json'), '[{"uuid":')
  writeFileSync(path.join(files, 'server.properties'), 'white-list=true\nserver-port=1\n')
  const { value } = await view('players.list', at, true)
  expect(value).toMatchObject({
    items: [
      { name: 'Ann', op: true, online: false },
      {
        name: 'Ben',
        banned: { reason: 'noise more', until: null, since: '2026-11-20T17:00:00.000Z' },
        online: false,
      },
    ],
    unreadable: ['whitelist'],
  })
  expect((await view('players.whitelist', at, true)).value).toEqual({ enabled: true })
})

test.skipIf(NO_SFTP)(
  'players of a running game are acted on by RCON, and its reply is the outcome',
  async () => {
    const { view, send, at, files, restart } = await signedIn()
    const port = ownPort()
    const rcon = await startRcon('secret', (command) =>
      command === 'op Ann' ? '§fMade Ann a server operator' : '',
    )
    onTestFinished(() => rcon.close())
    const lines = [
      `server-port=${port}`,
      'enable-rcon=true',
      `rcon.port=${rcon.port}`,
      'rcon.password=secret',
    ]
    const game = startJavaServer(await javaServerJar({ kind: 'vanilla', version: '1.21.4' }), temporary(), {
      'server-port': port,
    })
    await game.line(/Done \(/)
    writeFileSync(path.join(files, 'server.properties'), lines.slice(0, 1).join('\n'))
    const act = (action: 'op' | 'kick', names: string[]) =>
      send('players.act', { ...at, body: { action, names } })
    expect((await view('servers.read', at, true)).value?.role).not.toContain('players.act')
    await expect(act('op', ['Ann'])).rejects.toMatchObject({ problem: { serviceCode: 'sftp.no-rcon' } })
    writeFileSync(path.join(files, 'server.properties'), lines.join('\n'))
    // The file is read again after a while, or in another run.
    const again = await restart()
    expect((await again.view('servers.read', at, true)).value?.role).toContain('players.act')
    const body = { action: 'op' as const, names: ['Ann', 'b\u0000c', 'Cid'] }
    await expect(again.send('players.act', { ...at, body })).rejects.toThrow()
    const told = await again.send('players.act', {
      ...at,
      body: { ...body, names: ['Ann', 'The Guy', 'Cid'] },
    })
    expect(told).toMatchObject({
      running: true,
      results: [
        { name: 'Ann', outcome: 'done' },
        { name: 'The Guy', outcome: 'failed' },
        { name: 'Cid', outcome: 'unconfirmed' },
      ],
    })
    expect(rcon.heard).toEqual(['op Ann', 'op Cid'])
    expect(existsSync(path.join(files, 'ops.json'))).toBe(false)
  },
)

test.skipIf(NO_SFTP)(
  'players of a game that is off are changed in its lists, and all else in them is kept',
  async () => {
    const { send, view, at, files } = await signedIn()
    const file = (name: string) => path.join(files, name)
    writeFileSync(
      file('server.properties'),
      `#ours\nserver-port=${ownPort()}\nonline-mode=false\nwhite-list=false\n`,
    )
    const kept = '{ "uuid": "a0000000-0000-4000-8000-000000000002", "name": "Ben", "ours": 1 }'
    writeFileSync(file('whitelist.json'), `[${kept}]`)
    const body = { action: 'whitelist-add' as const, names: ['Ann', 'Ben'] }
    expect(await send('players.act', { ...at, body })).toMatchObject({
      running: false,
      results: [
        { name: 'Ann', outcome: 'done' },
        { name: 'Ben', outcome: 'unchanged' },
      ],
    })
    expect(readFileSync(file('whitelist.json'), 'utf8')).toContain(kept)
    expect(JSON.parse(readFileSync(file('whitelist.json'), 'utf8'))).toHaveLength(2)
    const until = new Date(Date.now() + 86_400_000).toISOString()
    await send('players.act', { ...at, body: { action: 'ban', names: ['Ben'], reason: 'noise', until } })
    const { value } = await view('players.list', at, true)
    expect(value?.items).toMatchObject([
      { name: 'Ben', whitelisted: true, online: false, banned: { reason: 'noise' } },
      { name: 'Ann', whitelisted: true, banned: null },
    ])
    expect(await send('players.turn-whitelist', { ...at, body: { enabled: true } })).toEqual({
      enabled: true,
    })
    expect(readFileSync(file('server.properties'), 'utf8')).toMatch(/^#ours\n[^]*white-list=true\n$/)
    expect(await send('players.act', { ...at, body: { action: 'kick', names: ['Ann'] } })).toMatchObject({
      results: [{ outcome: 'failed', error: { code: 'players.not-running' } }],
    })
  },
)

test.skipIf(NO_SFTP)('settings of the game are a form, its port too, and its icon is shown', async () => {
  const { view, send, at, files } = await signedIn()
  const file = path.join(files, 'server.properties')
  writeFileSync(file, Buffer.from('#Grü\nmotd=Hello\nserver-port=1\n', 'latin1'))
  const icon = Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452000000400000004008060000000000000000', 'hex'),
    Buffer.alloc(10),
  ])
  expect((await view('servers.icon', at, true)).value).toEqual({ picture: null })
  writeFileSync(path.join(files, 'server-icon.png'), icon)
  expect((await view('servers.icon', at, true)).value?.picture).toMatch(/^data:image\/png;base64,iVBOR/)
  const { value } = await view('servers.read-config', at, true)
  expect(value?.properties?.find(({ key }) => key === 'server-port')).not.toHaveProperty('readOnly')
  const properties = [
    { key: 'server-port', value: '25566' },
    { key: 'motd', value: 'New name' },
  ]
  await send('servers.change-config', { ...at, body: { properties } })
  expect(readFileSync(file, 'latin1')).toBe('#Grü\nmotd=New name\nserver-port=25566\n')
  expect((await view('servers.read', at, true)).value).toMatchObject({
    name: 'New name',
    address: { port: 25_566 },
  })
})
