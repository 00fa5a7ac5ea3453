import { afterAll, expect, test } from 'vitest'
import { answerJson, oddService } from '../../../tests/doubles/services/odd-service.ts'
import { api } from '../../contract/areas/index.ts'
import { ApiClient } from '../api/client.ts'
import { makeDispatcher } from '../api/requests/transport.ts'
import { noLog } from '../logging/log.ts'
import { HeaderConstants } from './header-constants.ts'
import { memoryStore, type SecretStore } from '../accounts/secret-store.ts'

const dispatcher = makeDispatcher()
afterAll(() => dispatcher.close())

const at = 'https://service.example/api/v1'
const names = ['X-Key']

/** A store whose first read answers what it found only once it is told to. */
function slowStore() {
  const store = memoryStore('This is a test.')
  const gate = Promise.withResolvers<void>()
  let first = true
  const read: SecretStore['read'] = async (id) => {
    const found = await store.read(id)
    if (!first) return found
    first = false
    await gate.promise
    return found
  }
  return { store, secrets: { ...store, read }, speak: () => gate.resolve() }
}

test('a value that is set while a slow keychain is asked for it holds from then on', async () => {
  const { secrets, speak } = slowStore()
  const headers = new HeaderConstants(secrets, noLog)
  const pending = headers.of(at, names)
  await headers.set(at, { name: 'X-Key', value: 'secret' })
  speak()
  expect(await pending).toEqual({ 'x-key': 'secret' })
  expect(await headers.of(at, names)).toEqual({ 'x-key': 'secret' })
})

test('a value that is forgotten while a slow keychain is asked for it does not come back', async () => {
  const { store, secrets, speak } = slowStore()
  await store.write(`header x-key ${at}`, 'secret')
  const headers = new HeaderConstants(secrets, noLog)
  const pending = headers.of(at, names)
  await headers.forget(at, names)
  speak()
  expect(await pending).toEqual({})
  expect(await headers.of(at, names)).toEqual({})
})

test('a silent keychain sends no request without the header, and ends no session', async () => {
  let asked = 0
  const service = await oddService({
    '*': (request, response) => {
      asked++
      answerJson(response, {}, request.headers['x-key'] === 'k' ? 200 : 401)
    },
  })
  const reason = { message: 'The keychain is locked.' }
  let found: Awaited<ReturnType<SecretStore['read']>> = { kind: 'silent', reason }
  const headers = new HeaderConstants({ ...memoryStore('This is a test.'), read: async () => found }, noLog)
  const verdicts: string[] = []
  const { baseUrl } = service
  const client = new ApiClient({
    baseUrl,
    dispatcher,
    token: async () => 'in-memory',
    profile: () => ({ baseUrl, headers: names }),
    constants: (wanted) => headers.of(baseUrl, wanted),
    onVerdict: ({ kind }) => verdicts.push(kind),
  })
  await expect(client.send(api.servers.list, {})).rejects.toMatchObject({
    problem: { code: 'offline', message: reason.message, detail: 'keychain' },
  })
  expect(asked).toBe(0)
  expect(verdicts).not.toContain('rejected')
  expect(await headers.kept(baseUrl, ['X-Key'])).toEqual(['unknown'])
  // Where there is no keychain it holds nothing, and nobody waits for it: the service itself says what is missing.
  found = { kind: 'silent', reason, missing: true }
  expect(await headers.of(baseUrl, names)).toEqual({})
  // It speaks again.
  found = { kind: 'found', token: 'k', kept: 'keychain' }
  expect(await headers.of(baseUrl, names)).toEqual({ 'x-key': 'k' })
  expect(await headers.kept(baseUrl, ['X-Key'])).toEqual(['keychain'])
  client.close()
  await service.close()
})

test('it is said where a value is kept: in the keychain, or in memory until the panel is quit', async () => {
  let where: 'keychain' | 'memory' = 'memory'
  const store = memoryStore('This is a test.')
  const headers = new HeaderConstants(
    {
      ...store,
      async write(id, value) {
        await store.write(id, value)
        return where
      },
    },
    noLog,
  )
  expect(await headers.kept(at, ['X-Key'])).toEqual(['none'])
  await headers.set(at, { name: 'X-Key', value: 'one' })
  expect(await headers.kept(at, ['x-key'])).toEqual(['memory'])
  where = 'keychain'
  await headers.set(at, { name: 'X-Key', value: 'two' })
  expect(await headers.kept(at, ['X-Key'])).toEqual(['keychain'])
})

test('of a service only the values of those headers stay that its profile names, over restarts too', async () => {
  const store = memoryStore('This is a test.')
  const before = new HeaderConstants(store, noLog)
  for (const name of ['X-Key', 'X-Other']) await before.set(at, { name, value: 'secret' })
  await before.set('https://other.example', { name: 'X-Other', value: 'secret' })
  const after = new HeaderConstants(store, noLog)
  await after.keepOnly(at, ['x-key'])
  expect(await store.read(`header x-other ${at}`)).toEqual({ kind: 'absent' })
  expect(await after.of(at, ['X-Key', 'X-Other'])).toEqual({ 'x-key': 'secret' })
  expect(await after.of('https://other.example', ['X-Other'])).toEqual({ 'x-other': 'secret' })
  await after.keepOnly(at, [])
  expect(await store.read(`header x-key ${at}`)).toEqual({ kind: 'absent' })
  expect(await store.read(`headers ${at}`)).toEqual({ kind: 'absent' })
})

test('a value that the keychain did not forget is forgotten the next time', async () => {
  const store = memoryStore('This is a test.')
  let forgets = false
  const clear: SecretStore['clear'] = async (id) => forgets && (await store.clear(id))
  const headers = new HeaderConstants({ ...store, clear }, noLog)
  await headers.set(at, { name: 'X-Key', value: 'secret' })
  await headers.forget(at, names)
  expect(await headers.of(at, names)).toEqual({})
  forgets = true
  await headers.keepOnly(at, [])
  expect(await store.read(`header x-key ${at}`)).toEqual({ kind: 'absent' })
})

test('a note that a keychain failed to take stops none that comes later', async () => {
  const store = memoryStore('This is a test.')
  let fails = true
  const secrets: SecretStore = {
    ...store,
    read: (id) => (fails && id.startsWith('headers ') ? Promise.reject(new Error('broken')) : store.read(id)),
  }
  const headers = new HeaderConstants(secrets, noLog)
  await expect(headers.set(at, { name: 'X-Key', value: 'one' })).rejects.toThrow('broken')
  fails = false
  await headers.set(at, { name: 'X-Key', value: 'two' })
  expect(await new HeaderConstants(store, noLog).of(at, names)).toEqual({ 'x-key': 'two' })
})
