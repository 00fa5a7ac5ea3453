import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { pingServer } from '../worlds/server-list-ping.ts'
import type { ServerSpec } from '../runtime/types.ts'
import { Door } from './door.ts'
import { framed, handshake, loginStart, varInt } from '../../../tests/fixtures/raw-game.ts'
import { RawPlayer, SleepFixture } from './sleep.fixture.ts'
import type { Host } from './visitor.ts'
import { freePort } from '../runtime/runtime.fixture.ts'

const face = { version: '1', max: 20, motd: 'Meadow', icon: null, isHidden: false }

/** A door of its own; `at` is the monotonic time that its limits see. */
async function openDoor(join: Host['join'] = async () => ({ sentence: 'No.' })) {
  const at = { port: await freePort(), now: 0 }
  const host = { face: async () => face, join, waits: () => undefined }
  const door = await Door.open({ host: '127.0.0.1', port: at.port }, host, () => at.now)
  onTestFinished(() => door.close())
  return Object.assign(at, { door })
}

test('thousands of pings change nothing: most are turned away, and it sleeps on', async () => {
  const at = await SleepFixture.open()
  const spec = await at.asleep('one', 'anybody')
  let [begun, answered] = [0, 0]
  const once = (spec_: ServerSpec) =>
    new Promise<void>((resolve) => {
      begun++
      const socket = connect({ host: '127.0.0.1', port: spec_.port })
      socket.on('error', () => undefined)
      socket.on('connect', () => socket.write(Buffer.concat([handshake(1), framed(varInt(0))])))
      socket.on('data', () => (answered++, socket.destroy()))
      socket.on('close', () => resolve())
    })
  for (let hundreds = 0; hundreds < 40; hundreds++) {
    await Promise.all(Array.from({ length: 100 }, () => once(spec)))
    at.clock.forward(100)
  }
  expect(begun).toBe(4000)
  // Those of one address that come too fast are turned away before they are read.
  expect(answered).toBeGreaterThan(40)
  expect(answered).toBeLessThan(200)
  expect(at.status('one')).toBe('sleeping')
  expect(at.told).toEqual(['one slept'])
  at.clock.forward(60_000)
  expect(await pingServer(spec.port)).toMatchObject({ players: { online: 0 } })
})

test('connections that stay silent are few at once, end by themselves, and keep nobody else out for long', async () => {
  const at = await openDoor()
  const silent = Array.from({ length: 30 }, () => new RawPlayer(at))
  await expect.poll(() => silent.filter(({ isClosed }) => isClosed).length).toBe(22)
  expect(at.door.visitors).toBe(8)
  await expect.poll(() => silent.every(({ isClosed }) => isClosed), { timeout: 20_000 }).toBe(true)
  expect(at.door.visitors).toBe(0)
  expect(await pingServer(at.port)).not.toBeNull()
})

test.runIf(process.platform === 'linux')(
  'silent connections of many addresses keep nobody out: the oldest has to go',
  async () => {
    const at = await openDoor()
    for (let address = 1; address <= 30; address++)
      for (let count = 0; count < 8; count++) {
        const silent = connect({ host: '127.0.0.1', port: at.port, localAddress: `127.0.1.${address}` })
        silent.on('error', () => undefined)
        onTestFinished(() => void silent.destroy())
      }
    await expect.poll(() => at.door.visitors).toBe(200)
    expect(await pingServer(at.port)).not.toBeNull()
  },
)

test('slow bytes do not keep a connection longer', async () => {
  const at = await openDoor()
  const slow = new RawPlayer(at)
  const bytes = [...handshake(2, { host: 'a'.repeat(250) }), ...loginStart('Ada')]
  const byte = () => {
    if (!slow.isClosed) slow.send(bytes.shift() ?? 0)
    return slow.isClosed
  }
  await expect.poll(byte, { timeout: 20_000, interval: 50 }).toBe(true)
  expect(bytes.length).toBeGreaterThan(0)
  expect(slow.received).toHaveLength(0)
})

test('hostile packets end their connection and nothing else', async () => {
  const joined: string[] = []
  const at = await openDoor(async ({ name }) => {
    joined.push(name)
    return { sentence: 'No.' }
  })
  const long = Buffer.concat([varInt(0), varInt(769), varInt(-1), Buffer.alloc(10)])
  const hostile: Buffer[] = [
    varInt(-1),
    varInt(0),
    varInt(0x7fffffff),
    Buffer.alloc(64, 0xff),
    Buffer.of(0x80, 0x80, 0x80, 0x80, 0x80, 0x00),
    varInt(3000),
    framed(long),
    framed(varInt(0), varInt(769), varInt(5000), Buffer.alloc(100, 0x61)),
    framed(varInt(0), varInt(769)),
    framed(varInt(7)),
    handshake(9),
    Buffer.concat([handshake(1), framed(varInt(2))]),
    Buffer.concat([handshake(1), framed(varInt(1), Buffer.alloc(3))]),
    Buffer.concat([handshake(1), framed(varInt(0)), framed(varInt(0))]),
    Buffer.concat([handshake(2), framed(varInt(0), varInt(60), Buffer.alloc(60, 0x61))]),
    Buffer.concat([handshake(2), framed(varInt(0), varInt(4), Buffer.from('a\u0000\u202eb'))]),
    Buffer.concat([handshake(2), framed(varInt(1), varInt(0))]),
    Buffer.of(0xfe, 0x02, 0xff, 0xff, 0xff),
    Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
    randomBytes(4096),
  ]
  for (const bytes of hostile) {
    at.now += 1000
    const player = new RawPlayer(at).send(bytes)
    await player.closed()
    expect(player.received.length, bytes.toString('hex').slice(0, 60)).toBeLessThan(300)
  }
  expect(joined).toEqual([])
  expect(at.door.visitors).toBe(0)
  expect(await pingServer(at.port)).toMatchObject({ description: 'Meadow' })
})

test('a packet may come in pieces, and several in one', async () => {
  const joined: string[] = []
  const at = await openDoor(async ({ name }) => {
    joined.push(name)
    return { sentence: 'No.' }
  })
  const whole = Buffer.concat([handshake(2), loginStart('Ada')])
  const once = new RawPlayer(at).send(whole)
  await once.closed()
  const pieces = new RawPlayer(at)
  for (const byte of whole) {
    pieces.send(byte)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await pieces.closed()
  expect(joined).toEqual(['Ada', 'Ada'])
  expect(pieces.received.equals(once.received)).toBe(true)
})

test('closing frees the port at once, whatever others do with their connections', async () => {
  const at = await openDoor(() => new Promise(() => undefined))
  const kept = new RawPlayer(at).send(handshake(2), loginStart('Ada'))
  const silent = new RawPlayer(at)
  await expect.poll(() => at.door.visitors).toBe(2)
  await at.door.close()
  await Promise.all([kept.closed(), silent.closed()])
  const again = await Door.open(
    { host: '127.0.0.1', port: at.port },
    { face: async () => face, join: async () => ({ sentence: '' }), waits: () => undefined },
    () => 0,
  )
  await again.close()
})
