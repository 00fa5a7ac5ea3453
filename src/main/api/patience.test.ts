import { expect, it, onTestFinished } from 'vitest'
import { answerJson, oddService } from '../../../tests/doubles/services/odd-service.ts'
import { api } from '../../contract/areas/index.ts'
import { ApiClient, type Reachability } from './client.ts'
import { makeDispatcher } from './requests/transport.ts'
import { systemClock } from '../base/retry.ts'

/** A client of a service that breaks so many connections before it answers, and how that service was found. */
async function clientAfter(broken: number) {
  let left = broken
  const service = await oddService({
    'GET /servers'(request, response) {
      if (left-- > 0) return void request.socket.destroy()
      answerJson(response, { items: [], nextCursor: null })
    },
  })
  const reaches: Reachability['kind'][] = []
  const dispatcher = makeDispatcher()
  const client = new ApiClient({
    baseUrl: service.baseUrl,
    dispatcher,
    token: async () => 'good',
    clock: { ...systemClock, sleep: async () => undefined },
    onReach: ({ kind }) => reaches.push(kind),
  })
  client.trust()
  onTestFinished(async () => {
    client.close()
    await service.close()
    await dispatcher.close()
  })
  return { client, reaches }
}

it('a connection that breaks once does not say that the service is away', async () => {
  const { client, reaches } = await clientAfter(1)
  await client.send(api.servers.list, { query: {} })
  expect(reaches).toEqual(['reached'])
})

it('a service that breaks every try is told to be away once', async () => {
  const { client, reaches } = await clientAfter(3)
  await expect(client.send(api.servers.list, { query: {} })).rejects.toMatchObject({
    problem: { code: 'offline' },
  })
  expect(reaches).toEqual(['failed'])
})
