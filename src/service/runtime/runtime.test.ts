import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from 'node:net'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findProcess } from './processes/process-table.ts'
import { RuntimeFixture, tempFolder } from './runtime.fixture.ts'

const stop = { commandMs: 300, termMs: 300 }
let folder: Awaited<ReturnType<typeof tempFolder>>
let it: RuntimeFixture

beforeEach(async () => {
  folder = await tempFolder()
  it = await RuntimeFixture.open({ dataDir: folder.path, stop })
})

afterEach(async () => {
  await it.close()
  await folder.remove()
})

const living = async (pids: number[]) =>
  (await Promise.all(pids.map(findProcess))).filter((row) => row !== null).length

describe('power', () => {
  test('starts a server, brings a command back as a line and stops it', async () => {
    await it.add('a')
    expect((await it.power('a', 'start')).status).toBe(202)
    await it.until('a', 'online')
    const sent = await it.command('a', 'say hello')
    expect(sent.status).toBe(202)
    const echoed = await it.line('a', /\[Server\] hello$/)
    const typed = await it.line('a', /^say hello$/)
    expect(typed).toMatchObject({ id: sent.body.lineId, source: 'command' })
    expect(Number(echoed.id.split('-')[1])).toBeGreaterThan(Number(typed.id.split('-')[1]))
    await it.order('a', 'stop')
    await it.until('a', 'offline')
    expect(await it.line('a', /has stopped/)).toMatchObject({
      source: 'service',
      sentences: [{ sentence: 'console.stopped', values: {} }],
    })
  })

  test('refuses what makes no sense now, in a sentence', async () => {
    await it.add('a')
    expect(await it.power('a', 'stop')).toMatchObject({
      status: 409,
      body: { error: { code: 'server.not-running' } },
    })
    expect(await it.command('a', 'list')).toMatchObject({
      status: 409,
      body: { error: { code: 'server.not-running' } },
    })
    expect(await it.call('GET', '/servers/stats/a')).toMatchObject({
      status: 409,
      body: { error: { code: 'server.not-online' } },
    })
    await it.order('a', 'start')
    expect(await it.power('a', 'start')).toMatchObject({
      status: 409,
      body: { error: { code: 'server.running' } },
    })
    expect(() => it.runtime.requireDown('a')).toThrow('is running')
  })

  test('a server that ends unasked has crashed, and its exit code is told', async () => {
    await it.add('a')
    await it.order('a', 'start')
    await it.until('a', 'online')
    await it.type('a', 'crash 7')
    await it.until('a', 'crashed')
    expect(it.runtime.status('a')).toMatchObject({ status: 'crashed', exitCode: 7 })
    expect(await it.line('a', /crashed.*exit code 7/)).toMatchObject({
      sentences: [{ sentence: 'console.crashed', values: { how: 'exit-code', code: '7' } }],
    })
    expect((await it.power('a', 'start')).status).toBe(202)
    await it.until('a', 'online')
  })

  test('a server that is told to stop in its console has stopped, not crashed', async () => {
    await it.add('a')
    await it.order('a', 'start')
    await it.until('a', 'online')
    await it.type('a', 'stop')
    await it.until('a', 'offline')
  })

  test('a server that does not stop is told to end, then killed with its children', async () => {
    await it.add('a')
    await it.order('a', 'start')
    await it.until('a', 'online')
    await it.type('a', 'tree')
    await it.type('a', 'tree detached')
    await it.type('a', 'hang')
    await it.line('a', /no longer stops/)
    const { body } = await it.call('GET', '/servers/console/a')
    const children = body.items
      .flatMap((line: { text: string }) => /Child (\d+)/.exec(line.text)?.[1] ?? [])
      .map(Number)
    expect(await living(children)).toBe(2)
    await it.order('a', 'stop')
    await it.until('a', 'offline')
    await it.line('a', /TERM/)
    await it.line('a', /KILL/)
    expect(await living(children)).toBe(0)
  })

  test('kill ends a hanging server at once', async () => {
    await it.add('a')
    await it.order('a', 'start')
    await it.until('a', 'online')
    await it.type('a', 'hang')
    await it.order('a', 'kill')
    await it.until('a', 'offline')
  })

  test('restart stops the server and starts it again; line ids run on', async () => {
    await it.add('a')
    await it.order('a', 'start')
    await it.until('a', 'online')
    await it.order('a', 'restart')
    await it.line('a', /Restarting/)
    await it.line('a', /has stopped/)
    await it.until('a', 'online')
    const { body } = await it.call('GET', '/servers/console/a')
    expect(body.items.map((line: { id: string }) => line.id)).toEqual(
      body.items.map((_: unknown, index: number) => `1-${index + 1}`),
    )
  })

  test('a port that another program holds is told in the answer and in the console', async () => {
    const spec = await it.add('a')
    const foreign = createServer()
    await new Promise<void>((resolve) => foreign.listen(spec.port, '127.0.0.1', resolve))
    const refused = await it.power('a', 'start')
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'server.port-taken' } } })
    await it.line('a', /in use by another program/)
    expect(it.runtime.status('a')?.status).toBe('offline')
    await new Promise((resolve) => foreign.close(resolve))
    expect((await it.power('a', 'start')).status).toBe(202)
  })

  test('a port that another server of this service uses is told with its name', async () => {
    const { port } = await it.add('a')
    await it.add('b', { port })
    await it.order('a', 'start')
    expect((await it.power('b', 'start')).body.error.message).toContain('Server a')
  })

  test('software that is not offered is told in the console', async () => {
    await it.add('a', { software: { id: 'gone', version: '1' } })
    await it.order('a', 'start')
    await it.line('a', /"gone", is not offered/)
    expect(it.runtime.status('a')?.status).toBe('crashed')
  })
})

