import { truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { TestService } from '../../service.fixture.ts'
import { type Person, shared } from '../../areas/access/access.fixture.ts'

/** Reads the events of a server as somebody; `until` resolves with all that was told once a text was. */
async function listen({ baseUrl }: TestService, serverId: string, by: Pick<Person, 'token'>) {
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  const { body } = await fetch(`${baseUrl}/servers/events?servers=${serverId}`, {
    headers: { Authorization: `Bearer ${by.token}` },
    signal: closing.signal,
  })
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function until(sign: string): Promise<string> {
    while (!text.includes(sign)) {
      const next = await reader.read()
      if (next.done) throw new Error(`It ended without ${sign}: ${text}`)
      text += next.value
    }
    return text
  }
  async function ended(): Promise<string> {
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value
    return text
  }
  await until('event: status')
  return { until, ended }
}

const READ = /event: changed\ndata: (.*)/g
const changes = (text: string): string[] =>
  [...text.matchAll(READ)].flatMap(([, data]) => (JSON.parse(data!) as { reads: string[] }).reads)

test('others are told which reads a write has made old, and only those that they may ask; who wrote is not', async () => {
  const { service, serverId, owner, other, share } = await shared()
  await share(other, ['files.read'])
  const again = await service.call('POST /auth/login', {
    body: { email: owner.email, password: 'correct horse battery' },
  })
  const elsewhere = { token: String(again.body.token) }
  const [writer, sameAccount, member] = await Promise.all([
    listen(service, serverId, owner),
    listen(service, serverId, elsewhere),
    listen(service, serverId, other),
  ])
  const folder = (path: string, by: Person) =>
    service.call(`POST /servers/files/folder/${serverId}`, { token: by.token, body: { path } })
  await service.call(`PATCH /servers/config/${serverId}`, {
    token: owner.token,
    body: { memoryMb: 1024 },
    headers: { 'If-Match': '*' },
  })
  await folder('a', owner)
  expect(changes(await sameAccount.until('files.list'))).toContain('servers.read-config')
  const told = changes(await member.until('files.list'))
  expect(told).not.toContain('servers.read-config')
  expect(told).toContain('files.list')
  // What the member does is the first that the writer is told.
  await service.call(`POST /servers/files/folder/${serverId}`, {
    token: elsewhere.token,
    body: { path: 'b' },
  })
  expect(await writer.until('event: changed')).not.toContain('servers.read-config')
})

test('however much is written, it is told once a second', async () => {
  const { service, serverId, owner, other, share } = await shared()
  await share(other, ['files.read'])
  const member = await listen(service, serverId, other)
  const began = performance.now()
  for (let at = 0; at < 30; at++)
    await service.call(`POST /servers/files/folder/${serverId}`, {
      token: owner.token,
      body: { path: `f${at}` },
    })
  await service.call(`PATCH /servers/access/${serverId}/${other.id}`, {
    token: owner.token,
    body: { scopes: ['files.read', 'control.start'] },
  })
  const text = await member.until('servers.read"')
  // One for each second, one at once, and one that was on its way when what is held was changed.
  const seconds = Math.ceil((performance.now() - began) / 1000)
  expect([...text.matchAll(READ)].length).toBeLessThanOrEqual(seconds + 2)
})

test('a member who is refused something has changed nothing but the log, and others are told of that alone', async () => {
  const { service, serverId, owner, other, share } = await shared()
  await share(other, ['files.read'])
  const watcher = await listen(service, serverId, owner)
  const folder = await service.call(`POST /servers/files/folder/${serverId}`, {
    token: other.token,
    body: { path: 'a' },
  })
  expect(folder.status).toBe(403)
  await service.call(`POST /servers/access/leave/${serverId}`, { token: other.token })
  const told = changes(await watcher.until('access.list'))
  expect(told).toContain('activity.list')
  expect(told).not.toContain('files.list')
})

test('who holds something else now is told that all is old, and the stream ends where it told too much', async () => {
  const { service, serverId, owner, other, share, change, remove } = await shared()
  await share(other, ['console.read'])
  const more = await listen(service, serverId, other)
  await change(owner, other.id, ['console.read', 'control.start'])
  expect(changes(await more.until('event: changed'))).toEqual(
    expect.arrayContaining(['servers.list', 'servers.read', 'files.list']),
  )
  await change(owner, other.id, ['stats.read'])
  expect(changes(await more.ended())).toContain('console.history')
  const last = await listen(service, serverId, other)
  await remove(owner, other.id)
  expect(changes(await last.ended())).toContain('servers.list')
  const refused = await service.call(`GET /servers/events?servers=${serverId}`, { token: other.token })
  expect(refused.status).toBe(404)
})

test('who accepts an invitation is told of to those who see the server', async () => {
  const { service, serverId, owner, other, share } = await shared()
  const watcher = await listen(service, serverId, owner)
  await share(other, ['server.read'])
  expect(changes(await watcher.until('access.list'))).toEqual([
    'servers.list',
    'access.list',
    'activity.list',
  ])
})

test('whom a server was shared with is told that it was deleted', async () => {
  const { service, serverId, owner, other, share } = await shared()
  await share(other, ['server.read'])
  const member = await listen(service, serverId, other)
  const { status } = await service.call(`DELETE /servers/${serverId}?confirm=Mine`, { token: owner.token })
  expect(status).toBe(204)
  expect(changes(await member.ended())).toEqual(['servers.list'])
})

test('a download that is under way is cut off when its scope is taken away', async () => {
  const { service, serverId, owner, other, share, change } = await shared()
  await share(other, ['files.read', 'files.write'])
  // More than fits between the two: most of it is still to be sent.
  const file = path.join(service.service.dataDir, 'servers', serverId, 'big.bin')
  await writeFile(file, '')
  await truncate(file, 256 * 1024 * 1024)
  const begun = await fetch(`${service.baseUrl}/servers/files/content/${serverId}?path=big.bin`, {
    headers: { Authorization: `Bearer ${other.token}` },
  })
  expect(begun.status).toBe(200)
  await change(owner, other.id, ['stats.read'])
  await expect(begun.arrayBuffer()).rejects.toThrow()
})

test('others are told that the log is old: what was done, what was refused, and who accepted', async () => {
  const { service, serverId, owner, other, third, share, invite, offers, answer } = await shared()
  await share(other, ['activity.read'])
  const reader = await listen(service, serverId, other)
  await service.call(`POST /servers/files/folder/${serverId}`, { token: owner.token, body: { path: 'a' } })
  expect(changes(await reader.until('activity.list'))).toEqual(['activity.list'])
  await invite(owner, third.email, ['server.read'])
  const [offer] = await offers(third)
  const inviting = await listen(service, serverId, other)
  await answer(third, offer.id)
  // With whom it is shared is not for this one to know.
  expect(changes(await inviting.until('activity.list'))).toEqual(['servers.list', 'activity.list'])
  const refusing = await listen(service, serverId, other)
  await service.call(`POST /servers/files/folder/${serverId}`, { token: third.token, body: { path: 'a' } })
  expect(changes(await refusing.until('activity.list'))).toEqual(['activity.list'])
})
