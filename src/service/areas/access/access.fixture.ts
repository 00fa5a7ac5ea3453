import { expect } from 'vitest'
import { startTestService, type TestService } from '../../service.fixture.ts'

const DEMO = { software: { id: 'demo', version: '1.20.4' }, memoryMb: 512 }

export interface Person {
  token: string
  id: string
  email: string
}

export async function person(service: TestService, name: string): Promise<Person> {
  const email = `${name}@example.org`
  const token = await service.account(email)
  return { token, email, id: String((await service.call('GET /users/me', { token })).body.id) }
}

/** Tests only: an owner with a server, somebody to share it with, and what they do. */
export async function shared(options: Parameters<typeof startTestService>[0] = {}) {
  const service = await startTestService(options)
  const [owner, other, third] = [
    await person(service, 'owner'),
    await person(service, 'other'),
    await person(service, 'third'),
  ]
  const { body } = await service.call('POST /servers', {
    token: owner.token,
    body: { name: 'Mine', ...DEMO },
  })
  const serverId = String(body.id)
  const invite = (by: Person, email: string, scopes: readonly string[]) =>
    service.call(`POST /servers/access/${serverId}`, { token: by.token, body: { email, scopes } })
  const list = async (by: Person) =>
    (await service.call(`GET /servers/access/${serverId}`, { token: by.token })).body.items
  const offers = async (to: Person) =>
    (await service.call('GET /invitations', { token: to.token })).body.items
  const answer = (by: Person, id: string, accept = true) =>
    service.call(`POST /invitations/${id}`, { token: by.token, body: { accept } })
  const change = (by: Person, id: string, scopes: readonly string[]) =>
    service.call(`PATCH /servers/access/${serverId}/${id}`, { token: by.token, body: { scopes } })
  const remove = (by: Person, id: string) =>
    service.call(`DELETE /servers/access/${serverId}/${id}`, { token: by.token })
  async function share(to: Person, scopes: readonly string[], by = owner) {
    expect((await invite(by, to.email, scopes)).status).toBe(201)
    expect((await answer(to, (await offers(to))[0].id)).status).toBe(204)
  }
  const code = ({ status, body }: { status: number; body: { error?: { code: string } } | null }) =>
    `${status} ${body?.error?.code ?? ''}`.trim()
  return { service, serverId, owner, other, third, invite, list, offers, answer, change, remove, share, code }
}
