import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PterodactylPanel } from '../../../tests/doubles/hosts/pterodactyl/panel.ts'
import { outgoingNetwork } from '../../host/network/outgoing.ts'
import { WingsSocket, type WingsPorts } from './wings-socket.ts'

async function opened(more: Partial<WingsPorts> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'wings-'))
  const host = await PterodactylPanel.open()
  const { uuid } = host.add(folder)
  let asked = 0
  let ready = 0
  const heard: string[] = []
  const socket = new WingsSocket({
    token: () => {
      asked++
      return Promise.resolve(host.wings.token(uuid))
    },
    async *origins() {
      yield host.address
    },
    dial: outgoingNetwork({ timeout: 5000, envProxy: false }).dial,
    onReady: () => void ready++,
    onMessage: (event, args) => void heard.push([event, ...args].join(' ')),
    onBreak: () => undefined,
    onSuspended: () => undefined,
    ...more,
  })
  onTestFinished(async () => {
    socket.close()
    await host.close()
    rmSync(folder, { recursive: true })
  })
  return { host, uuid, socket, heard, asked: () => asked, ready: () => ready }
}

test('a token that is about to end is renewed on the same connection', async () => {
  const { host, uuid, heard, asked, ready } = await opened()
  host.wings.everyMs = 1
  await expect.poll(ready).toBe(1)
  const [line] = host.wings.lines
  host.wings.tell(uuid, 'token expiring')
  await expect.poll(asked).toBe(2)
  line!.until = 0
  host.wings.tell(uuid, 'console output', 'too late for the old token')
  await expect.poll(asked).toBe(3)
  await expect.poll(() => line!.until).toBeGreaterThan(Date.now())
  host.wings.tell(uuid, 'console output', 'heard again')
  await expect.poll(() => heard).toContain('console output heard again')
  // What was not sent meanwhile has to be had from elsewhere.
  expect([host.wings.lines.size, ready()]).toEqual([1, 2])
})

test('no more tokens are asked for than a panel gives', async () => {
  const { host, ready, asked } = await opened({ tokensMost: 2 })
  await expect.poll(ready).toBe(1)
  host.wings.cut()
  await expect.poll(ready, { timeout: 5000 }).toBe(2)
  host.wings.cut()
  await expect.poll(() => host.wings.lines.size).toBe(0)
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(asked()).toBe(2)
})

test('a connection that has died without a word is made anew', async () => {
  const { host, ready } = await opened({ pingMs: 300 })
  await expect.poll(ready).toBe(1)
  host.wings.freeze()
  await expect.poll(ready, { timeout: 10_000 }).toBe(2)
})

test('a machine that never accepts the token is left, and tried again', async () => {
  const breaks: unknown[] = []
  const { host, uuid, heard } = await opened({
    readyMs: 300,
    token: () => Promise.resolve({ ...host.wings.token(uuid), token: 'another' }),
    onBreak: (refusal) => void breaks.push(refusal),
  })
  await expect.poll(() => breaks.length, { timeout: 10_000 }).toBeGreaterThan(0)
  expect(heard).toEqual([])
})

test('what is no frame is passed over', async () => {
  const { host, uuid, ready, heard } = await opened()
  await expect.poll(ready).toBe(1)
  for (const { socket } of host.wings.lines)
    for (const frame of ['', '{', '[]', 'null', '{"event":7}', '{"event":"x","args":{"a":1}}'])
      socket.send(frame)
  host.wings.tell(uuid, 'console output', 'still here')
  await expect.poll(() => heard).toContain('console output still here')
})
