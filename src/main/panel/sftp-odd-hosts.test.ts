import { expect, onTestFinished, test, vi } from 'vitest'
import { OddSshServer, PASSWORD, USER } from '../../../tests/doubles/hosts/sftp/ssh-server.ts'
import { sftpToken } from '../../contract/rules/sftp.ts'
import { temporary } from '../../host/temporary.fixture.ts'
import { openWindow, testPorts } from './panel.fixture.ts'
import { createPanel } from './panel.ts'

/** A panel that is signed in by a password at a host as it shouldn't be. */
async function atOddHost(): Promise<{ host: OddSshServer; hostKey: string; baseUrl: string } & OpenPanel> {
  const host = await OddSshServer.open()
  onTestFinished(() => host.close())
  const ports = testPorts(temporary())
  const panel = await createPanel(ports)
  onTestFinished(() => panel.close())
  const window = openWindow(panel)
  const baseUrl = `sftp://${USER}@127.0.0.1:${host.port}`
  return { host, baseUrl, hostKey: await window.call('connections.host-key', { baseUrl }), ...window }
}
type OpenPanel = ReturnType<typeof openWindow>

test('a password opens a host, also where it is asked as a question; a wrong one is tried once', async () => {
  const { call, host, baseUrl, hostKey } = await atOddHost()
  const enter = (secret: string) =>
    call('connections.use-token', { baseUrl, token: sftpToken({ secret, hostKey }) })
  await expect(enter('wrong')).rejects.toMatchObject({
    problem: { code: 'invalid', fields: { token: [expect.stringContaining('user and password')] } },
  })
  expect(host.refused).toBe(1)
  expect(await enter(PASSWORD)).toMatchObject({ kind: 'host', name: `127.0.0.1:${host.port}` })
  host.asks = true
  expect(await enter(PASSWORD)).toMatchObject({ kind: 'host' })
  await expect(
    enter('-----BEGIN OPENSSH PRIVATE KEY----- bm90IGEga2V5 -----END OPENSSH PRIVATE KEY-----'),
  ).rejects.toMatchObject({
    problem: { serviceCode: 'sftp.key' },
  })
})

test('names that cannot be are shown as what cannot be opened, and a list without end is refused', async () => {
  const { call, view, host, baseUrl, hostKey } = await atOddHost()
  const token = sftpToken({ secret: PASSWORD, hostKey })
  const { id: connectionId } = await call('connections.use-token', { baseUrl, token })
  const list = () =>
    view('files.list', { connectionId, params: { serverId: 'server' }, query: { path: '' } }, true)
  host.names = ['..', '../../etc/passwd', 'a\0b', 'good.txt', '.']
  const shown = (await list()).value?.items
  expect(shown?.map(({ name, kind }) => [name, kind])).toEqual([
    ['..�..�etc�passwd', 'other'],
    ['a�b', 'other'],
    ['good.txt', 'file'],
  ])
  const act = { connectionId, serverId: 'server', paths: ['folder'], permanent: true }
  expect((await call('files.remove', act)).results).toMatchObject([{ error: { code: 'sftp.name' } }])
  host.names = Array.from({ length: 1000 }, (_, at) => `${at}`.repeat(20))
  host.isEndless = true
  expect((await list()).problem).toMatchObject({ serviceCode: 'sftp.folder-size' })
})

test('sizes that lie, texts of too much and lines without end keep nothing from being shown', async () => {
  const { call, view, host, baseUrl, hostKey, seen } = await atOddHost()
  const lies = 2 ** 50
  host.files.set('server.properties', { size: lies, bytes: Buffer.from('motd=Short\nserver-port=1\n') })
  host.files.set('ops.json', { size: 1e6, bytes: Buffer.from('['.repeat(1e6)) })
  host.files.set('whitelist.json', { size: lies, bytes: Buffer.from('[]') })
  host.files.set('usercache.json', { size: 11, bytes: Buffer.from('[{},null,7]') })
  host.files.set('logs/latest.log', { size: 1e9, bytes: Buffer.alloc(65_536, 'x'), isEndless: true })
  host.files.set('large.bin', { size: lies, bytes: Buffer.from('abc') })
  const token = sftpToken({ secret: PASSWORD, hostKey })
  const { id: connectionId } = await call('connections.use-token', { baseUrl, token })
  const at = { connectionId, params: { serverId: 'server' } }
  expect((await view('servers.list', { connectionId }, true)).value?.items).toMatchObject([{ name: 'Short' }])
  const players = (await view('players.list', at, true)).value
  expect(players?.unreadable?.toSorted()).toEqual(['ops', 'whitelist'])
  await call('console.watch', { connectionId, serverId: 'server', limit: 0 })
  host.files.set('logs/latest.log', {
    size: 40,
    bytes: Buffer.from('[12:00:00] [Server thread/INFO]: here\n'),
  })
  await expect.poll(() => JSON.stringify(seen), { timeout: 30_000 }).toContain('here')
  const read = { connectionId, serverId: 'server', path: 'large.bin' }
  expect(await call('files.read-text', read)).not.toMatchObject({ content: { kind: 'text' } })
})

