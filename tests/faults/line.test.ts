import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Line } from './line.ts'

const HOST = '127.0.0.1'

test('of an answer that never comes nothing comes, also not what is sent after its beginning', async () => {
  let service: Socket | null = null
  const server = createServer((socket) => {
    service = socket.on('error', () => undefined)
    socket.once('data', () => socket.write('beginning'))
  })
  await once(server.listen(0, HOST), 'listening')
  const line = await Line.open(HOST, () => (server.address() as AddressInfo).port)
  onTestFinished(() => line.close())
  onTestFinished(() => void server.close())
  const near = connect(line.port, HOST).on('error', () => undefined)
  let came = ''
  near.setEncoding('utf8').on('data', (text: string) => (came += text))
  const closed = new Promise((resolve) => near.once('close', resolve))
  const struck = line.after(1, 'answer', () => service?.end('rest'))
  near.write('question')
  await struck
  await closed
  expect(came).toBe('')
})
