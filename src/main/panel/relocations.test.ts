import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { KEY, PterodactylPanel } from '../../../tests/doubles/hosts/pterodactyl/panel.ts'
import { NO_SFTP } from '../../../tests/fixtures/sftp-server.ts'
import type { Relocation } from '../../contract/bridge/relocation-calls.ts'
import { signedIn } from './sftp.fixture.ts'

const SETTINGS = 'motd=Grüße\nserver-port=25570\nserver-ip=10.0.0.5\nenable-rcon=true\nrcon.password=old\n'
const THEIRS = 'server-port=31000\nmotd=Empty\nrcon.password=own\n'

/** A panel at two hosts: one of Pterodactyl, with a world, and one of SFTP. */
async function between() {
  const sftp = await signedIn()
  const host = await PterodactylPanel.open()
  onTestFinished(() => host.close())
  const world = path.join(sftp.folder, 'world at the panel')
  const put = (folder: string, name: string, content: string | Buffer) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  put(world, 'server.properties', SETTINGS)
  put(world, 'world/level.dat', 'level')
  put(world, 'world/region/r.0.0.mca', Buffer.alloc(5 * 1024 * 1024, 3))
  put(world, 'logs/latest.log', 'Done')
  const server = host.add(world, { state: 'offline' })
  const { id } = await sftp.call('connections.use-token', { baseUrl: host.base, token: KEY })
  const atPanel = { connectionId: id, serverId: server.uuid }
  const now = async () => (await sftp.call('relocations.list', undefined))[0]!
  const ended = (wanted: Relocation['stage'] | null = null) =>
    expect
      .poll(async () => (await now()).stage, { timeout: 30_000, interval: 100 })
      .toEqual(wanted ?? expect.stringMatching(/done|failed|cancelled/))
  return {
    ...sftp,
    host,
    server,
    world,
    put,
    atPanel,
    now,
    ended,
    begin: { areStopped: true, empties: false },
  }
}

