import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Question } from '../../../extensions/requests/catalog-client.ts'
import { catalogs, MINUTE } from './kinds/catalogs.fixture.ts'

const given = async () => {
  const all = await catalogs()
  all.server.answerBelow('/modrinth/v2/echo', ({ method, body }) => ({ body: `${method} ${body}` }))
  const url = `${all.server.origin}/modrinth/v2/echo`
  const ask = (more: Partial<Question<string>>) =>
    all.client.get({ url, name: 'Modrinth', parse: (text) => text, ...more }, all.signal)
  return { ...all, ask }
}

test('JSON is sent as a POST, and its answer kept for the same JSON alone', async () => {
  const { server, clock, ask } = await given()
  expect(await ask({ body: '{"a":1}' })).toBe('POST {"a":1}')
  expect(await ask({ body: '{"a":1}' })).toBe('POST {"a":1}')
  expect(await ask({ body: '{"a":2}' })).toBe('POST {"a":2}')
  expect(await ask({})).toBe('GET ')
  expect(server.requests).toHaveLength(3)
  expect(server.requests[0]!.headers['content-type']).toBe('application/json')
  clock.ms += 11 * MINUTE
  await ask({ body: '{"a":1}' })
  expect(server.requests[3]!.headers['if-none-match']).toBeUndefined()
})

test('what is sent is not sent on to where a redirect leads', async () => {
  const { server, ask } = await given()
  server.fail('/modrinth/v2/echo', {
    kind: 'status',
    status: 307,
    headers: { location: '/modrinth/v2/other' },
  })
  await expect(ask({ body: '{}' })).rejects.toMatchObject({ status: 502 })
  expect(server.requests).toHaveLength(1)
})

test('that there is no such thing is an answer where the question says so, and is kept like one', async () => {
  const { server, clock, ask } = await given()
  const url = `${server.origin}/modrinth/v2/nothing`
  expect(await ask({ url, absent: 'none' })).toBe('none')
  expect(await ask({ url, absent: 'none' })).toBe('none')
  expect(server.requests).toHaveLength(1)
  clock.ms += 11 * MINUTE
  server.put('/modrinth/v2/nothing', 'something')
  expect(await ask({ url, absent: 'none' })).toBe('something')
})

test('bytes come as they are, and no more of them than the question allows', async () => {
  const { server, ask, folder } = await given()
  const bytes = Buffer.from([0, 255, 128, 10])
  const url = server.put('/modrinth/a.bin', bytes)
  const parse = (base64: string) => Buffer.from(base64, 'base64').toString('hex')
  expect(await ask({ url, parse, isBinary: true, mostBytes: 4 })).toBe('00ff800a')
  const other = server.put('/modrinth/b.bin', bytes)
  await expect(ask({ url: other, parse, isBinary: true, mostBytes: 3 })).rejects.toMatchObject({
    status: 502,
  })
  expect(readdirSync(folder)).toHaveLength(1)
})
