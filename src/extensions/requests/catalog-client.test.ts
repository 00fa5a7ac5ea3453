import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporary } from '../../host/temporary.fixture.ts'
import { withAge } from './disk-cache.ts'
import { CatalogClient, type Question } from './catalog-client.ts'
import { catalogs, HeldClock, MINUTE } from '../../service/software/catalogs/kinds/catalogs.fixture.ts'
import { CatalogSettings } from '../../service/software/catalogs/settings.ts'

const given = async (limits: Parameters<typeof catalogs>[0] = {}) => {
  const all = await catalogs(limits)
  const url = all.server.put('/mojang/list.json', { items: ['a'] })
  const question = (more: Partial<Question<string[]>> = {}): Question<string[]> => ({
    url,
    name: 'Mojang',
    parse: (text) => (JSON.parse(text) as { items: string[] }).items.slice(),
    ...more,
  })
  const ask = (client: CatalogClient = all.client, more: Partial<Question<string[]>> = {}) =>
    withAge(() => client.get(question(more), all.signal))
  return { ...all, url, question, ask }
}
const fresh = { value: ['a'], ageMs: null }
const old = { value: ['a'], ageMs: 20 * MINUTE }

test('names itself and a contact', async () => {
  const { server, ask } = await given()
  await ask()
  expect(server.requests[0]?.headers['user-agent']).toMatch(
    /^Wheelhouse\/\d+\.\d+\.\d+ \(\+https:\/\/panel\.example\/contact\)$/,
  )
})

test('names the address of the manifest as the contact where the settings name none', async () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>
  const { server, question, signal } = await given()
  const { contact } = CatalogSettings.parse({})
  const client = new CatalogClient({ folder: temporary(), contact, clock: new HeldClock() })
  onTestFinished(() => client.close())
  await client.get(question(), signal)
  const agent = `Wheelhouse/${manifest['version']} (+${manifest['homepage']})`
  expect(server.requests[0]?.headers['user-agent']).toBe(agent)
  // Downloads carry the same.
  expect(client.headers).toEqual({ 'user-agent': agent })
})

test('asks nothing for ten minutes, also after a restart, and then only whether it is unchanged', async () => {
  const { server, clock, ask, open } = await given()
  expect(await ask()).toEqual(fresh)
  clock.ms += 9 * MINUTE
  const again = open()
  onTestFinished(() => again.close())
  expect(await ask(again)).toEqual(fresh)
  expect(server.requests).toHaveLength(1)

  clock.ms += 2 * MINUTE
  expect(await ask(again)).toEqual(fresh)
  expect(await ask(again)).toEqual(fresh)
  expect(server.requests).toHaveLength(2)
  expect(server.requests[1]?.headers['if-none-match']).toBeTruthy()

  clock.ms += 11 * MINUTE
  server.put('/mojang/list.json', { items: ['b'] })
  expect(await ask()).toEqual({ value: ['b'], ageMs: null })
})

test('asks again after the clock was set back, instead of trusting an answer from the future', async () => {
  const { server, clock, ask } = await given()
  await ask()
  clock.ms -= MINUTE
  await ask()
  expect(server.requests).toHaveLength(2)
})

test('two who ask for the same share a request, and one of them can leave', async () => {
  const { server, client, question, ask } = await given()
  const held = Promise.withResolvers<void>()
  server.held = held.promise
  const leaving = new AbortController()
  const left = client.get(question(), leaving.signal)
  const stays = ask()
  await server.arrived(1)
  leaving.abort(new Error('not needed'))
  await expect(left).rejects.toThrow('not needed')
  held.resolve()
  expect(await stays).toEqual(fresh)
  expect(server.requests).toHaveLength(1)
})

test('sends no more requests at once to one host than it may', async () => {
  const { server, client, signal } = await given({ atOnce: 2 })
  const held = Promise.withResolvers<void>()
  server.held = held.promise
  const all = Array.from({ length: 8 }, (_, index) => {
    const url = server.put(`/mojang/${index}.json`, '[]')
    return client.get({ url, name: 'Mojang', parse: (text) => text }, signal)
  })
  await server.arrived(2)
  held.resolve()
  await Promise.all(all)
  expect(server.mostAtOnce).toBe(2)
  expect(server.requests).toHaveLength(8)
})