describe('live state', () => {
  test('players are counted and named, and leave with the server', async () => {
    await it.add('a')
    await it.order('a', 'start')
    await it.until('a', 'online')
    const seen: unknown[] = []
    await it.type('a', 'join Alex')
    await it.type('a', 'say Bob joined the game')
    for await (const { event, data } of it.events({ servers: 'a' })) {
      if (event !== 'players') continue
      seen.push(data.players.names)
      if (data.players.online === 1) {
        expect(it.runtime.status('a')?.players).toMatchObject({ online: 1 })
        await it.order('a', 'stop')
      } else if (seen.length > 1) break
    }
    expect(seen.slice(-2)).toEqual([['Alex'], []])
  })

  test('statistics count the whole process tree while the server is online', async () => {
    await it.add('a')
    await it.order('a', 'start')
    await it.until('a', 'online')
    const alone = (await it.call('GET', '/servers/stats/a')).body
    expect(alone).toMatchObject({ memoryLimitBytes: 512 * 1024 * 1024 })
    await it.type('a', 'tree')
    await it.line('a', /Child/)
    for await (const { event, data } of it.events({ servers: 'a' }))
      if (event === 'stats' && data.stats.memoryBytes > alone.memoryBytes + 15 * 1024 * 1024) break
  })

  test('error output is marked, and an unfinished last line is not lost', async () => {
    await it.add('a')
    await it.order('a', 'start')
    await it.until('a', 'online')
    await it.type('a', 'error oops')
    expect(await it.line('a', /^oops$/)).toMatchObject({ source: 'error' })
    await it.type('a', 'print unfinished')
    await it.order('a', 'stop')
    await it.line('a', /^unfinished/)
  })

  test('removing a server removes its console', async () => {
    await it.add('a')
    await it.order('a', 'start')
    await it.until('a', 'online')
    await it.order('a', 'kill')
    await it.until('a', 'offline')
    await it.runtime.forget('a')
    expect(existsSync(join(folder.path, 'console', 'a'))).toBe(false)
    expect((await it.call('GET', '/servers/status/a')).status).toBe(404)
  })
})