describe.skipIf(NO_SFTP)('a server of a host', () => {
  test('goes into the folder of another host, which keeps what belongs to the place', async () => {
    const { call, atPanel, ref, files, world, put, ended, now, begin } = await between()
    put(files, 'server.properties', THEIRS)
    put(files, 'own.txt', 'stays')
    put(files, 'world/level.dat', 'another')
    put(files, 'world/region/r.0.0.mca', Buffer.alloc(5 * 1024 * 1024, 4))
    const preview = await call('relocations.preview', { from: atPanel, to: ref })
    expect(preview).toMatchObject({ from: 'stopped', hasTrash: false, warnings: [] })
    expect(preview.settings).toEqual(
      [
        { name: 'server-port', from: '25570', to: '31000' },
        { name: 'server-ip', from: '10.0.0.5', to: null },
        { name: 'rcon.port', from: null, to: null },
        { name: 'memory', from: '4096', to: null },
      ].filter(({ from, to }) => from !== to),
    )
    await call('relocations.begin', { from: atPanel, to: ref, ...begin })
    await ended('done')
    expect(await now()).toMatchObject({ emptied: false, done: 2, total: 2, problem: null })
    for (const name of ['world/level.dat', 'world/region/r.0.0.mca'])
      expect(readFileSync(path.join(files, name)).equals(readFileSync(path.join(world, name)))).toBe(true)
    expect(readFileSync(path.join(files, 'own.txt'), 'utf8')).toBe('stays')
    expect(readFileSync(path.join(files, 'server.properties'), 'utf8')).toBe(
      'motd=Grüße\nserver-port=31000\nrcon.password=own\n',
    )
    expect(readFileSync(path.join(world, 'server.properties'), 'utf8')).toBe(SETTINGS)
  })

  test('is read back where the host does not compare, after what was there is deleted', async () => {
    const { call, atPanel, ref, files, world, host, put, ended, now, begin } = await between()
    put(files, 'world/level.dat', 'from here')
    put(files, 'server.properties', 'server-port=1\nmotd=From here\n')
    await call('relocations.begin', { from: ref, to: atPanel, ...begin, empties: true })
    await ended('done')
    expect(readdirSync(world).sort()).toEqual(['server.properties', 'world'])
    expect(readdirSync(path.join(world, 'world'))).toEqual(['level.dat'])
    expect(readFileSync(path.join(world, 'world/level.dat'), 'utf8')).toBe('from here')
    expect(readFileSync(path.join(world, 'server.properties'), 'utf8')).toContain('server-port=25570\n')
    expect(host.seen.map(({ path: at }) => at).join()).toContain('/files/contents?file=%2Fworld%2Flevel.dat')
    expect((await now()).emptied).toBe(true)
  })

  test('is not moved into itself, by whatever way its folder is reached', async () => {
    const { call, host, atPanel, ref, files, put, ended, now, begin } = await between()
    put(files, 'server.properties', SETTINGS)
    put(files, 'world/level.dat', 'level')
    const same = { ...atPanel, serverId: host.add(files, { state: 'offline' }).uuid }
    await call('relocations.begin', { from: same, to: ref, ...begin, empties: true })
    await ended('failed')
    expect((await now()).problem?.message).toMatch(/into itself/)
    expect(readdirSync(files).sort()).toEqual(['logs', 'server.properties', 'world'])
    expect(readdirSync(path.join(files, 'world'))).toEqual(['level.dat'])
  })

  test('deletes nothing in a folder of no server, and nothing hidden in that of one', async () => {
    const { call, atPanel, ref, files, put, ended, now, begin } = await between()
    put(files, 'thesis.txt', 'a year')
    put(files, '.ssh/id', 'key')
    await call('relocations.begin', { from: atPanel, to: ref, ...begin, empties: true })
    await ended('failed')
    expect((await now()).problem?.message).toMatch(/no server.properties/)
    expect(readdirSync(files).sort()).toEqual(['.ssh', 'logs', 'thesis.txt'])
    put(files, 'server.properties', THEIRS)
    await call('relocations.begin', { from: atPanel, to: ref, ...begin, empties: true })
    await expect.poll(async () => (await call('relocations.list', undefined))[1]?.stage).toBe('done')
    expect(readdirSync(files).sort()).toEqual(['.ssh', 'server.properties', 'world'])
  })

  test('is not moved while it runs, nor while another move of it goes on', async () => {
    const { call, atPanel, ref, server, begin } = await between()
    server.state = 'running'
    const moving = () => call('relocations.begin', { from: atPanel, to: ref, ...begin })
    await expect(moving()).rejects.toMatchObject({
      problem: { code: 'conflict', message: '“Survival” is running. Stop it first.' },
    })
    await expect(call('relocations.begin', { from: ref, to: ref, ...begin })).rejects.toMatchObject({
      problem: { code: 'conflict' },
    })
  })

  test('stays as it was when the move is canceled, and so does the other before anything is copied', async () => {
    const { call, atPanel, ref, files, host, put, ended, now, begin } = await between()
    put(files, 'server.properties', THEIRS)
    const { promise: isAsked, resolve } = Promise.withResolvers<void>()
    host.instead = ({ url }) => {
      if (!url?.includes('/files/list')) return null
      resolve()
      return { status: 429, body: { errors: [] }, headers: { 'retry-after': '2' } }
    }
    const { id } = await call('relocations.begin', { from: atPanel, to: ref, ...begin, empties: true })
    await isAsked
    await call('relocations.cancel', { id })
    await ended('cancelled')
    expect(await now()).toMatchObject({ emptied: false, transferId: null })
    expect(readFileSync(path.join(files, 'server.properties'), 'utf8')).toBe(THEIRS)
    await call('relocations.forget', { id })
    expect(await call('relocations.list', undefined)).toEqual([])
  })

  test('goes on where it failed', async () => {
    const { call, atPanel, ref, files, host, ended, now, begin } = await between()
    host.instead = ({ url }) =>
      url?.includes('/files/list') ? { status: 403, body: { errors: [{ detail: 'No.' }] } } : null
    const { id } = await call('relocations.begin', { from: atPanel, to: ref, ...begin })
    await ended('failed')
    expect((await now()).problem).toMatchObject({ serviceCode: 'host.said' })
    host.instead = null
    await call('relocations.retry', { id })
    await ended('done')
    expect(readFileSync(path.join(files, 'world/level.dat'), 'utf8')).toBe('level')
  })

  test('is copied once more where the copy differs', async () => {
    const { call, atPanel, ref, files, world, host, put, ended, now, begin } = await between()
    put(files, 'world/level.dat', 'from here')
    host.instead = ({ url }) =>
      url?.includes('/files/contents?file=%2Fworld%2Flevel.dat')
        ? { status: 200, body: Buffer.from('from hell') }
        : null
    const { id } = await call('relocations.begin', { from: ref, to: atPanel, ...begin })
    await ended('failed')
    expect(await now()).toMatchObject({ different: ['world/level.dat'], differentCount: 1 })
    host.instead = null
    await call('relocations.retry', { id })
    await ended('done')
    expect(await now()).toMatchObject({ different: [], differentCount: 0 })
    expect(readFileSync(path.join(world, 'world/level.dat'), 'utf8')).toBe('from here')
  })

  test('goes on after the panel ended midway', async () => {
    const { call, until, atPanel, ref, files, world, begin, restart } = await between()
    await call('transfers.limit', { limit: 1024 * 1024, atOnce: 1 })
    await call('relocations.begin', { from: atPanel, to: ref, ...begin })
    await until('transfers', ({ items }) => items.some(({ state }) => state === 'running'))
    const later = await restart()
    await later.call('transfers.limit', { limit: null, atOnce: 2 })
    await later.until('relocations', ([first]) => first?.stage === 'done')
    const region = 'world/region/r.0.0.mca'
    expect(readFileSync(path.join(files, region)).equals(readFileSync(path.join(world, region)))).toBe(true)
  })
})
