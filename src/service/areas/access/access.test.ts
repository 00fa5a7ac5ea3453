import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SCOPES, type Scope } from '../../../contract/declarations/operation.ts'
import { RUNS_PROGRAMS } from '../../../contract/rules/scopes.ts'
import { heldClock, PASSWORD } from '../../service.fixture.ts'
import { Limiter } from '../../http/limits/limiter.ts'
import { countInvitation } from '../../hosting/sharing/rules.ts'
import { shared } from './access.fixture.ts'
import { INVITATION_MS } from '../../hosting/sharing/mails.ts'

test('who is invited gets a mail, accepts, and has the server with what was granted and nothing else', async () => {
  const { service, serverId, owner, other, invite, list, offers, answer } = await shared()
  const invited = await invite(owner, ' Other@Example.org', ['console.read'])
  expect(invited.body).toMatchObject({
    email: other.email,
    state: 'invited',
    role: ['server.read', 'console.read'],
  })
  const mail = (await service.mails()).at(-1)
  expect(mail).toContain('To: other@example.org')
  expect(mail).toContain('invites you to the server Mine')
  const get = (path: string) => service.call(`GET ${path}`, { token: other.token })
  expect((await get(`/servers/${serverId}`)).status).toBe(404)
  expect((await get('/servers')).body.items).toEqual([])
  const [offer] = await offers(other)
  expect(offer).toMatchObject({ server: { id: serverId, name: 'Mine' }, from: 'Ann' })
  expect((await answer(other, offer.id)).status).toBe(204)
  expect((await get('/servers')).body.items).toMatchObject([
    { id: serverId, role: ['server.read', 'console.read'] },
  ])
  expect((await get(`/servers/console/${serverId}`)).status).toBe(200)
  expect((await get(`/servers/files/${serverId}`)).status).toBe(403)
  expect(await list(owner)).toMatchObject([
    { id: owner.id, role: 'owner', you: true },
    { id: other.id, email: other.email, state: 'active', you: false },
  ])
  expect(await offers(other)).toEqual([])
})

test('an invitation is for the account of its address alone, can be declined, and ends', async () => {
  const clock = heldClock()
  const { owner, other, third, invite, list, offers, answer, code } = await shared({ clock })
  const { body } = await invite(owner, other.email, ['server.read'])
  expect(code(await answer(third, body.id))).toBe('404 access.not-found')
  expect((await answer(other, body.id, false)).status).toBe(204)
  expect(code(await answer(other, body.id))).toBe('404 access.not-found')
  const again = await invite(owner, other.email, ['server.read'])
  clock.forward(INVITATION_MS)
  expect(await offers(other)).toEqual([])
  expect(code(await answer(other, again.body.id))).toBe('404 access.not-found')
  expect((await list(owner))[1]).toMatchObject({ state: 'expired' })
  // Renewed it is the same one, and good again.
  expect((await invite(owner, other.email, ['stats.read'])).body).toMatchObject({
    id: again.body.id,
    state: 'invited',
    role: ['server.read', 'stats.read'],
  })
  expect(await offers(other)).toHaveLength(1)
})

test('an account that nobody has confirmed sees no invitation to its address', async () => {
  const { service, owner, invite } = await shared()
  await invite(owner, 'new@example.org', ['server.read'])
  await service.call('POST /auth/register', {
    body: { name: 'New', email: 'new@example.org', password: 'correct horse battery' },
  })
  const signIn = { email: 'new@example.org', password: 'correct horse battery' }
  expect((await service.call('POST /auth/login', { body: signIn })).status).toBe(403)
})

test('nobody grants what they do not hold, and only the owner what runs programs', async () => {
  const { owner, other, third, invite, list, share, change, code } = await shared()
  const holds: Scope[] = SCOPES.filter((scope) => scope !== 'files.delete')
  await share(other, holds)
  const answers: Record<string, string> = {}
  const right: Record<string, string> = {}
  for (const scope of SCOPES) {
    answers[scope] = code(await invite(other, third.email, [scope]))
    right[scope] = RUNS_PROGRAMS.has(scope)
      ? '403 access.owner-only'
      : scope === 'files.delete'
        ? '403 access.beyond-own'
        : answers[scope] === '429 access.too-many-invitations'
          ? answers[scope]
          : '201'
  }
  expect(answers).toEqual(right)
  const invitation = (await list(owner)).at(-1)
  expect(code(await change(other, invitation.id, ['files.write']))).toBe('403 access.owner-only')
  expect(code(await change(other, invitation.id, ['files.delete']))).toBe('403 access.beyond-own')
  expect(code(await change(owner, invitation.id, ['files.write']))).toBe('200')
  expect(code(await change(owner, invitation.id, ['server.explode']))).toBe('422 access.scope-not-known')
})

