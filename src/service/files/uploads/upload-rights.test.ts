import path from 'node:path'
import { arrayBuffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { expect, test } from 'vitest'
import { metadata, namesIn, patchHeaders, RawTus, stagingOf, startUploads } from './uploads.fixture.ts'

async function tarOf(name: string, data: string): Promise<Uint8Array<ArrayBuffer>> {
  const tar = pack()
  tar.entry({ name }, data)
  tar.finalize()
  return new Uint8Array(await arrayBuffer(tar as unknown as AsyncIterable<Uint8Array> as never))
}

test('an upload belongs to its account and its server, and each request needs a token', async () => {
  const it = await startUploads()
  const { tus } = it
  const { headers } = await tus.create(10, { path: 'a.dat' })
  const location = headers.location ?? ''
  const id = location.split('/').at(-1)
  const other = await it.account('ben@example.org')
  const created = await it.call('POST /servers', {
    token: other,
    body: { name: 'His', software: { id: 'demo', version: '1.20.4' }, memoryMb: 512 },
  })
  const his = new RawTus(it.baseUrl, String(created.body.id), other)
  for (const method of ['HEAD', 'PATCH', 'DELETE']) {
    const extra = method === 'PATCH' ? patchHeaders(0) : {}
    const body = method === 'PATCH' ? Buffer.from('12') : null
    const status = async (on: RawTus, target: string, more = {}) =>
      (await on.send(method, target, { ...extra, ...more }, body)).status
    expect(await status(tus, location, { Authorization: 'Bearer nonsense' })).toBe(401)
    expect(await status(his, location)).toBe(404)
    expect(await status(his, `${his.uploads}/${id}`)).toBe(404)
    expect(await status(tus, `${tus.uploads}/..%2f..%2fservice.db`)).toBe(404)
  }
  expect((await his.create(5, { path: 'a' })).status).toBe(201)
  expect((await tus.send('GET', location)).status).toBe(405)
  expect(await tus.offset(location)).toBe(0)
})

test('nothing can be sent to the server of another account, or without a token', async () => {
  const it = await startUploads()
  const form = new FormData()
  form.set('path', 'form.dat')
  form.set('file', new Blob(['1234']), 'x')
  const ways: [route: string, body: BodyInit | null, headers: Record<string, string>][] = [
    ['POST upload', null, { 'Upload-Length': '4', 'Upload-Metadata': metadata({ path: 'tus.dat' }) }],
    ['POST upload', form, {}],
    ['POST batch', await tarOf('batch.dat', '1234'), { 'Content-Type': 'application/x-tar' }],
    ['PUT content path=put.dat', '1234', { 'Content-Type': 'application/octet-stream' }],
  ]
  const other = await it.account('eve@example.org')
  const send = async (token: string | null, [route, body, headers]: (typeof ways)[number]) => {
    const [method, word = '', query = ''] = route.split(' ')
    const sent = new Headers({ ...headers, ...(token !== null && { Authorization: `Bearer ${token}` }) })
    if (route === 'POST upload' && body === null) sent.set('Tus-Resumable', '1.0.0')
    const target = `${it.baseUrl}/servers/files/${word}/${it.serverId}?${query}`
    const answer = await fetch(target, { method: method ?? '', headers: sent, body })
    const text = await answer.text()
    return [answer.status, answer.ok ? null : JSON.parse(text).error.code]
  }
  for (const way of ways) {
    expect(await send(other, way), way[0]).toEqual([404, 'server.not-found'])
    expect(await send('nonsense', way), way[0]).toEqual([401, 'auth.token-invalid'])
    expect(await send(null, way), way[0]).toEqual([401, 'auth.token-missing'])
  }
  expect(await namesIn(it.root)).toEqual([])
  expect(await namesIn(path.dirname(stagingOf(it))).catch(() => [])).toEqual([])
  // It was refused for who asked, not for how.
  for (const way of ways) expect((await send(it.token, way))[1], way[0]).toBe(null)
  expect(await namesIn(it.root)).toEqual(['batch.dat', 'form.dat', 'put.dat'])
})
