import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startRcon } from '../../../tests/doubles/hosts/sftp/rcon.ts'
import { javaServerJar } from '../../../tests/doubles/java-server.ts'
import { startJavaServer } from '../../../tests/doubles/running-java-server.ts'
import { ownPort } from '../../../tests/fixtures/game-ports.ts'
import { NO_SFTP } from '../../../tests/fixtures/sftp-server.ts'
import { temporary } from '../../host/temporary.fixture.ts'
import { signedIn } from './sftp.fixture.ts'

test.skipIf(NO_SFTP)('a running game is asked by its own protocol, and takes commands by RCON', async () => {
  const { call, view, at, ref, files, log, until, restart } = await signedIn()
  const port = ownPort()
  const long = Array.from({ length: 300 }, (_, number) => `reply ${number}: ${'x'.repeat(40)}`).join('\n')
  const rcon = await startRcon('secret of rcon', (command) => (command === 'list' ? long : ''))
  onTestFinished(() => rcon.close())
  const properties = (more: string) =>
    writeFileSync(path.join(files, 'server.properties'), `server-port=${port}\nmotd=§6Survival\n${more}`)
  properties('')
  const server = async () =>
    (await view('servers.list', { connectionId: ref.connectionId }, true)).value!.items[0]
  expect(await server()).toMatchObject({
    name: 'Survival',
    status: 'offline',
    role: expect.arrayContaining(['console.read', 'files.write', 'players.act']) as unknown,
  })
  await expect(call('console.command', { ...ref, command: 'list' })).rejects.toMatchObject({
    problem: { serviceCode: 'sftp.no-rcon' },
  })
  writeFileSync(log, '[12:00:00] [Server thread/INFO]: Done (2.5s)!\n')
  await call('console.watch', { ...ref, limit: 0 })
  await view('servers.status', at)
  const game = startJavaServer(await javaServerJar({ kind: 'vanilla', version: '1.21.4' }), temporary(), {
    'server-port': port,
  })
  await game.line(/Done \(/)
  await until('view', (news) => news.view === 'servers.status' && news.now.value?.status === 'online')
  properties(`enable-rcon=true\nrcon.port=${rcon.port}\nrcon.password=secret of rcon\n`)
  // The file is read again after a while, or in another run.
  const again = await restart()
  const { value } = await again.view('servers.list', { connectionId: ref.connectionId }, true)
  expect(value?.items[0]?.role).toContain('console.send')
  await again.call('console.watch', { ...ref, limit: 0 })
  await again.call('console.command', { ...ref, command: 'list' })
  await expect.poll(() => JSON.stringify(again.seen)).toContain('reply 299')
  expect(rcon.heard).toEqual(['list'])
  await expect(again.call('console.command', { ...ref, command: 'x'.repeat(1500) })).rejects.toMatchObject({
    problem: { serviceCode: 'sftp.rcon-long' },
  })
})

test.skipIf(NO_SFTP)(
  'where the host leads nowhere through SSH, commands are sent without encryption once that is allowed',
  async () => {
    const { call, view, ref, files, restart } = await signedIn({ settings: ['AllowTcpForwarding no'] })
    const rcon = await startRcon('secret of rcon', () => 'There are 0 players')
    onTestFinished(() => rcon.close())
    const text = `server-port=${ownPort()}\nenable-rcon=true\nrcon.port=${rcon.port}\nrcon.password=secret of rcon\n`
    writeFileSync(path.join(files, 'server.properties'), text)
    const role = async (asked: typeof view) =>
      (await asked('servers.list', { connectionId: ref.connectionId }, true)).value!.items[0]!.role
    const send = (asked: typeof call) => asked('console.command', { ...ref, command: 'list' })
    await expect(send(call)).rejects.toMatchObject({ problem: { serviceCode: 'sftp.no-tunnel' } })
    expect(await role(view)).not.toContain('console.send')
    expect(rcon.heard).toEqual([])
    const { connectionId } = ref
    const allow = (isAllowed: boolean) => call('connections.set-plain-rcon', { connectionId, isAllowed })
    expect(await allow(true)).toMatchObject({ plainRcon: true })
    expect(await role(view)).toContain('console.send')
    await send(call)
    expect(rcon.heard).toEqual(['list'])
    expect((await allow(false)).plainRcon).toBeUndefined()
    await expect(send(call)).rejects.toMatchObject({ problem: { serviceCode: 'sftp.no-tunnel' } })
    await allow(true)
    const again = await restart()
    await send(again.call)
    expect(rcon.heard).toEqual(['list', 'list'])
  },
)
