import { expect, test } from 'vitest'
import type { EventName } from '../contract/areas/console.ts'
import { api, servedOperations } from '../contract/areas/index.ts'
import { SCOPES, type Scope } from '../contract/declarations/operation.ts'
import type { GrantedScopes, RequiredScopes } from './base/access.ts'
import { ask, type ScopedCall, ways } from './scope-ways.fixture.ts'
import { startTestService, type TestService } from './service.fixture.ts'

/** Who asks, and what each holds at the server. */
const askers = {
  nobody: () => null,
  stranger: () => null,
  'member without the scope': ({ needs }: ScopedCall): GrantedScopes => {
    if (needs === 'owner') return SCOPES
    return SCOPES.filter((scope) => !needs.includes(scope))
  },
  'member with one scope less': ({ needs }: ScopedCall): GrantedScopes =>
    needs === 'owner' ? SCOPES : needs.slice(1),
  'member with only the scope': ({ needs }: ScopedCall): GrantedScopes => (needs === 'owner' ? [] : needs),
  owner: (): GrantedScopes => 'owner',
} satisfies Record<string, (way: ScopedCall) => GrantedScopes>
type Asker = keyof typeof askers

/** What an answer comes to. `let in`: whatever is said was said by the operation itself. */
function expected(asker: Asker, way: ScopedCall): string {
  switch (asker) {
    case 'nobody':
      return '401 auth.token-missing'
    case 'stranger':
      return '404 server.not-found'
    case 'member without the scope':
    case 'member with one scope less':
      return '403 server.forbidden'
    case 'member with only the scope':
      return way.needs === 'owner' ? '403 server.forbidden' : 'let in'
    case 'owner':
      return 'let in'
  }
}

test('every way to ask for something of a server lets in who holds what its declaration names, and nobody else', async () => {
  const held = new Map<string, GrantedScopes>()
  const service = await startTestService({ held: (accountId) => held.get(accountId) ?? null })
  const [owner, member, stranger] = await accounts(service)
  const tokenOf = (asker: Asker) =>
    asker === 'nobody' ? null : asker === 'stranger' ? stranger : asker === 'owner' ? owner : member
  let serverId = 'none'
  const answers: Record<string, string> = {}
  const right: Record<string, string> = {}
  for (const way of ways) {
    for (const asker of Object.keys(askers) as Asker[]) {
      held.clear()
      held.set(owner.id, 'owner')
      held.set(member.id, askers[asker](way))
      // Who was let in may have deleted it.
      if ((await service.call(`GET /servers/${serverId}`, { token: owner.token })).status === 404)
        serverId = await newServer(service, owner.token)
      const { answer, said } = await ask(service, way, {
        serverId,
        token: tokenOf(asker)?.token ?? null,
        confirm: 'Mine',
      })
      const line = `${way.name}: ${asker}`
      answers[line] = said
      right[line] = expected(asker, way)
      expect(answer.status, `${line}: ${answer.body?.error?.message}`).not.toBe(500)
      if (answer.body?.error?.code === 'server.forbidden')
        expect(answer.body.error.message).toMatch(wordsFor(way.needs, held.get(member.id)))
    }
  }
  expect(answers).toEqual(right)
})

test('a stream tells of a server what its reader may know of it, and nothing else', async () => {
  const held = new Map<string, GrantedScopes>()
  const service = await startTestService({
    held: (accountId, server) => (accountId === server.ownerId ? 'owner' : (held.get(accountId) ?? null)),
  })
  const [owner, member] = await accounts(service)
  const serverId = await newServer(service, owner.token)
  const route = `GET /servers/events?servers=${serverId}&after=${serverId}:1-0`
  const refusal = async () => {
    const { status, body } = await service.call(route, { token: member.token })
    return `${status} ${body.error.code}`
  }
  expect(await refusal()).toBe('404 server.not-found')
  held.set(member.id, ['files.write', 'control.start'])
  expect(await refusal()).toBe('403 server.forbidden')
  const { needs } = api.console.events.answer
  const kinds = Object.keys(needs) as EventName[]
  const streams = []
  // Each reader is somebody else: what a stream may tell is asked again while it is open.
  for (const scope of new Set(Object.values(needs))) {
    const reader = await account(service, scope)
    held.set(reader.id, [scope])
    const may = kinds.filter((kind) => needs[kind] === scope)
    streams.push({ may, text: await openStream(service.baseUrl + route.slice('GET '.length), reader.token) })
  }
  await somethingOfEachKind(service, serverId, owner.token)
  for (const { may, text } of streams) {
    const seen = await text(may.includes('status') ? '"status":"online"' : `event: ${may[0]}`)
    expect(seen.filter((kind) => !may.some((one) => one === kind))).toEqual([])
    expect(seen).toContain(may[0])
  }
})

async function somethingOfEachKind({ call }: TestService, serverId: string, token: string): Promise<void> {
  await call(`POST /servers/files/folder/${serverId}`, { token, body: { path: 'a' } })
  const body = { paths: ['a'], to: 'a.zip', format: 'zip' }
  await call(`POST /servers/files/archive/${serverId}`, { token, body })
  await call(`POST /servers/power/${serverId}`, { token, body: { action: 'start' } })
}

/** Opens a stream; what it answers reads it up to a text, closes it, and says what kinds of events there were. */
async function openStream(address: string, token: string): Promise<(sign: string) => Promise<string[]>> {
  const { body } = await fetch(address, { headers: { Authorization: `Bearer ${token}` } })
  // Read from now on: the stream of an answer that nobody holds is canceled by the next collection of garbage.
  const pieces = body!.values()
  return async (sign) => {
    let text = ''
    for await (const piece of pieces) {
      text += Buffer.from(piece).toString()
      if (text.includes(sign)) break
    }
    return [...text.matchAll(/^event: (\w+)$/gm)].map(([, kind]) => kind!)
  }
}

test('the table covers every operation of a server, each row of its rule, and what lies below it', () => {
  const names = ways.map(({ name }) => name)
  expect(names).toContain('servers.power with action restart')
  expect(names).toContain('PATCH below files.upload')
  for (const op of servedOperations)
    if (op.path.includes(':serverId')) expect(names.some((name) => name.startsWith(op.id))).toBe(true)
})

/** The sentence of a refusal names what is missing. */
function wordsFor(needs: RequiredScopes, held: GrantedScopes | undefined): RegExp {
  if (needs === 'owner') return /^Only the owner of /
  const missing = needs.filter((scope: Scope) => !(held ?? []).includes(scope))
  return new RegExp(missing.map((scope) => scope.replace('.', '\\.')).join(', '))
}

async function account(service: TestService, name: string): Promise<Account> {
  const token = await service.account(`${name}@example.org`)
  return { token, id: String((await service.call('GET /users/me', { token })).body.id) }
}

async function accounts(service: TestService) {
  const found = []
  for (const name of ['owner', 'member', 'stranger']) found.push(await account(service, name))
  return found as [Account, Account, Account]
}

interface Account {
  token: string
  id: string
}

async function newServer(service: TestService, token: string): Promise<string> {
  const body = { name: 'Mine', software: { id: 'demo', version: '1.20.4' }, memoryMb: 512 }
  const { body: made } = await service.call('POST /servers', { token, body })
  return String(made.id)
}
