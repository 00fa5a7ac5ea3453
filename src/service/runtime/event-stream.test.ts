import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RuntimeFixture, tempFolder } from './runtime.fixture.ts'

let folder: Awaited<ReturnType<typeof tempFolder>>
let it: RuntimeFixture

beforeEach(async () => {
  folder = await tempFolder()
  it = await RuntimeFixture.open({ dataDir: folder.path })
})

afterEach(async () => {
  await it.close()
  await folder.remove()
})

async function running(id: string): Promise<void> {
  await it.add(id)
  await it.order(id, 'start')
  await it.until(id, 'online')
}

const seqOf = (line: { id: string }) => Number(line.id.split('-')[1])

describe('the event stream', () => {
  test('tells status, players and statistics first, and lines only from now on', async () => {
    await running('a')
    const seen: string[] = []
    for await (const { event, data } of it.events({ servers: 'a' })) {
      expect(data.serverId).toBe('a')
      seen.push(event)
      if (event === 'players') await it.command('a', 'say now')
      if (
        event === 'lines' &&
        data.lines.some((line: { text: string }) => line.text.endsWith('[Server] now'))
      )
        break
      if (event === 'lines') for (const line of data.lines) expect(line.text).not.toContain('Done (')
    }
    expect(seen.slice(0, 2)).toEqual(['status', 'players'])
  })

  test('gives the line of a command also where its server says nothing to it', async () => {
    await running('a')
    for await (const { event, data } of it.events({ servers: 'a' })) {
      if (event === 'players') expect((await it.command('a', 'print')).status).toBe(202)
      if (event !== 'lines') continue
      expect(data.lines).toMatchObject([{ text: 'print', source: 'command' }])
      break
    }
  })

  test('carries several servers, also while one of them floods', async () => {
    await Promise.all([running('a'), running('b')])
    const lines = { a: 0, b: 0 }
    let other = 0
    await it.type('a', 'flood 50000')
    for await (const { event, data } of it.events({ servers: 'a,b', after: 'a:1-0,b:1-0' })) {
      if (event !== 'lines') continue
      const id = data.serverId as 'a' | 'b'
      for (const line of data.lines) expect(seqOf(line)).toBe(++lines[id])
      if (lines.a > 1000 && other === 0) other = (await it.command('b', 'say between')).status
      if (id === 'b' && data.lines.some((line: { text: string }) => line.text.endsWith('[Server] between')))
        break
    }
    // The other server's turn comes long before the flood is over.
    expect(lines.a).toBeLessThan(50_000)
  })

  test('gives lines only of the servers they are wanted of', async () => {
    await Promise.all([running('a'), running('b')])
    const statusOf = new Set<string>()
    for await (const { event, data } of it.events({ servers: 'a,b', lines: 'b', after: 'a:1-0,b:1-0' })) {
      if (event === 'status') statusOf.add(data.serverId)
      if (event === 'lines') expect(data.serverId).toBe('b')
      if (event === 'lines' && statusOf.size === 2) break
    }
  })

  test('goes on without loss after the connection was cut at any point', async () => {
    await running('a')
    await it.type('a', 'rate 5000 3')
    let last = 0
    for (let cut = 1, over = false; !over; cut++) {
      let events = 0
      for await (const { event, data } of it.events({ servers: 'a', after: `a:1-${last}` })) {
        if (event === 'gap') throw new Error(`told a gap: ${JSON.stringify(data)}`)
        if (event !== 'lines') continue
        for (const line of data.lines) {
          expect(seqOf(line)).toBe(++last)
          over ||= /Rate of 5000/.test(line.text)
        }
        // Prime steps: the cut falls at ever other places.
        if (over || ++events >= [1, 2, 3, 5, 7, 11][cut % 6]!) break
      }
    }
    expect(last).toBeGreaterThan(15_000)
  })

  test('tells an id that was never given out as a gap', async () => {
    await running('a')
    for await (const { event, data } of it.events({ servers: 'a', after: 'a:9-1' })) {
      if (event !== 'gap') continue
      expect(data).toMatchObject({ serverId: 'a', from: null, to: expect.stringMatching(/^1-\d+$/) })
      break
    }
  })

  test('refuses ids that are none, and more than it can watch', async () => {
    await it.add('a')
    const at = (query: string) => it.call('GET', `/servers/events?${query}`)
    expect(await at('servers=a&after=a:x')).toMatchObject({
      status: 422,
      body: { error: { fields: { after: [expect.any(String)] } } },
    })
    expect((await at('servers=,')).status).toBe(422)
    expect((await at('servers=nobody')).status).toBe(404)
    expect((await at(`servers=${Array.from({ length: 501 }, (_, i) => i).join(',')}`)).status).toBe(422)
  })

  test('a reader that stops reading costs the service nothing, and catches up from disk', async () => {
    await running('a')
    const answer = await new Promise<IncomingMessage>((resolve) =>
      get(
        `${it.baseUrl}/servers/events?servers=a&after=a:1-0`,
        { headers: { authorization: 'Bearer x' } },
        resolve,
      ),
    )
    answer.pause()
    const started = performance.now()
    await it.type('a', 'rate 20000 5')
    const verdict = await it.line('a', /Rate of 20000/)
    // The program itself tells how long it took: had it been held up, it would not even have ended.
    expect(Number(/in ([\d.]+) s/.exec(verdict.text)![1])).toBeLessThan(40)
    expect(performance.now() - started).toBeGreaterThan(4_900)
    const last = seqOf(verdict)
    expect(last).toBeGreaterThan(100_000)

    let next = 1
    let rest = ''
    answer.setEncoding('utf8')
    for await (const text of answer) {
      const events = (rest + text).split('\n\n')
      rest = events.pop()!
      for (const event of events) {
        expect(event).not.toContain('event: gap')
        if (!event.startsWith('event: lines')) continue
        for (const line of JSON.parse(event.slice(event.indexOf('data: ') + 6)).lines)
          if (seqOf(line) !== next++) throw new Error(`lost before ${line.id}`)
      }
      if (next > last) break
    }
    answer.destroy()
  })

  test('goes on for the other servers when one is deleted', async () => {
    await it.add('a')
    await running('b')
    const seen: string[] = []
    for await (const { event, data } of it.events({ servers: 'a,b' })) {
      if (seen.length === 0) await it.runtime.forget('a')
      // That it is gone is told once.
      if (event !== 'changed') seen.push(data.serverId)
      if (event === 'stats') break
    }
    // What was on its way already may still come; after the other server's turn nothing does.
    expect(seen.slice(seen.indexOf('b'))).not.toContain('a')
  })

  test('tells of those that are there where one of many is not, and ends with the last of them', async () => {
    await running('b')
    const seen = new Set<string>()
    for await (const { event, data } of it.events({
      servers: 'gone,b',
      after: 'gone:1-0',
      lines: 'gone,b',
    })) {
      seen.add(data.serverId)
      if (event !== 'status' || data.serverId !== 'b') continue
      if (data.status.status === 'online') await it.order('b', 'kill')
      if (data.status.status === 'offline') await it.runtime.forget('b')
    }
    expect([...seen]).toEqual(['b'])
    await expect(it.events({ servers: 'gone,b' }).next()).rejects.toThrow('server.not-found')
  })
})

describe('history over HTTP', () => {
  test('pages back with the id it names', async () => {
    await running('a')
    await it.type('a', 'flood 3000')
    await it.line('a', /Flood of 3000/)
    const seen: number[] = []
    let before = ''
    do {
      const { body } = await it.call('GET', `/servers/console/a?limit=700${before}`)
      seen.unshift(...body.items.map(seqOf))
      before = body.nextCursor ? `&before=${body.nextCursor}` : ''
    } while (before)
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, i) => i + 1))
    expect(seen.length).toBeGreaterThan(3000)
    expect((await it.call('GET', '/servers/console/a?before=x')).status).toBe(422)
  })
})
