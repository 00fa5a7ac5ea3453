import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { reachService, receivePanel } from './handshake.ts'
import type { LineChannel } from './line-channel.ts'
import { newSecret } from './endpoint-file.ts'

/** What the background service listens with, and who was let in. */
async function listening() {
  const [secret, proven] = [newSecret(), [] as LineChannel[]]
  const portOf = () => (service.address() as AddressInfo).port
  const service = createServer((socket) =>
    receivePanel(socket, { port: portOf(), secret }, (panel) => proven.push(panel)),
  )
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  onTestFinished(() => {
    for (const panel of proven) panel.hangUp()
    service.close()
  })
  return { port: portOf(), secret, proven }
}

it.each([
  ['as many characters as a proof has, of more bytes', 'é'.repeat(43)],
  ['halves of characters', '\ud800'.repeat(43)],
  ['other bytes', '-'.repeat(43)],
])('who proves nothing is hung up on, and whoever knows the secret is let in: %s', async (_what, proof) => {
  const { port, secret, proven } = await listening()
  const stranger = connect(port, '127.0.0.1')
  stranger.write(`${JSON.stringify({ type: 'hello', nonce: newSecret() })}\n`)
  await once(stranger, 'data')
  const isGone = once(stranger, 'close')
  stranger.write(`${JSON.stringify({ type: 'proof', nonce: newSecret(), proof })}\n`)
  await isGone
  expect(proven).toEqual([])
  const panel = await reachService({ port, secret, pid: 1, version: 'test' })
  onTestFinished(() => panel?.hangUp())
  expect(panel).not.toBeNull()
})

it('a panel hangs up on a service whose proof is of more bytes than it has characters', async () => {
  const stranger = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write(`${JSON.stringify({ type: 'proof', nonce: newSecret(), proof: 'é'.repeat(43) })}\n`)
  })
  stranger.listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  onTestFinished(() => void stranger.close())
  const { port } = stranger.address() as AddressInfo
  expect(await reachService({ port, secret: newSecret(), pid: 1, version: 'test' })).toBeNull()
})