test('nobody changes their own grant, that of who holds more, or the owner', async () => {
  const { owner, other, third, list, share, change, remove, code, service, serverId } = await shared()
  await share(other, ['access.read', 'access.write', 'console.read'])
  await share(third, ['files.write', 'access.read', 'access.write', 'console.read'])
  expect(code(await change(other, other.id, ['server.read']))).toBe('403 access.own-grant')
  expect(code(await remove(other, other.id))).toBe('403 access.own-grant')
  expect(code(await change(other, third.id, ['server.read']))).toBe('403 access.outranked')
  expect(code(await remove(other, third.id))).toBe('403 access.outranked')
  for (const by of [owner, other]) {
    expect(code(await change(by, owner.id, ['server.read']))).toBe('409 access.owner')
    expect(code(await remove(by, owner.id))).toBe('409 access.owner')
  }
  expect(code(await remove(third, other.id))).toBe('204')
  expect(code(await remove(third, other.id))).toBe('404 access.not-found')
  const leave = (token: string) => service.call(`POST /servers/access/leave/${serverId}`, { token })
  expect(code(await leave(owner.token))).toBe('409 access.owner')
  expect(code(await leave(third.token))).toBe('204')
  expect(code(await leave(third.token))).toBe('404 server.not-found')
  expect(await list(owner)).toHaveLength(1)
})

test('what somebody offered who may not offer it any more is taken back', async () => {
  const { owner, other, third, invite, offers, share, change, remove, list } = await shared()
  const holds = ['access.read', 'access.write', 'console.read', 'stats.read']
  await share(other, holds)
  await invite(other, third.email, ['console.read'])
  await change(owner, other.id, [...holds.slice(0, 3)])
  expect(await offers(third)).toHaveLength(1)
  await change(owner, other.id, ['access.read', 'access.write'])
  expect(await offers(third)).toEqual([])
  await change(owner, other.id, holds)
  await invite(other, third.email, ['console.read'])
  await remove(owner, other.id)
  expect(await offers(third)).toEqual([])
  expect(await list(owner)).toHaveLength(1)
})

test('an invitation that somebody raised is theirs: it is gone with them', async () => {
  const { owner, other, third, invite, change, share, offers, remove } = await shared()
  const holds = ['server.read', 'console.read', 'console.send', 'access.read', 'access.write']
  await share(other, holds)
  const { body } = await invite(owner, third.email, ['server.read'])
  expect((await change(other, body.id, ['server.read', 'console.send'])).status).toBe(200)
  await remove(owner, other.id)
  expect(await offers(third)).toEqual([])
})

test('a sign-in that is ended loses its streams at once', async () => {
  const { service, serverId, owner } = await shared()
  const thief = await service.call('POST /auth/login', { body: { email: owner.email, password: PASSWORD } })
  const headers = { Authorization: `Bearer ${thief.body.token}` }
  const stream = await fetch(`${service.baseUrl}/servers/events?servers=${serverId}`, { headers })
  const ended = stream.text()
  expect((await service.call('DELETE /users/me/sessions', { token: owner.token })).status).toBe(204)
  // At intervals it is looked at anyway, after a sign that the stream is alive: that would be too late.
  expect(await ended).not.toContain(': alive')
})

test('what somebody compresses ends when they are removed', async () => {
  const { service, serverId, owner, other, share, remove } = await shared()
  await share(other, ['server.read', 'files.read', 'files.write'])
  const files = path.join(service.service.dataDir, 'servers', serverId)
  mkdirSync(path.join(files, 'many'))
  for (let at = 0; at < 400; at++) writeFileSync(path.join(files, 'many', `${at}.bin`), randomBytes(100_000))
  const begun = await service.call(`POST /servers/files/archive/${serverId}`, {
    token: other.token,
    body: { paths: ['many'], to: 'many.zip', format: 'zip' },
  })
  expect(begun.status).toBeLessThan(300)
  expect((await remove(owner, other.id)).status).toBe(204)
  const state = async () =>
    (await service.call(`GET /servers/files/jobs/${serverId}`, { token: owner.token })).body.items[0].state
  await expect.poll(state).toBe('cancelled')
})

test('who has access already is not invited, nor is the owner', async () => {
  const { owner, other, invite, share, code } = await shared()
  await share(other, ['server.read'])
  expect(code(await invite(owner, other.email, ['stats.read']))).toBe('409 access.already-shared')
  expect(code(await invite(owner, owner.email, ['stats.read']))).toBe('409 access.already-shared')
})

test('nobody sends more than three invitations a day to an address, and others can still invite it', async () => {
  const { owner, other, third, invite, share, code } = await shared()
  await share(other, ['access.read', 'access.write'])
  const guest = 'guest@example.org'
  const answers = []
  for (let at = 0; at < 6; at++) answers.push(code(await invite(other, guest, ['server.read'])))
  const tooMany = '429 access.too-many-invitations'
  expect(answers).toEqual([...Array<string>(3).fill('201'), ...Array<string>(3).fill(tooMany)])
  expect(code(await invite(owner, guest, ['server.read']))).toBe('201')
  expect(code(await invite(other, third.email, ['server.read']))).toBe('201')
})

