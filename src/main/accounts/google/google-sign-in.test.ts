import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen, refusal, reply } from '../../api/test-listener.ts'
import { makeDispatcher } from '../../api/requests/transport.ts'
import { thrownProblem } from '../../api/thrown-problem.fixture.ts'
import { Connections } from '../connections.ts'
import { recordsOf } from '../connections.fixture.ts'
import { memoryStore } from '../secret-store.ts'
import { listenForCallback } from './callback-listener.ts'

const ann = { id: 'u1', name: 'Ann', email: 'ann@example.com' }
const VERIFIED = 'the code that fits'

/** A service that has sent a browser to the panel already, and what it wants beside the code. */
async function service(
  wants: { password?: string; secondFactor?: string } = {},
  held: (what: string) => Promise<void> = async () => {},
) {
  let challenge = ''
  const listener = await listen(async ({ method, path, url, headers, body }, response) => {
    const what = `${method} ${path.split('?')[0]}`
    await held(what)
    switch (what) {
      case 'GET /auth/google':
        challenge = new URL(url, 'http://x').searchParams.get('code_challenge') ?? ''
        return reply(response, 422, refusal('request.invalid'))
      case 'POST /auth/google/exchange': {
        const given = JSON.parse(body) as Record<string, string | undefined>
        const fits =
          createHash('sha256')
            .update(given['codeVerifier'] ?? '')
            .digest('base64url') === challenge
        if (given['code'] !== VERIFIED || !fits) return reply(response, 422, refusal('account.google-code'))
        if (wants.password !== given['password'])
          return reply(response, 409, refusal('account.google-password'))
        if (wants.secondFactor !== given['secondFactor'])
          return reply(response, 401, refusal('auth.second-factor'))
        return reply(response, 200, { token: 'a-good-token', user: ann })
      }
      case 'GET /users/me':
        if (headers.authorization === 'Bearer a-good-token') return reply(response, 200, ann)
        break
      case 'POST /auth/logout':
        if (headers.authorization === 'Bearer a-good-token') return reply(response, 204)
    }
    return reply(response, 404)
  })
  onTestFinished(() => listener.stop())
  return listener
}

async function panel() {
  const dispatcher = makeDispatcher()
  const opened: string[] = []
  const connections = new Connections({
    records: recordsOf(),
    secrets: memoryStore('A test keeps nothing.'),
    dispatcher,
    wipe: async () => {},
    openExternal: async (url) => void opened.push(url),
  })
  await connections.load()
  onTestFinished(async () => {
    connections.close()
    await dispatcher.close()
  })
  return { connections, google: connections.google, opened }
}

/** What the browser brings in the end. */
async function bring(at: string, values: Record<string, string>) {
  const asked = new URL(at).searchParams
  const url = new URL(asked.get('redirect_uri') ?? '')
  for (const [name, value] of Object.entries({ state: asked.get('state') ?? '', ...values }))
    url.searchParams.set(name, value)
  const answer = await fetch(url, { headers: { 'accept-language': 'de-AT,de;q=0.9' } })
  return { status: answer.status, text: await answer.text() }
}

