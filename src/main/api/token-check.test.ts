import { describe, expect, test } from 'vitest'
import { account } from '../../contract/areas/account.ts'
import { servers } from '../../contract/areas/servers.ts'
import { ApiClient } from './client.ts'
import { dispatcher, service, user } from './client.fixture.ts'
import { listen, refusal, reply } from './test-listener.ts'
import { thrownProblem } from './thrown-problem.fixture.ts'

describe('the token check', () => {
  test('runs once before the first protected read, and all reads wait for it', async () => {
    await using at = await service((_request, response) =>
      reply(response, 200, { items: [], nextCursor: null }),
    )
    await Promise.all([at.client.send(servers.list, {}), at.client.send(servers.list, {})])
    await at.client.send(servers.list, {})
    const paths = at.listener.seen.map((seen) => seen.url)
    expect(paths[0]).toBe('/api/v1/users/me')
    expect(paths.filter((path) => path.endsWith('/me'))).toHaveLength(1)
    expect(paths).toHaveLength(4)
  })

  test('that is refused keeps every protected read off the network', async () => {
    await using at = await service((_request, response) => reply(response, 200, {}), {
      token: async () => 'dead',
    })
    expect((await thrownProblem(at.client.send(servers.list, {}))).code).toBe('signed-out')
    expect((await thrownProblem(at.client.send(servers.list, {}))).code).toBe('signed-out')
    expect(at.listener.seen.map((seen) => seen.url)).toEqual(['/api/v1/users/me'])
  })

  test('falls back to the notifications, then to the first protected read', async () => {
    const verdicts: string[] = []
    await using at = await listen((request, response) => {
      if (request.path === '/servers') reply(response, 401, refusal('auth.required'))
      else reply(response, 404)
    })
    const client = new ApiClient({
      baseUrl: at.baseUrl,
      dispatcher,
      token: async () => 'dead',
      onVerdict: ({ kind }) => verdicts.push(kind),
    })
    expect((await thrownProblem(client.send(servers.status, { params: { serverId: 's' } }))).code).toBe(
      'signed-out',
    )
    expect(at.seen.map((seen) => seen.url)).toEqual([
      '/api/v1/users/me',
      '/api/v1/notifications/me',
      '/api/v1/servers',
    ])
    expect(verdicts).toEqual(['rejected'])
  })

  test('confirms a 401: a wrong password within a session does not end it', async () => {
    const verdicts: string[] = []
    await using at = await service(
      (_request, response) => reply(response, 401, refusal('password.wrong', 'Wrong.')),
      {
        onVerdict: ({ kind }) => verdicts.push(kind),
      },
    )
    const change = { body: { currentPassword: 'x', newPassword: 'long enough, this' } }
    const fault = await thrownProblem(at.client.send(account.updatePassword, change))
    expect(fault).toMatchObject({ code: 'invalid', serviceCode: 'password.wrong' })
    expect(verdicts).toEqual(['valid', 'valid'])
  })

  test('that cannot be asked after a 401 ends nothing', async () => {
    const verdicts: string[] = []
    let checks = 0
    await using at = await listen(({ path }, response) => {
      if (path === '/users/password') reply(response, 401)
      else if (path === '/users/me' && checks++ === 0) reply(response, 200, user)
      else reply(response, 500)
    })
    const client = new ApiClient({
      baseUrl: at.baseUrl,
      dispatcher,
      token: async () => 'good',
      onVerdict: ({ kind }) => verdicts.push(kind),
    })
    const change = { body: { currentPassword: 'x', newPassword: 'long enough, this' } }
    expect((await thrownProblem(client.send(account.updatePassword, change))).code).toBe('service-failed')
    expect(verdicts).toEqual(['valid', 'failed'])
  })

  test('that waits is not taken for the verdict on a newer token', async () => {
    let token = 'dead'
    const release: (() => void)[] = []
    const asked = Promise.withResolvers<void>()
    await using at = await listen((request, response) => {
      if (request.path !== '/users/me') return reply(response, 200, { items: [], nextCursor: null })
      if (request.headers.authorization === 'Bearer good') return reply(response, 200, user)
      release.push(() => reply(response, 401))
      asked.resolve()
    })
    const client = new ApiClient({ baseUrl: at.baseUrl, dispatcher, token: async () => token })
    const reading = client.send(servers.list, {})
    await asked.promise
    token = 'good'
    client.trust()
    release.forEach((go) => go())
    expect((await reading).value.items).toEqual([])
  })
})
