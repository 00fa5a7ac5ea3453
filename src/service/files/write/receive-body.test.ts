import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { chunksOf } from './receive-body.ts'

/** Sends parts of a body, ends it or not, and answers what the reader of it met. */
async function meet(
  parts: string[],
  end: (asking: ReturnType<typeof request>, begun: Promise<void>) => void,
  silenceMs: number,
) {
  const begun = Promise.withResolvers<void>()
  const met = Promise.withResolvers<string>()
  const server = createServer((incoming: IncomingMessage, answer) => {
    void (async () => {
      let text = ''
      try {
        for await (const chunk of chunksOf(incoming, silenceMs)) {
          text += chunk.toString()
          begun.resolve()
        }
        met.resolve(text)
      } catch (error) {
        met.resolve((error as { code: string }).code)
      }
      answer.end('answered')
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close(() => {}))
  const asking = request({
    port: (server.address() as AddressInfo).port,
    method: 'PUT',
    headers: { 'Content-Length': 9 },
  })
  asking.on('error', () => {})
  const answered = new Promise<string>((resolve) => {
    asking.on('response', (response) => resolve(String(response.resume().statusCode)))
    asking.on('error', () => resolve('no answer'))
  })
  for (const part of parts) asking.write(part)
  end(asking, begun.promise)
  const result = [await met.promise, await answered]
  asking.destroy()
  server.closeAllConnections()
  return result
}

test('a body is handed on as it comes', async () => {
  expect(await meet(['123', '456789'], (asking) => asking.end(), 60_000)).toEqual(['123456789', '200'])
})

test('a body that stands still is given up after the limit of silence, and who sends it is answered', async () => {
  expect(await meet(['123'], () => {}, 50)).toEqual(['files.stalled', '200'])
})

test('a body that ends too early is cut off, never whole', async () => {
  const cut = (asking: ReturnType<typeof request>, begun: Promise<void>) =>
    void begun.then(() => asking.destroy())
  expect(await meet(['123'], cut, 60_000)).toEqual(['files.cut-off', 'no answer'])
})

test('what is written slowly here is no silence of the sender', async () => {
  const server = createServer((incoming, answer) => {
    void (async () => {
      let text = ''
      for await (const chunk of chunksOf(incoming, 300)) {
        text += chunk.toString()
        // Longer than the limit, with the rest of the body here already.
        if (text === '123') await new Promise((resolve) => setTimeout(resolve, 600))
      }
      answer.end(text)
    })().catch((error: Error) => answer.end(error.message))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close(() => {}))
  const answered = new Promise<string>((resolve, reject) => {
    const asking = request({ port: (server.address() as AddressInfo).port, method: 'PUT' }, (response) => {
      response.setEncoding('utf8').on('data', resolve)
    })
    asking.on('error', reject).write('123')
    void setImmediate().then(() => asking.end('456'))
  })
  expect(await answered).toBe('123456')
})

test('of a body that was handed on nothing stays in memory while the rest comes', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const [pieces, size] = [100, 65_536]
  const seen: WeakRef<Buffer>[] = []
  const alive = Promise.withResolvers<number>()
  const server = createServer((incoming, answer) => {
    void (async () => {
      let received = 0
      for await (const chunk of chunksOf(incoming)) {
        seen.push(new WeakRef(chunk))
        received += chunk.length
        if (received < pieces * size) continue
        // What a turn looked at is held until it is over.
        await setImmediate()
        collect()
        alive.resolve(seen.filter((one) => one.deref()).length)
        break
      }
      answer.end()
    })().catch(alive.reject)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close(() => {}))
  const asking = request({ port: (server.address() as AddressInfo).port, method: 'PUT' })
  asking.on('error', () => {})
  for (let i = 0; i < pieces; i++) asking.write(Buffer.alloc(size, i))
  expect(await alive.promise).toBeLessThan(seen.length / 10)
  expect(seen.length).toBeGreaterThan(50)
  asking.destroy()
  server.closeAllConnections()
})
