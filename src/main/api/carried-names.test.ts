import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { api } from '../../contract/areas/index.ts'
import { ApiClient } from './client.ts'
import { makeDispatcher } from './requests/transport.ts'
import { parseProfile } from './profile/profile.ts'
import { requestFields } from './reader/shape.ts'
import { listen, reply } from './test-listener.ts'

const dispatcher = makeDispatcher()
afterAll(() => dispatcher.close())

const profileOf = (baseUrl: string, request: Record<string, string>) =>
  parseProfile(JSON.stringify({ baseUrl, operations: { 'files.upload': { request } } }))

test('a profile names what goes with the bytes of an upload, and the query of a protocol of its own', async () => {
  await using service = await listen((_request, response) => reply(response, 200, {}))
  const parsed = profileOf(service.baseUrl, { path: 'filename', file: 'upload' })
  const batch = parseProfile(
    JSON.stringify({
      baseUrl: service.baseUrl,
      operations: { 'files.batch': { request: { conflict: 'if_exists' } } },
    }),
  )
  if (!parsed.ok || !batch.ok) throw new Error('It can be used.')
  let profile = parsed.profile
  const options = { baseUrl: service.baseUrl, dispatcher, token: async () => 't', profile: () => profile }
  const client = new ApiClient(options)
  client.trust()
  const named = ['path', 'file', 'modifiedAt'].map((name) => client.nameOf(api.files.upload, name))
  expect(named).toEqual(['filename', 'upload', 'modifiedAt'])
  profile = batch.profile
  await client.raw(api.files.batch, {
    params: { serverId: 's' },
    query: { conflict: 'refuse' },
    body: Readable.from([Buffer.from('x')]),
  })
  expect(service.seen.at(-1)?.url).toBe('/api/v1/servers/files/batch/s?if_exists=refuse')
})

test.each(['a b', 'a"b', 'a,b', 'ä'])(
  'refuses the name %j, which no form and no header can carry',
  (name) => {
    const parsed = profileOf('https://example.com/api/v1', { path: name })
    expect(parsed.ok ? [] : parsed.faults.map(({ at }) => at.at(-1))).toEqual(['path'])
  },
)

test('every name that goes with bytes can be given another one', () => {
  expect(requestFields(api.files.upload)).toEqual(['path', 'modifiedAt', 'conflict', 'sha256', 'file'])
})
