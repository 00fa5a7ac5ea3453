import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createPanel, type Panel } from '../main/panel/panel.ts'
import { testPorts } from '../main/panel/panel.fixture.ts'
import { letIn, type PageSession } from './let-in.fixture.ts'
import { serveWeb, type WebServer, metaOf } from './server.ts'

let folder: string
let panel: Panel
let web: WebServer
let own: PageSession

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'web-'))
  await mkdir(path.join(folder, 'page'))
  await writeFile(path.join(folder, 'page/browser.html'), '<html><head></head></html>')
  panel = await createPanel(testPorts(folder))
  web = await serveWeb(panel, path.join(folder, 'page'), 0)
  own = await letIn(web.address)
})
afterEach(async () => {
  await web.close()
  await panel.close()
  await rm(folder, { recursive: true, force: true })
})

const port = () => Number(new URL(own.origin).port)

/** A connection of anybody on this computer, with what it has sent. */
async function stranger(sent = ''): Promise<Socket> {
  const socket = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => socket.destroy())
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  if (sent !== '') await new Promise((resolve) => socket.write(sent, resolve))
  return socket
}
const upgrade = (more = '') =>
  `GET /socket HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`

/** Makes a call as the page does, over a socket of its own. */
async function pageCalls(): Promise<unknown> {
  const socket = new WebSocket(`${own.origin.replace('http', 'ws')}/socket`, ...own.socket)
  await once(socket, 'open')
  socket.send(JSON.stringify({ id: 1, name: 'app.info' }))
  const [said] = await once(socket, 'message')
  socket.close()
  return JSON.parse(String(said))
}