test('a game whose port is closed is off if its log says that it stopped, or it has none; else nobody knows', async () => {
  const { call, send, view, host, baseUrl, hostKey } = await atOddHost()
  const file = (text: string) => ({ size: text.length, bytes: Buffer.from(text) })
  host.files.set('server.properties', file('server-port=1\n'))
  const token = sftpToken({ secret: PASSWORD, hostKey })
  const { id: connectionId } = await call('connections.use-token', { baseUrl, token })
  const at = { connectionId, params: { serverId: 'server' } }
  const status = async () => {
    vi.advanceTimersByTime(5000)
    const { value, problem } = await view('servers.status', at, true)
    return problem?.serviceCode ?? value?.status
  }
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(await status()).toBe('offline')
  const running =
    '[12:00:00] [Server thread/INFO]: Done (2.5s)!\n[12:00:01] [Server thread/INFO]: <Ann> Stopping server\n'
  host.files.set('logs/latest.log', file(running))
  expect(await status()).toBe('sftp.no-ping')
  const op = { ...at, body: { action: 'op' as const, names: ['Ann'] } }
  await expect(send('players.act', op)).rejects.toMatchObject({ problem: { serviceCode: 'sftp.no-ping' } })
  const stopped = `${running}[12:00:02] [Server thread/INFO]: Stopping server\n[12:00:03] [Server thread/INFO]: Saving worlds\n`
  host.files.set('logs/latest.log', file(stopped))
  expect(await status()).toBe('offline')
})

test('a command line that has ended by the time it is answered is done', async () => {
  const { call, baseUrl, hostKey } = await atOddHost()
  const token = sftpToken({ secret: PASSWORD, hostKey })
  const { id: connectionId } = await call('connections.use-token', { baseUrl, token })
  const line = 'systemctl start minecraft'
  await call('connections.set-power-lines', { connectionId, lines: { start: line, stop: '', restart: '' } })
  await call('connections.run-power-line', { connectionId, serverId: 'server', action: 'start', line })
})

test('a folder of a million names, or of pages without any, has an end', async () => {
  const { call, view, host, baseUrl, hostKey } = await atOddHost()
  const token = sftpToken({ secret: PASSWORD, hostKey })
  const { id: connectionId } = await call('connections.use-token', { baseUrl, token })
  const list = () =>
    view('files.list', { connectionId, params: { serverId: 'server' }, query: { path: '' } }, true)
  host.isEndless = true
  expect((await list()).problem).toMatchObject({ serviceCode: 'sftp.folder-size' })
  host.isEndless = false
  host.names = ['a\nb', '\u001b[31mred', '\u202eexe.txt', 'x'.repeat(5000), '']
  expect((await list()).value?.items).toHaveLength(5)
})

test('a search ends, and says so, where folders are in each other, or have names, without end', async () => {
  const { call, view, host, baseUrl, hostKey } = await atOddHost()
  const token = sftpToken({ secret: PASSWORD, hostKey })
  const { id: connectionId } = await call('connections.use-token', { baseUrl, token })
  const find = async () => {
    const asked = { connectionId, params: { serverId: 'server' }, query: { name: 'needle' } }
    return (await view('files.search', asked, true)).problem
  }
  host.names = ['folder', ...Array.from({ length: 1000 }, (_, at) => `${at}.txt`)]
  host.isEndlessBelow = true
  expect(await find()).toMatchObject({ serviceCode: 'sftp.folder-size' })
  host.isEndlessBelow = false
  host.names = ['..', 'a/folder', 'folder']
  expect(await find()).toMatchObject({ serviceCode: 'sftp.folder-size' })
  host.names = Array.from({ length: 1000 }, (_, at) => `${at}-folder`)
  expect(await find()).toMatchObject({ serviceCode: 'sftp.folder-size' })
})

test('a host that falls silent is given up, and asked anew by what follows', async () => {
  const { call, view, host, baseUrl, hostKey } = await atOddHost()
  vi.useFakeTimers({ toFake: ['setInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const token = sftpToken({ secret: PASSWORD, hostKey })
  const { id: connectionId } = await call('connections.use-token', { baseUrl, token })
  const list = () =>
    view('files.list', { connectionId, params: { serverId: 'server' }, query: { path: '' } }, true)
  host.isSilent = true
  const asked = list()
  await expect.poll(() => host.unanswered).toBe(1)
  vi.advanceTimersByTime(40_000)
  host.isSilent = false
  host.names = ['good.txt']
  await expect.poll(async () => (await list()).value?.items, { timeout: 10_000 }).toHaveLength(1)
  await asked
})
