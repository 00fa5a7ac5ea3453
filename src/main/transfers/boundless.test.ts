import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdir } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { openRoom } from './transfers.fixture.ts'

/** A service that means harm: it answers the two questions of a download, each in its own way. */
async function startService(answer: Record<'list' | 'content', (response: ServerResponse) => void>) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://service')
    if (pathname.startsWith('/api/v1/servers/files/content/')) return answer.content(response)
    if (pathname.startsWith('/api/v1/servers/files/')) return answer.list(response)
    response.writeHead(501, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ error: { code: 'feature.not-offered', message: 'No.', requestId: 'x' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
}

const page = (nextCursor: string | null) => (response: ServerResponse) => {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ items: [{ name: 'a', kind: 'file', size: 5 }], nextCursor }))
}

it('a download of which more comes than was said does not fill the disk', async () => {
  let sent = 0
  const baseUrl = await startService({
    list: page(null),
    content(response) {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' })
      const more = () => {
        sent += 65_536
        if (!response.destroyed) response.write(Buffer.alloc(65_536), () => setImmediate(more))
      }
      more()
    },
  })
  const { room, until, downloads } = await openRoom({ evil: { baseUrl, token: 't' } })
  await room.download({ connectionId: 'evil', serverId: 'one', paths: ['a'] })
  expect((await until(({ state }) => state === 'failed')).problem).toBeDefined()
  expect(sent).toBeLessThan(500 * 1024 * 1024)
  expect(await readdir(downloads)).toEqual([])
})

it('a list that never ends is given up', async () => {
  const baseUrl = await startService({ list: page('again'), content: (response) => response.end() })
  const { room } = await openRoom({ evil: { baseUrl, token: 't' } })
  await expect(room.download({ connectionId: 'evil', serverId: 'one', paths: ['b'] })).rejects.toMatchObject({
    problem: { code: 'incompatible' },
  })
})
