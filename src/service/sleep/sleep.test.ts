import { createServer } from 'node:net'
import { createRequire } from 'node:module'
import { createBot, type Bot } from 'mineflayer'
import { describe, expect, onTestFinished, test } from 'vitest'
import { refusalText } from '../../contract/messages/refusals/index.ts'
import { pingServer } from '../worlds/server-list-ping.ts'
import type { ServerSpec } from '../runtime/types.ts'
import { askToJoin, handshake, loginStart } from '../../../tests/fixtures/raw-game.ts'
import { RawPlayer, SleepFixture } from './sleep.fixture.ts'

interface PlainClient {
  on(event: string, listener: (value: never) => void): void
  write(name: string, fields: object): void
  end(): void
}

const { ping, createClient } = createRequire(import.meta.url)('minecraft-protocol') as {
  ping(options: object): Promise<{
    description: { text: string }
    players: object
    version: { name: string; protocol: number }
    favicon: string
  }>
  createClient(options: object): PlainClient
}

const sentenceFor = ({ port }: ServerSpec, name: string) => askToJoin({ host: '127.0.0.1', port }, name)

/** Goes where it is sent on, as the game does and mineflayer doesn't. */
function bot({ port, software }: ServerSpec, username: string, isSent = false): Promise<Bot | string> {
  const one = createBot({ host: '127.0.0.1', port, username, auth: 'offline', version: software.version })
  onTestFinished(() => one.end())
  const client = one._client as unknown as PlainClient
  const write = client.write.bind(client)
  client.write = (name, fields) =>
    write(name, isSent && name === 'set_protocol' ? { ...fields, nextState: 3 } : fields)
  return new Promise((resolve, reject) => {
    client.on('transfer', ({ port: to }: { port: number }) => {
      one.end()
      resolve(bot({ port: to, software } as ServerSpec, username, true))
    })
    one.once('spawn', () => resolve(one))
    one.once('kicked', (reason) => resolve(JSON.stringify(reason)))
    one.once('error', reject)
  })
}

const NOBODY = refusalText('console.falls-asleep', { count: 1 })
const DEMO = { software: { id: 'demo', version: '1.20.6' } }

describe('falling asleep', () => {
  test('takes so many minutes without players, and neither a player nor what needs the server', async () => {
    const at = await SleepFixture.open()
    const { it } = at
    await it.add('one', { sleep: { afterMinutes: 2, wake: 'anybody' } })
    await it.order('one', 'start')
    await it.until('one', 'online')
    await at.minutes(1.9)
    expect(at.status('one')).toBe('online')
    await it.type('one', 'join Ada')
    await it.line('one', /Ada joined/)
    await at.minutes(10)
    await it.type('one', 'leave Ada')
    await it.line('one', /Ada left/)
    // From when the last one left.
    await at.minutes(1.9)
    expect(at.status('one')).toBe('online')
    const done = it.runtime.keepAwake('one', 'backup')
    expect(it.runtime.busy('one')).toEqual(['backup'])
    await at.minutes(5)
    expect(at.status('one')).toBe('online')
    done()
    await at.minutes(0)
    await it.until('one', 'sleeping')
    expect(await at.lines('one')).toContain(
      'Nobody was on for 2 minutes: the server sleeps now and wakes when somebody joins.',
    )
    expect(at.told).toEqual(['one slept'])
    expect(it.runtime.crash('one')).toBeNull()
  })

  test('never comes over a server that says itself that somebody plays', async () => {
    const at = await SleepFixture.open()
    const spec = await at.it.add('one', { sleep: { afterMinutes: 1, wake: 'anybody' } })
    const other = await at.asleep('other', 'anybody')
    // Answers pings for it, as software does whose log isn't understood.
    const status = JSON.stringify({ version: { name: 'x' }, players: { online: 1, max: 9 }, description: '' })
    const answer = Buffer.concat([Buffer.of(status.length + 2, 0, status.length), Buffer.from(status)])
    await at.it.order('one', 'start')
    await at.it.until('one', 'online')
    const busy = createServer((socket) => socket.once('data', () => socket.write(answer)))
    onTestFinished(() => void busy.close())
    await new Promise<void>((resolve) => busy.listen(spec.port, '127.0.0.1', resolve))
    await at.minutes(5)
    expect(at.status('one')).toBe('online')
    expect(at.status(other.id)).toBe('sleeping')
  })

  test('Start and Stop are offered to what sleeps; neither is a crash, and turning sleep off ends it', async () => {
    const at = await SleepFixture.open()
    const spec = await at.asleep('one', 'anybody', { autoRestart: true })
    expect(at.it.runtime.isDown('one')).toBe(true)
    expect((await at.it.power('one', 'kill')).status).toBe(409)
    await at.it.order('one', 'stop')
    expect(at.status('one')).toBe('offline')
    expect(await pingServer(spec.port)).toBeNull()
    const two = await at.asleep('two', 'anybody')
    await at.it.order('two', 'start')
    await at.it.until('two', 'online')
    const three = await at.asleep('three', 'anybody')
    at.it.runtime.update({ ...three, sleep: null })
    expect(at.status('three')).toBe('offline')
    expect(two.port).not.toBe(three.port)
  })
})

