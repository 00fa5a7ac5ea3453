import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countless, longest } from '../../../../tests/fixtures/large-answers.ts'
import { api } from '../../../contract/areas/index.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { quickClock, server, service } from '../client.fixture.ts'
import { thrownProblem } from '../thrown-problem.fixture.ts'

const MIB = 1024 * 1024
const params = { serverId: 's' }
const unreadable = { code: 'incompatible', ...localized('answer.unreadable-size') }

const packers = {
  identity: (text: string) => Buffer.from(text),
  gzip: (text: string) => gzipSync(text, { level: 1 }),
  br: (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
}
const encodings = Object.keys(packers) as (keyof typeof packers)[]

let at: Awaited<ReturnType<typeof service>>
let next: { body: Buffer; encoding: string; status: number }
/** Milliseconds that have passed. */
let elapsed = 0
const clock = { ...quickClock(), elapsed: () => elapsed }

beforeAll(async () => {
  at = await service(
    (_request, response) => {
      const { body, encoding, status } = next
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
      response.writeHead(status, headers).end(body)
    },
    { clock },
  )
})
afterAll(() => at[Symbol.asyncDispose]())

/** Every answer of the service is this one from now on. */
function sends(text: string, encoding: keyof typeof packers = 'identity', status = 200): void {
  next = { body: packers[encoding](text), encoding, status }
  elapsed += 60_000
}
const list = () => at.client.send(api.servers.list, {})

test.each(Object.entries(countless))('an answer of countless %s is refused unparsed', async (_name, make) => {
  sends(make(8 * MIB))
  expect(await thrownProblem(list())).toMatchObject(unreadable)
  expect(await thrownProblem(at.client.send(api.servers.read, { params }))).toMatchObject(unreadable)
})

test.each(encodings)('so is one of the largest size, sent as %s', async (encoding) => {
  sends(countless['empty lists as items']?.(31 * MIB) ?? '', encoding)
  expect(await thrownProblem(list())).toMatchObject(unreadable)
})

test.each(Object.entries(longest))(
  'an answer that is mostly %s is read up to a size',
  async (_name, make) => {
    sends(make(17 * MIB))
    expect(await thrownProblem(list())).toMatchObject(unreadable)
    sends(make(MIB))
    expect((await list()).value).toMatchObject({ items: [], complete: true })
  },
)

test('a list of few long items is refused where no such list needs so many bytes', async () => {
  const items = Array.from({ length: 10_000 }, (_, id) => ({ ...server(`${id}`), name: 'x'.repeat(1000) }))
  sends(JSON.stringify({ items }))
  expect(await thrownProblem(list())).toMatchObject(unreadable)
})

test('what could not be read is not asked for again at once, and everything else is', async () => {
  sends(countless['empty lists']?.(2 * MIB) ?? '')
  await thrownProblem(list())
  const before = at.listener.seen.length
  for (let polls = 0; polls < 3; polls++) expect(await thrownProblem(list())).toMatchObject(unreadable)
  expect(at.listener.seen).toHaveLength(before)
  await thrownProblem(at.client.send(api.servers.list, { query: { cursor: '2' } }))
  expect(at.listener.seen).toHaveLength(before + 1)
  at.client.offered.askAgain('servers.list')
  await thrownProblem(list())
  expect(at.listener.seen).toHaveLength(before + 2)
  sends('{"items":[]}')
  expect((await list()).value.items).toEqual([])
})

test('a refusal says what its status says, however large it is', async () => {
  for (const make of Object.values(countless)) {
    for (const size of [MIB / 2, 2 * MIB]) {
      sends(make(size), 'gzip', 409)
      const refused = await thrownProblem(at.client.send(api.servers.read, { params }))
      expect(refused).toMatchObject({ code: 'conflict', ...localized('answer.conflict') })
    }
  }
})

test('a write whose answer is too large is not confirmed, and one that is nothing without it has failed', async () => {
  sends(countless['empty lists']?.(MIB) ?? '')
  const write = at.client.send(api.servers.power, { params, body: { action: 'start' } })
  expect(await thrownProblem(write)).toMatchObject({ code: 'unconfirmed', unsure: true })
  const signIn = at.client.send(api.account.signIn, { body: { email: 'a@example.com', password: 'b' } })
  expect(await thrownProblem(signIn)).toMatchObject({ ...unreadable, unsure: true })
})

describe.each(encodings)('long lists, sent as %s,', (encoding) => {
  test('of ten thousand servers are read whole, whatever they stand in', async () => {
    const items = Array.from({ length: 10_000 }, (_, id) => server(`${id}`))
    const servers = items.map((one) => ({ ...one, own: { tags: ['a', 'b'] } }))
    for (const body of [{ items: servers, nextCursor: null }, { total: 10_000, data: servers }, servers]) {
      sends(JSON.stringify(body), encoding)
      expect((await list()).value).toEqual({ items, leftOut: [], complete: true, nextCursor: null })
    }
  })

  test('of two hundred thousand files are read whole', async () => {
    const items = Array.from({ length: 200_000 }, (_, id) => ({ name: `${id}.txt`, kind: 'file', size: id }))
    sends(JSON.stringify({ items, nextCursor: null }), encoding)
    const { value } = await at.client.send(api.files.list, { params })
    expect(value).toMatchObject({ leftOut: [], complete: true })
    expect(value.items).toEqual(items)
  })
})