describe('a sign-in through the browser', () => {
  test('makes a connection, and what passes on the way stays in main', async () => {
    const at = await service()
    const { google, opened, connections } = await panel()
    const begun = await google.begin(at.baseUrl)
    expect(begun).toMatchObject({ opened: true, url: opened[0] })
    // The browser goes there first.
    await fetch(begun.url)
    const finishing = google.finish({ id: begun.id, language: 'de' })
    const page = await bring(begun.url, { code: VERIFIED })
    expect(page.status).toBe(200)
    expect(page.text).toContain('Du kannst dieses Fenster schließen.')
    const outcome = await finishing
    expect(outcome).toMatchObject({ kind: 'signed-in', connection: { user: { name: 'Ann' } } })
    expect(JSON.stringify([begun, outcome, connections.list()])).not.toMatch(/a-good-token|codeVerifier/)
    expect(at.seen.find(({ url }) => url.endsWith('/auth/google/exchange'))?.headers['accept-language']).toBe(
      'de',
    )
    expect(await google.finish({ id: begun.id })).toEqual({ kind: 'ended', why: 'canceled' })
  })

  test('is asked for a password and a code, which can be given afterwards', async () => {
    const at = await service({ password: 'mine', secondFactor: '123456' })
    const { google } = await panel()
    const { id, url } = await google.begin(at.baseUrl)
    await fetch(url)
    await bring(url, { code: VERIFIED })
    expect(await google.finish({ id })).toEqual({ kind: 'asked', for: 'password' })
    expect(await google.finish({ id, password: 'mine' })).toEqual({ kind: 'asked', for: 'second-factor' })
    expect(await google.finish({ id, password: 'mine', code: '123456' })).toMatchObject({ kind: 'signed-in' })
  })

  test.for([
    ['access_denied', 'refused'],
    ['temporarily_unavailable', 'provider-down'],
    ['server_error', 'failed'],
    ['constructor', 'failed'],
  ] as const)('that ends with %s is %s', async ([error, why]) => {
    const at = await service()
    const { google } = await panel()
    const { id, url } = await google.begin(at.baseUrl)
    await bring(url, { error })
    expect(await google.finish({ id })).toEqual({ kind: 'ended', why })
  })

  test('whose code the service refuses says why', async () => {
    const at = await service()
    const { google } = await panel()
    const { id, url } = await google.begin(at.baseUrl)
    await bring(url, { code: 'of somebody else' })
    expect(await thrownProblem(google.finish({ id }))).toMatchObject({ serviceCode: 'account.google-code' })
  })

  test('ends when it is canceled and when another one is begun; who comes then is told that it is over', async () => {
    const at = await service()
    const { google } = await panel()
    const [first, second] = [await google.begin(at.baseUrl), await google.begin(at.baseUrl)]
    expect(await google.finish({ id: first.id })).toEqual({ kind: 'ended', why: 'canceled' })
    expect((await bring(first.url, { code: VERIFIED })).text).toContain('vorbei')
    const finishing = google.finish({ id: second.id })
    google.cancel(second.id)
    expect(await finishing).toEqual({ kind: 'ended', why: 'canceled' })
    expect(await bring(second.url, { code: VERIFIED })).toMatchObject({
      status: 400,
      text: expect.stringContaining('vorbei'),
    })
    expect(at.seen.filter(({ url }) => url.endsWith('/auth/google/exchange'))).toEqual([])
  })

  test.for(['POST /auth/google/exchange', 'GET /users/me'])(
    'that is canceled while the service answers %s makes no connection, and its token ends',
    async (what) => {
      const [reached, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const at = await service({}, async (asked) => {
        if (asked !== what) return
        reached.resolve()
        await letGo.promise
      })
      const { google, connections } = await panel()
      const begun = await google.begin(at.baseUrl)
      await fetch(begun.url)
      const finishing = google.finish({ id: begun.id })
      await bring(begun.url, { code: VERIFIED })
      await reached.promise
      google.cancel(begun.id)
      letGo.resolve()
      expect(await finishing).toEqual({ kind: 'ended', why: 'canceled' })
      expect(connections.list()).toEqual([])
      const ended = at.seen.filter(({ url }) => url.endsWith('/auth/logout'))
      expect(ended.map(({ headers }) => headers.authorization)).toEqual(['Bearer a-good-token'])
    },
  )

  test('is begun at a service that has it, and known not to be there at others', async () => {
    const { google } = await panel()
    expect(await google.offered((await service()).baseUrl)).toBe(true)
    for (const status of [200, 401, 404, 405, 500, 501]) {
      const other = await listen((_request, response) => reply(response, status, {}))
      expect(await google.offered(other.baseUrl), String(status)).toBe(false)
      await other.stop()
    }
    expect(await google.offered('http://127.0.0.1:1/api/v1')).toBe(false)
    expect(await thrownProblem(google.begin('http://example.com'))).toMatchObject({ code: 'bad-address' })
  })
})

describe('the listener for the browser', () => {
  const STATE = 's'.repeat(43)
  /** A request as anybody on this computer can make one. */
  function ask(to: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
    const { port } = new URL(to)
    return new Promise<number>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sent.on('error', reject).end()
    })
  }

  test('waits on, whatever strangers and other pages send', async () => {
    const listener = await listenForCallback(STATE)
    onTestFinished(() => listener.close())
    const at = listener.redirectUri
    const good = `/callback?code=a&state=${STATE}`
    for (const [path, headers, method] of [
      ['/'],
      ['/callback'],
      ['/callback?code=a'],
      [`/callback?code=a&state=${STATE.slice(1)}t`],
      [`/callbacks?code=a&state=${STATE}`],
      ['//'],
      [good, { host: 'evil.example' }],
      [good, { host: 'localhost' }],
      [good, {}, 'POST'],
    ] as [string, Record<string, string>?, string?][])
      expect(await ask(at, path, headers, method), path).toBe(400)
    expect(await ask(at, good)).toBe(200)
    expect(await listener.arrived).toEqual({ kind: 'code', code: 'a' })
    expect(await ask(at, good)).toBe(400)
  })

  test('no longer waits for who takes too long', async () => {
    const listener = await listenForCallback(STATE, 1)
    onTestFinished(() => listener.close())
    expect(await listener.arrived).toEqual({ kind: 'late' })
    expect(await ask(listener.redirectUri, `/callback?code=a&state=${STATE}`)).toBe(400)
  })

  test('takes the browser in while another program holds open as many connections as there may be', async () => {
    const listener = await listenForCallback(STATE)
    onTestFinished(() => listener.close())
    const at = listener.redirectUri
    const held = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const socket = connect(Number(new URL(at).port), '127.0.0.1')
        socket.on('error', () => undefined)
        await once(socket, 'connect')
        if (index % 2 === 0) socket.write('GET /callback?code=a HTTP/1.1\r\nX-Long: ')
        return socket
      }),
    )
    onTestFinished(() => held.forEach((socket) => socket.destroy()))
    expect(await ask(at, `/callback?code=a&state=${STATE}`)).toBe(200)
    expect(await listener.arrived).toEqual({ kind: 'code', code: 'a' })
  })

  test('listens on loopback alone, and is gone when it was closed', async () => {
    const listener = await listenForCallback(STATE)
    expect(listener.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
    listener.close()
    expect(await listener.arrived).toEqual({ kind: 'canceled' })
    await expect(ask(listener.redirectUri, '/callback')).rejects.toThrow('ECONNREFUSED')
  })
})