describe('whoever reaches the port', () => {
  it('ends nothing by a reset while its upgrade is refused', async () => {
    for (let at = 0; at < 40; at++) {
      const socket = await stranger(upgrade())
      if (at % 2 === 0) await once(socket, 'data')
      socket.resetAndDestroy()
    }
    expect(await pageCalls()).toMatchObject({ outcome: { ok: true } })
  })

  it('holds no connection whose upgrade was refused, though it never closes its side', async () => {
    const socket = await stranger(upgrade())
    let said = ''
    socket.on('data', (data) => (said += String(data)))
    await once(socket, 'end')
    expect(said).toMatch(/^HTTP\/1\.1 403 /)
    // Our side is gone altogether: what comes now has nowhere to go.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write('more', () => socket.write('and more'))
    await closed
  })

  it('holds no connection by headers that do not come to an end', async () => {
    const silent = await stranger()
    const half = await stranger(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nX-Slow: `)
    await Promise.all([text(silent), text(half)])
  })

  it('holds no connection by a body that is refused', async () => {
    const head = `POST /uploads HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nContent-Length: 1000000\r\n\r\n`
    expect(await text(await stranger(head))).toMatch(/^HTTP\/1\.1 403 /)
  })

  it('is a stranger for as long as it has the cookie alone, wherever it asks', async () => {
    const { cookie, origin } = own
    const head = `GET /uploads HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nCookie: ${cookie}\r\n\r\n`
    const first = await stranger(head)
    let said = ''
    first.on('data', (data) => (said += String(data)))
    await once(first, 'data')
    expect(said).toMatch(/^HTTP\/1\.1 404 /)
    const gone = once(first, 'end')
    await Promise.all(Array.from({ length: 300 }, () => stranger('GET / HTTP/1.1\r\n')))
    await gone
  })

  it('loses the oldest connection to a flood of them, and the page is answered all the same', async () => {
    const first = await stranger('GET / HTTP/1.1\r\n')
    const gone = text(first)
    const flood: Promise<Socket>[] = []
    for (let at = 0; at < 300; at++) flood.push(stranger('GET / HTTP/1.1\r\n'))
    await Promise.all(flood)
    // One that ran out of time would have been told so.
    expect(await gone).toBe('')
    expect(await pageCalls()).toMatchObject({ outcome: { ok: true } })
  })
})

describe("the page's key", () => {
  it('stands in the document that answers the code, and in nothing that the cookie can fetch', async () => {
    const { cookie, key, origin } = own
    const seen: string[] = []
    const ways: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'same-origin' },
      { origin },
      { authorization: 'Bearer ' },
    ]
    for (const at of [
      '/',
      `/${new URL(web.address).search}`,
      '/index.html',
      '/browser.html',
      '/socket',
      '/uploads',
    ])
      for (const more of ways) {
        const answer = await fetch(origin + at, { redirect: 'manual', headers: { cookie, ...more } })
        seen.push(JSON.stringify([...answer.headers]), await answer.text())
      }
    expect(seen.join('\n')).toContain('panel-run')
    expect(seen.join('\n')).not.toContain(key)
  })

  it('is needed for the socket: the cookie alone is refused before there is one', async () => {
    for (const protocols of [[], ['wheelhouse'], ['wheelhouse', own.cookie.split('=')[1] ?? '']]) {
      const socket = new WebSocket(`${own.origin.replace('http', 'ws')}/socket`, protocols, own.socket[1])
      const [error] = (await once(socket, 'error')) as [Error]
      expect(error.message).toContain('403')
    }
  })

  it('is needed for every file that is brought', async () => {
    const { cookie, origin } = own
    for (const method of ['POST', 'PUT', 'DELETE'])
      for (const at of ['/uploads', '/uploads/t/1']) {
        const answer = await fetch(origin + at, { method, headers: { cookie, origin }, body: '{}' })
        expect([answer.status, await answer.text()]).toEqual([403, 'Only reading is allowed here.\n'])
      }
  })

  it('is told with the run it belongs to, by which a page knows an old one', async () => {
    const page = await (await fetch(own.origin, { headers: { cookie: own.cookie } })).text()
    expect(metaOf(page, 'panel-run')).toMatch(/^[\w-]{12}$/)
    expect(metaOf(page, 'page-key')).toBeNull()
  })
})

describe('the policy of the page', () => {
  it('lets in scripts of its own origin, and no other', async () => {
    const policyOf = async (at: string) => {
      const answer = await fetch(own.origin + at, { headers: { cookie: own.cookie } })
      return /script-src [^;]*/.exec(answer.headers.get('Content-Security-Policy') ?? '')?.[0]
    }
    for (const at of ['/', '/nowhere']) expect(await policyOf(at)).toBe("script-src 'self'")
  })
})

describe('the socket of a page', () => {
  it('answers each of many calls made at once', async () => {
    const socket = new WebSocket(`${own.origin.replace('http', 'ws')}/socket`, ...own.socket)
    await once(socket, 'open')
    const ids = new Set(Array.from({ length: 3000 }, (_, id) => id))
    const answered = new Promise<void>((resolve) =>
      socket.on('message', (data: Buffer) => {
        const { id } = JSON.parse(data.toString()) as { id?: number }
        if (id !== undefined && ids.delete(id) && ids.size === 0) resolve()
      }),
    )
    for (const id of ids) socket.send(JSON.stringify({ id, name: 'settings.read' }))
    await answered
    socket.close()
  })

  it('is closed by what is no call, and the panel goes on', async () => {
    for (const message of ['', '{', '[]', '{"id":"1","name":"app.info"}', '\u0000'.repeat(100_000)]) {
      const socket = new WebSocket(`${own.origin.replace('http', 'ws')}/socket`, ...own.socket)
      await once(socket, 'open')
      socket.send(message)
      const [code] = (await once(socket, 'close')) as [number]
      expect(code).toBe(1008)
    }
    expect(await pageCalls()).toMatchObject({ outcome: { ok: true } })
  })

  it('is one of at most a hundred', async () => {
    const sockets = Array.from(
      { length: 101 },
      () => new WebSocket(`${own.origin.replace('http', 'ws')}/socket`, ...own.socket),
    )
    const came = await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<boolean>((resolve) =>
            socket.once('open', () => resolve(true)).once('error', () => resolve(false)),
          ),
      ),
    )
    expect(came.filter(Boolean)).toHaveLength(100)
    for (const socket of sockets) socket.terminate()
  })
})

describe('files of a page', () => {
  it('are announced by at most four requests at the same time, and a fifth is told so', async () => {
    const agent = new Agent({ maxSockets: Infinity })
    onTestFinished(() => agent.destroy())
    const begin = () => {
      const sending = request(`${own.origin}/uploads`, {
        agent,
        method: 'POST',
        headers: { ...own.headers, 'content-length': 100 },
      })
      sending.on('error', () => undefined)
      sending.flushHeaders()
      return sending
    }
    const held = Array.from({ length: 4 }, begin)
    await expect
      .poll(async () => {
        const answer = await fetch(`${own.origin}/uploads`, {
          method: 'POST',
          headers: own.headers,
          body: '{}',
        })
        return await answer.json()
      })
      .toMatchObject({
        ok: false,
        problem: { code: 'refused', retryable: true, text: { key: 'page.too-many' } },
      })
    for (const sending of held) sending.destroy()
  })
})