test.for([
  [{ kind: 'out of reach' }, 503, /can't be reached right now/],
  [{ kind: 'silent' }, 503, /can't be reached right now/],
  [{ kind: 'stalls' }, 503, /can't be reached right now/],
  [{ kind: 'breaks off' }, 503, /can't be reached right now/],
  [{ kind: 'status', status: 500 }, 503, /can't be reached right now/],
  [{ kind: 'status', status: 429, headers: { 'retry-after': '120' } }, 503, /Try again in 2 minutes\.$/],
  [{ kind: 'status', status: 429, headers: { 'retry-after': '99999999' } }, 503, /in 10 minutes\.$/],
  [{ kind: 'status', status: 403 }, 502, /couldn't be read/],
  [{ kind: 'damaged' }, 502, /couldn't be read/],
  [{ kind: 'instead', body: '{"items":7}' }, 502, /couldn't be read/],
  [{ kind: 'instead', body: Buffer.from('{"items":["\u00ff"]}', 'latin1') }, 502, /couldn't be read/],
  [{ kind: 'huge', bytes: 40_000, told: true }, 502, /couldn't be read/],
  [{ kind: 'huge', bytes: 400_000, told: false }, 502, /couldn't be read/],
] as const)(
  'where a catalog answers with %j there is a sentence, or an old answer and its age',
  async (row) => {
    const [fault, status, sentence] = row
    const mostBytes = 20_000
    const { server, clock, client, ask, open } = await given({ mostBytes })
    // What never comes is soon given up; what does come may take as long as a busy machine needs.
    const isAwaited = ['silent', 'stalls'].includes(fault.kind)
    const asking = isAwaited ? open({ mostBytes, wholeMs: 100 }) : client
    onTestFinished(() => asking.close())
    const mend = server.fail('/mojang/', fault)
    await expect(ask(asking)).rejects.toMatchObject({ status, message: expect.stringMatching(sentence) })
    mend()
    // A host may want to be left alone.
    clock.ms += 20 * MINUTE
    expect(await ask()).toEqual(fresh)

    server.fail('/mojang/', fault)
    clock.ms += 20 * MINUTE
    const kept = await ask(asking)
    expect(kept).toEqual({ value: ['a'], ageMs: 20 * MINUTE })
  },
)

test('a 404 is no hiccup: what was kept does not take its place', async () => {
  const { server, clock, ask } = await given()
  await ask()
  clock.ms += 20 * MINUTE
  server.remove('/mojang/list.json')
  await expect(ask()).rejects.toMatchObject({ status: 502, code: 'software.catalogue-missing' })
})

test('after a failure a kept answer does for a while without asking', async () => {
  const { server, clock, ask } = await given()
  await ask()
  clock.ms += 20 * MINUTE
  const mend = server.fail('/mojang/', { kind: 'status', status: 500 })
  expect(await ask()).toEqual(old)
  expect(await ask()).toEqual(old)
  expect(server.requests).toHaveLength(2)
  mend()
  clock.ms += MINUTE
  expect(await ask()).toEqual(fresh)
})

test('waits as long as a host wants, where that is short, and asks again', async () => {
  const { server, clock, ask } = await given()
  server.fail('/mojang/', { kind: 'status', status: 429, headers: { 'retry-after': '2' } }, 1)
  expect(await ask()).toEqual(fresh)
  expect(clock.waited).toEqual([2000])
})

test('a host that never has enough is left alone after three tries', async () => {
  const { server, ask } = await given()
  server.fail('/mojang/', { kind: 'status', status: 429, headers: { 'retry-after': '2' } })
  await expect(ask()).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '2' } })
  expect(server.requests).toHaveLength(3)
})

test('asks nothing more of a host whose allowance is used up, until it is renewed', async () => {
  const { server, clock, client, signal, ask } = await given()
  server.headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '40' }
  await ask()
  const other = () =>
    client.get({ url: server.put('/mojang/b', '[]'), name: 'Mojang', parse: (text) => text }, signal)
  await expect(other()).rejects.toMatchObject({
    code: 'software.catalogue-busy',
    headers: { 'Retry-After': '40' },
  })
  expect(server.requests).toHaveLength(1)
  clock.ms += 41_000
  expect(await other()).toBe('[]')
})

test('tries once more where a connection broke', async () => {
  const { server, ask } = await given()
  server.fail('/mojang/', { kind: 'out of reach' }, 1)
  expect(await ask()).toEqual(fresh)
})

test('follows a redirect within the same origin, but neither to plain http elsewhere nor for ever', async () => {
  const { server, client, signal, ask } = await given()
  const redirect = (location: string) =>
    server.fail('/mojang/list.json', { kind: 'status', status: 302, headers: { location } })
  server.put('/mojang/moved.json', { items: ['a'] })
  const stop = redirect('/mojang/moved.json')
  expect(await ask()).toEqual(fresh)
  stop()
  const { value } = await withAge(() =>
    client.get(
      { url: server.put('/mojang/c', '"c"'), name: 'Mojang', parse: (t) => JSON.parse(t) as string },
      signal,
    ),
  )
  expect(value).toBe('c')

  const strange = await catalogs()
  strange.server.put('/secret', { items: ['secret'] })
  for (const location of [
    strange.server.origin + '/secret',
    'file:///etc/passwd',
    '/mojang/list.json?again',
    'https://a:b@example.com/',
  ]) {
    const fresh = await given()
    fresh.server.fail('/mojang/list.json', { kind: 'status', status: 302, headers: { location } })
    await expect(fresh.ask()).rejects.toMatchObject({ status: 502 })
  }
  expect(strange.server.requests).toEqual([])
})

test('what is kept and was damaged, or belongs to another address, counts as nothing', async () => {
  const { server, folder, ask } = await given()
  await ask()
  const file = path.join(folder, readdirSync(folder)[0]!)
  const whole = readFileSync(file, 'utf8')
  const damages = ['', '{}', whole.replace('"a"', '"b"'), whole.slice(0, -3), whole.replace('/list', '/lost')]
  for (const damaged of damages) {
    writeFileSync(file, damaged)
    expect(await ask()).toEqual(fresh)
  }
  expect(server.requests).toHaveLength(1 + damages.length)
  expect(readdirSync(folder)).toHaveLength(1)
})

test('what is kept in a form that is no longer understood is asked for again, and whole', async () => {
  const { server, ask } = await given()
  await ask()
  const parse = (text: string) => {
    if (text === '{"items":["a"]}') throw new Error('old form')
    return ['new']
  }
  server.put('/mojang/list.json', { items: ['a', 'b'] })
  expect(await ask(undefined, { parse })).toEqual({ value: ['new'], ageMs: null })
})

test('an answer with another checksum than was told is neither used nor kept', async () => {
  const { folder, ask } = await given()
  const checksum = { algorithm: 'sha1', value: '0'.repeat(40) } as const
  await expect(ask(undefined, { checksum })).rejects.toMatchObject({ status: 502 })
  expect(readdirSync(folder)).toEqual([])
})

test('a disk that takes nothing costs requests, and nothing else', async () => {
  const { folder, server, clock, signal } = await given()
  const file = path.join(folder, 'not-a-folder')
  writeFileSync(file, '')
  const { CatalogClient: Client } = await import('./catalog-client.ts')
  const client = new Client({ folder: file, contact: 'a@b.example', clock, wait: clock.wait })
  onTestFinished(() => client.close())
  const ask = () =>
    client.get({ url: `${server.origin}/mojang/list.json`, name: 'Mojang', parse: (text) => text }, signal)
  expect(await ask()).toBe(await ask())
  expect(server.requests).toHaveLength(2)
})

test('what is under way ends when the service stops', async () => {
  const { server, client, ask } = await given()
  server.fail('/mojang/', { kind: 'silent' })
  const asked = expect(ask()).rejects.toMatchObject({ status: 503 })
  await server.arrived(1)
  await client.close()
  await asked
})

test('what was kept under another checksum is asked for again', async () => {
  const { server, ask } = await given()
  await ask()
  const text = '{"items":["b"]}'
  server.put('/mojang/list.json', text)
  const checksum = { algorithm: 'sha1', value: createHash('sha1').update(text).digest('hex') } as const
  expect(await ask(undefined, { checksum })).toEqual({ value: ['b'], ageMs: null })
})

test('of several kept answers the age of the oldest is told', async () => {
  const { server, clock, client, question, signal, ask } = await given()
  const later = question({ url: server.put('/mojang/later.json', { items: ['later'] }) })
  await ask()
  clock.ms += MINUTE
  await client.get(later, signal)
  clock.ms += 20 * MINUTE
  server.fail('/mojang/', { kind: 'status', status: 500 })
  const both = await withAge(async () => [
    ...(await client.get(question(), signal)),
    ...(await client.get(later, signal)),
  ])
  expect(both).toEqual({ value: ['a', 'later'], ageMs: 21 * MINUTE })
})

test('who can wait no longer than a silent host is silent is given its last answer', async () => {
  const { server, clock, client, question, ask } = await given()
  await ask()
  clock.ms += 11 * MINUTE
  server.fail('/mojang/', { kind: 'silent' })
  const inTime = () => client.get(question(), AbortSignal.timeout(20))
  expect(await inTime()).toEqual(['a'])
  const unknown = question({ url: `${server.origin}/mojang/other.json` })
  await expect(client.get(unknown, AbortSignal.timeout(20))).rejects.toThrow(/timeout/)
  const left = AbortSignal.abort(new Error('left'))
  await expect(client.get(question(), left)).rejects.toThrow('left')
})
