import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { signedIn, writerOf } from './exaroton.fixture.ts'
import { linesSent, numbersIn, upTo } from './pterodactyl.fixture.ts'

test('nothing is sent before the service is ready', async () => {
  const { call, host, ref } = await signedIn()
  host.sockets.holdReady = true
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => host.lines.size).toBe(1)
  host.sockets.holdReady = false
  host.cut()
  await expect.poll(() => [...host.lines][0]?.streams.has('console'), { timeout: 10_000 }).toBe(true)
  expect(host.faults).toEqual([])
})

test('a console goes on after its connection broke, from its tail or the log file, each line once', async () => {
  const panel = await signedIn()
  const { call, host, ref } = panel
  const { write } = writerOf(panel)
  write(5)
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => linesSent(panel).length, { timeout: 10_000 }).toBe(5)
  write(3)
  for (const missed of [400, 900]) {
    host.cut()
    write(missed)
    await expect.poll(() => host.lines.size).toBe(0)
    await expect.poll(() => host.lines.size, { timeout: 15_000 }).toBe(1)
    write(3)
    const last = 7 + (missed === 400 ? 403 : 403 + 903)
    await expect.poll(() => linesSent(panel).at(-1), { timeout: 15_000 }).toBe(last)
  }
  expect(linesSent(panel)).toEqual(upTo(1314))
})

test('the streams go on after the machine behind was gone, and nothing comes twice', async () => {
  const panel = await signedIn()
  const { call, host, server, ref } = panel
  const { write } = writerOf(panel)
  write(5)
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => linesSent(panel).length, { timeout: 10_000 }).toBe(5)
  host.disconnect(server, 'machine-gone')
  write(20)
  host.tell(server, { type: 'connected' })
  await expect.poll(() => linesSent(panel).at(-1), { timeout: 10_000 }).toBe(24)
  write(5)
  await expect.poll(() => linesSent(panel).at(-1), { timeout: 10_000 }).toBe(29)
  expect(linesSent(panel)).toEqual(upTo(30))
  expect(host.faults).toEqual([])
})

test('the next run of a server follows the one before without a gap', async () => {
  const panel = await signedIn()
  const { call, host, server, ref } = panel
  const { write, begin } = writerOf(panel)
  write(5)
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => linesSent(panel).length, { timeout: 10_000 }).toBe(5)
  for (const status of [3, 5, 0, 8, 6]) host.enter(server, status)
  begin()
  host.enter(server, 2)
  write(700)
  await expect.poll(() => linesSent(panel).at(-1), { timeout: 10_000 }).toBe(704)
  expect(linesSent(panel)).toEqual(upTo(705))
})

test('what no log holds is shown as a gap', async () => {
  const panel = await signedIn()
  const { call, host, server, files, ref } = panel
  const { write } = writerOf(panel)
  write(5)
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => linesSent(panel).length, { timeout: 10_000 }).toBe(5)
  host.cut()
  host.enter(server, 2)
  writeFileSync(path.join(files, 'logs/latest.log'), '[00:01:00] [Server thread/INFO]: line 100\n')
  host.print(server, '[00:01:01 INFO]: line 101')
  await expect.poll(() => linesSent(panel), { timeout: 15_000 }).toEqual([...upTo(5), 'gap', 100, 101])
})

test('the console of a stopped server is its log, and goes on in a later run of the panel', async () => {
  const panel = await signedIn({ status: 0 })
  const { write } = writerOf(panel)
  write(50)
  await panel.call('console.watch', { ...panel.ref, limit: 0 })
  await expect.poll(() => linesSent(panel).length, { timeout: 10_000 }).toBe(50)
  const again = await panel.restart()
  write(20)
  const { pieces } = await again.call('console.watch', { ...panel.ref, limit: 10_000 })
  const shown = () => [...numbersIn(pieces), ...linesSent(again)]
  await expect.poll(() => shown().at(-1), { timeout: 10_000 }).toBe(69)
  expect(shown()).toEqual(upTo(70))
})

test('whatever comes through the socket is read or left, and never ends the console', async () => {
  const panel = await signedIn()
  const { call, host, server, ref, seen } = panel
  const { write } = writerOf(panel)
  write(3)
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => linesSent(panel).length, { timeout: 10_000 }).toBe(3)
  const frames = ['', '[]', 'null', '{"type":5}', '{"type":"started","stream":"other"}', '\u0000']
  for (const { socket } of host.lines) for (const frame of frames) socket.send(frame)
  for (const stream of ['console', 'stats', 'tick'])
    for (const type of ['line', 'stats', 'tick'])
      for (const data of [null, {}, -1, { memory: null }]) host.tell(server, { stream, type, data })
  host.tell(server, { stream: 'status', type: 'status', data: { id: server.id, status: 'x' } })
  host.tell(server, {
    stream: 'console',
    type: 'line',
    data: `${'x'.repeat(100_000)}\n[00:00:03 INFO]: line 3`,
  })
  await expect.poll(() => linesSent(panel).at(-1)).toBe(3)
  expect(JSON.stringify(seen)).not.toContain('x'.repeat(20_001))
  // A frame beyond the limit ends the connection, which is made again.
  host.tell(server, { stream: 'console', type: 'line', data: 'y'.repeat(5 * 1024 * 1024) })
  await expect.poll(() => host.lines.size).toBe(0)
  await expect.poll(() => host.lines.size, { timeout: 15_000 }).toBe(1)
})

test('a run that nobody heard is in the console once the server is seen at rest', async () => {
  const panel = await signedIn()
  const { call, host, server, ref } = panel
  const { write } = writerOf(panel)
  write(5)
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => linesSent(panel).length, { timeout: 10_000 }).toBe(5)
  host.cut()
  write(30)
  host.enter(server, 0)
  await expect.poll(() => linesSent(panel).at(-1), { timeout: 15_000 }).toBe(34)
  expect(linesSent(panel)).toEqual(upTo(35))
})