describe('a sleeping server', () => {
  test('answers pings of games of all ages with its own message and picture, and sleeps on', async () => {
    const at = await SleepFixture.open()
    const spec = await at.asleep('one', 'anybody', { software: { id: 'flood', version: '1' } })
    await at.write(spec, 'server.properties', 'motd=\\u00a76Meadow\\nsecond\nmax-players=7\n')
    for (const version of ['1.7.10', '1.8.8', '1.12.2', '1.16.5', '1.19.4', '1.20.6', '1.21.4', '1.21.11']) {
      const seen = await ping({ host: '127.0.0.1', port: spec.port, version })
      expect(seen, version).toMatchObject({
        description: { text: '§6Meadow\n§r§7Asleep. Join to wake it' },
        players: { online: 0, max: 7 },
        favicon: 'data:image/png;base64,AAAA',
      })
    }
    const oldest = new RawPlayer(spec).send(0xfe)
    await oldest.closed()
    expect(oldest.received.subarray(3).swap16().toString('utf16le')).toBe(
      'Meadow Asleep. Join to wake it§0§7',
    )
    for (const more of [[], [0xfa, 0x00, 0x0b]]) {
      const old = new RawPlayer(spec).send(Buffer.of(0xfe, 0x01, ...more))
      await old.closed()
      expect(old.received.readUInt8()).toBe(0xff)
      const parts = old.received.subarray(3).swap16().toString('utf16le').split('\0')
      expect(parts).toEqual(['§1', '127', '1', '§6Meadow §r§7Asleep. Join to wake it', '0', '7'])
    }
    expect(at.status('one')).toBe('sleeping')
    await at.write(spec, 'server.properties', 'enable-status=false\n')
    expect(await pingServer(spec.port)).toBeNull()
  })

  test('echoes the protocol of whoever asks', async () => {
    const at = await SleepFixture.open()
    const spec = await at.asleep('one', 'nobody')
    for (const [version, protocol] of [
      ['1.8.8', 47],
      ['1.21.4', 769],
    ] as const) {
      const seen = await ping({ host: '127.0.0.1', port: spec.port, version })
      expect(seen.version.protocol).toBe(protocol)
      expect(seen.description.text).toBe('Server one\n§r§7Asleep')
    }
  })

  test('is woken by whom its owner named, and tells others that it is asleep', async () => {
    const at = await SleepFixture.open()
    const spec = await at.asleep('one', 'nobody')
    expect(await sentenceFor(spec, 'Ada')).toContain('This server is asleep.')
    at.it.runtime.update({ ...spec, sleep: { afterMinutes: 10, wake: 'whitelist' } })
    await at.write(spec, 'whitelist.json', JSON.stringify([{ uuid: '', name: 'Ada' }]))
    expect(await sentenceFor(spec, 'Eve')).toContain('This server is asleep.')
    expect(at.status('one')).toBe('sleeping')
    at.marks.push({ at: 0, status: 'starting' }, { at: 17_000, status: 'online' })
    expect(await sentenceFor(spec, 'ada')).toContain('Waking up. Join again in about 20 seconds.')
    await at.it.until('one', 'online')
    expect(at.told.at(-1)).toBe('one woken by ada')
    expect(await at.lines('one')).toContain('ada wants to join: the server wakes up.')
  })

  test('tells a proxy of it in the same way: by the sentence for its player', async () => {
    const at = await SleepFixture.open()
    const spec = await at.asleep('one', 'anybody')
    const host = ['127.0.0.1', '203.0.113.5', '0'.repeat(32)].join('\0')
    const proxy = new RawPlayer(spec).send(handshake(2, { host }), loginStart('Ada'))
    await proxy.closed()
    expect(proxy.received.toString()).toContain('Waking up. Join again in a minute.')
    await at.it.until('one', 'online')
  })

  test('is not woken again and again by the same address', async () => {
    const at = await SleepFixture.open()
    const spec = await at.asleep('one', 'anybody')
    for (let times = 0; times < 3; times++) {
      expect(await sentenceFor(spec, 'Ada')).toContain('Waking up')
      await at.it.until('one', 'online')
      at.it.runtime.find('one').fallAsleep(NOBODY)
      await at.it.until('one', 'sleeping')
      await at.sleep.look()
    }
    expect(await sentenceFor(spec, 'Ada')).toContain('This server is asleep. Join again in a few minutes.')
    expect(at.status('one')).toBe('sleeping')
  })

  test('says so where something else uses its port, and can be joined once that is gone', async () => {
    const at = await SleepFixture.open()
    const spec = await at.it.add('one', { sleep: { afterMinutes: 1, wake: 'anybody' } })
    await at.it.order('one', 'start')
    await at.it.until('one', 'online')
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(spec.port, '127.0.0.1', resolve))
    at.it.runtime.find('one').fallAsleep(NOBODY)
    await at.it.until('one', 'sleeping')
    await at.sleep.look()
    await at.sleep.look()
    const said = `Nobody can wake the server by joining: something else uses its port ${spec.port}.`
    expect((await at.lines('one')).split(said)).toHaveLength(2)
    const started = await at.it.power('one', 'start')
    expect(started.body.error.code).toBe('server.port-taken')
    expect(at.status('one')).toBe('sleeping')
    await new Promise((resolve) => other.close(resolve))
    await at.sleep.look()
    expect(await pingServer(spec.port)).not.toBeNull()
  })

  test('sleeps on after a restart of the service, also when that comes while it wakes', async () => {
    const before = await SleepFixture.open()
    const spec = await before.asleep('one', 'anybody', { autoStart: true })
    await before.close()
    expect(await pingServer(spec.port)).toBeNull()
    const again = await SleepFixture.open(before.it.dataDir)
    again.it.runtime.add(spec)
    again.it.runtime.startMarked(new Set(['one']))
    expect(again.status('one')).toBe('sleeping')
    await again.sleep.look()
    expect(await pingServer(spec.port)).not.toBeNull()
    // The service ends before it is online.
    again.it.runtime.beforeStart(async () => void again.it.runtime.close(true))
    await sentenceFor(spec, 'Ada')
    await again.close()
    const last = await SleepFixture.open(before.it.dataDir)
    last.it.runtime.add(spec)
    expect(last.status('one')).toBe('sleeping')
    last.it.runtime.add({ ...spec, id: 'other' })
    expect(last.status('other')).toBe('offline')
  })
})