test('many strangers together cannot keep an owner from inviting, nor fill a mailbox', () => {
  const guest = 'guest@example.org'
  const limiter = new Limiter(() => 0)
  const invited = (accountId: string) => {
    try {
      countInvitation(limiter, accountId, guest)
      return true
    } catch {
      return false
    }
  }
  let mails = 0
  for (let stranger = 0; stranger < 15; stranger++)
    for (let at = 0; at < 5; at++) if (invited(`stranger ${stranger}`)) mails++
  // One of each, and what all of them may send in addition.
  expect(mails).toBe(15 + 5)
  expect(invited('owner')).toBe(true)
  for (let stranger = 0; stranger < 100; stranger++) if (invited(`other ${stranger}`)) mails++
  expect(mails).toBeLessThanOrEqual(30 + 5)
})

test('who is invited is written to in the language of their account, else in that of who invites', async () => {
  const { service, owner, other, invite } = await shared()
  const speaks = (token: string, language: string) =>
    service.call('PATCH /users/me', { token, body: { language } })
  await speaks(other.token, 'de')
  await invite(owner, other.email, ['server.read', 'files.write'])
  const mail = (await service.mails()).at(-1) ?? ''
  expect(mail).toContain('Content-Type: text/html')
  expect(mail).toMatch(/<html lang=(?:3D)?"de">/)
  expect(mail).toContain('Programme')
  await invite(owner, 'guest@example.org', ['server.read'])
  expect((await service.mails()).at(-1)).toContain('Ann invites you to the server Mine')
  await speaks(owner.token, 'de')
  await invite(owner, 'second@example.org', ['server.read'])
  expect((await service.mails()).at(-1)).toMatch(/<html lang=(?:3D)?"de">/)
})

test('a scope that is taken away ends the streams and the uploads that needed it at once', async () => {
  const { service, serverId, owner, other, share, change } = await shared()
  await share(other, ['console.read', 'files.read', 'files.write'])
  const headers = { Authorization: `Bearer ${other.token}` }
  const stream = await fetch(`${service.baseUrl}/servers/events?servers=${serverId}`, { headers })
  const ended = stream.text()
  const begun = await fetch(`${service.baseUrl}/servers/files/upload/${serverId}`, {
    method: 'POST',
    headers: {
      ...headers,
      'Tus-Resumable': '1.0.0',
      'Upload-Length': '1000000',
      'Upload-Metadata': `path ${Buffer.from('a.txt').toString('base64')}`,
    },
  })
  const sent = fetch(new URL(begun.headers.get('location')!, service.baseUrl), {
    method: 'PATCH',
    headers: {
      ...headers,
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
    },
    // The rest of it never comes.
    body: new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1000)) }),
    duplex: 'half',
  } as RequestInit).then(
    ({ status }) => `answered ${status}`,
    () => 'cut off',
  )
  const parts = path.join(service.service.dataDir, 'staging', serverId, 'uploads')
  const arrived = () => readdirSync(parts).some((name) => statSync(path.join(parts, name)).size === 1000)
  await expect.poll(arrived).toBe(true)
  expect((await change(owner, other.id, ['stats.read'])).status).toBe(200)
  const told = await ended
  expect(told).toContain('event: status')
  // At intervals it is looked at anyway, after a sign that the stream is alive: that would be too late.
  expect(told).not.toContain(': alive')
  expect(['cut off', 'answered 403']).toContain(await sent)
  // Given back, it goes on from what had arrived.
  await change(owner, other.id, ['files.read', 'files.write'])
  const goesOn = new URL(begun.headers.get('location')!, service.baseUrl)
  const offset = async () =>
    (await fetch(goesOn, { method: 'HEAD', headers: { ...headers, 'Tus-Resumable': '1.0.0' } })).headers.get(
      'upload-offset',
    )
  await expect.poll(offset).toBe('1000')
})

test('what was shared is gone with its server and with its account', async () => {
  const { service, serverId, owner, other, third, invite, share, offers } = await shared()
  await share(other, ['server.read'])
  await invite(owner, third.email, ['server.read'])
  const gone = await service.call(`DELETE /servers/${serverId}?confirm=Mine`, { token: owner.token })
  expect(gone.status).toBe(204)
  expect(await offers(third)).toEqual([])
  expect((await service.call('GET /servers', { token: other.token })).body.items).toEqual([])
})

test('invitations that are sent at the same time are all kept', async () => {
  const { owner, invite, list } = await shared()
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) => invite(owner, `p${at}@example.org`, ['server.read'])),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(await list(owner)).toHaveLength(31)
})