describe('joining', () => {
  test('wakes a server; at the second try the player is on', async () => {
    const at = await SleepFixture.open()
    const spec = await at.asleep('demo', 'anybody', DEMO)
    expect(await bot(spec, 'Ada')).toContain('Waking up.')
    await at.it.until('demo', 'online')
    expect(await bot(spec, 'Ada')).not.toBeTypeOf('string')
    expect(at.told).toEqual(['demo slept', 'demo woken by Ada'])
  })

  test('goes on by itself where the server takes players that are sent on', async () => {
    const at = await SleepFixture.open()
    for (const version of ['1.20.6', '1.21.4', '1.21.11']) {
      const spec = await at.asleep(version, 'anybody', { software: { id: 'demo', version: '1.21.4' } })
      await at.write(spec, 'server.properties', 'accepts-transfers=true\n')
      const client = createClient({
        host: '127.0.0.1',
        port: spec.port,
        username: 'Ada',
        version,
        auth: 'offline',
      })
      onTestFinished(() => client.end())
      const to = await new Promise((resolve, reject) => {
        client.on('transfer', resolve)
        client.on('disconnect', reject)
        client.on('error', reject)
      })
      expect(to).toEqual({ host: '127.0.0.1', port: spec.port })
      // Not before it is ready.
      expect(at.status(version)).toBe('online')
    }
  })

  test('a player who is sent on is on, without doing anything else', async () => {
    const at = await SleepFixture.open()
    const spec = await at.asleep('demo', 'anybody', { software: { id: 'demo', version: '1.21.4' } })
    await at.write(spec, 'server.properties', 'accepts-transfers=true\n')
    const ada = await bot(spec, 'Ada')
    expect(ada).not.toBeTypeOf('string')
    await at.it.line('demo', /Ada joined the game/)
    expect(at.told).toEqual(['demo slept', 'demo woken by Ada'])
  })

  test('gets the sentence instead from a server behind a proxy, which no player may reach directly', async () => {
    const at = await SleepFixture.open()
    const spec = await at.asleep('one', 'anybody')
    await at.write(spec, 'server.properties', 'accepts-transfers=true\n')
    const settings = 'proxies:\n  bungee-cord:\n    online-mode: true\n  velocity:\n    enabled: true\n'
    await at.write(spec, 'config/paper-global.yml', settings)
    expect(await sentenceFor(spec, 'Ada')).toContain('Waking up')
    await at.it.until('one', 'online')
  })

  test('a server that cannot be started says so to those who wait', async () => {
    const at = await SleepFixture.open()
    const spec = await at.asleep('one', 'anybody')
    await at.write(spec, 'server.properties', 'accepts-transfers=true\n')
    at.it.runtime.beforeStart(() => Promise.reject(new Error('It has no disk.')))
    const client = createClient({
      ...{ host: '127.0.0.1', port: spec.port, username: 'Ada', version: '1.21.4', auth: 'offline' },
    })
    onTestFinished(() => client.end())
    const away = await new Promise((resolve) => client.on('disconnect', resolve))
    expect(JSON.stringify(away)).toContain('The server could not be woken up. Tell its owner.')
    expect(at.status('one')).toBe('crashed')
  })
})

test('another server of the same port names the one that sleeps on it', async () => {
  const at = await SleepFixture.open()
  const { port } = await at.asleep('one', 'anybody')
  await at.it.add('two', { port })
  const { status, body } = await at.it.power('two', 'start')
  expect([status, body.error.code]).toEqual([409, 'server.port-taken'])
  expect(body.error.message).toContain('"Server one"')
  await at.it.order('one', 'stop')
  await at.it.order('two', 'start')
  await at.it.until('two', 'online')
})
