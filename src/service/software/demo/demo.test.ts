import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createBot } from 'mineflayer'
import type { Bot } from 'mineflayer'
import { freePort, RuntimeFixture, tempFolder } from '../../runtime/runtime.fixture.ts'
import type { ServerSpec } from '../../runtime/types.ts'
import { pingServer } from '../../worlds/server-list-ping.ts'
import { demoSoftware } from './demo.ts'

type Vec3 = Bot['entity']['position']

let folder: Awaited<ReturnType<typeof tempFolder>>
let it: RuntimeFixture
let spec: ServerSpec
const bots: Bot[] = []

beforeAll(async () => {
  folder = await tempFolder()
  it = await RuntimeFixture.open({ dataDir: folder.path })
  const version = (await it.runtime.versions('demo')).find((offered) => offered.recommended)!.id
  spec = await it.add('demo', { software: { id: 'demo', version }, port: await freePort() })
  await start()
})

// Who is there counts in the next test, whichever that is.
afterEach(async () => {
  for (const bot of bots.splice(0)) bot.end()
  await expect.poll(() => it.runtime.status('demo')?.players?.online ?? 0).toBe(0)
})

afterAll(async () => {
  await it.close()
  await folder.remove()
})

async function start(): Promise<void> {
  expect((await it.power('demo', 'start')).status).toBe(202)
  await it.until('demo', 'online')
}

async function stop(): Promise<void> {
  await it.order('demo', 'stop')
  await it.until('demo', 'offline')
}

/** Joins, or answers why it was refused. */
function enter(name: string): Promise<Bot | string> {
  const bot = createBot({
    host: spec.host,
    port: spec.port,
    username: name,
    auth: 'offline',
    version: spec.software.version,
  })
  bots.push(bot)
  return new Promise((resolve, reject) => {
    bot.once('spawn', () => resolve(bot))
    bot.once('kicked', (reason) => resolve(JSON.stringify(reason)))
    bot.once('error', reject)
  })
}

async function joined(name: string): Promise<Bot> {
  const bot = await enter(name)
  if (typeof bot === 'string') throw new Error(`${name} was not let in: ${bot}`)
  return bot
}

/** Resolves when the bot knows the block at a place. */
function known(bot: Bot, at: Vec3): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!bot.blockAt(at)) return
      bot.world.off('chunkColumnLoad', look)
      resolve()
    }
    bot.world.on('chunkColumnLoad', look)
    look()
  })
}

/** The id of the newest line, to look only behind it. */
async function newest(): Promise<string> {
  return (await it.call('GET', '/servers/console/demo?limit=1')).body.items.at(-1).id
}

describe('the demo server', () => {
  test('is offered only where there is a Node executable', () => {
    expect(demoSoftware('')).toBeNull()
    expect(it.runtime.catalog().map((software) => software.id)).toContain('demo')
  })

  test('speaks as a Paper server does', async () => {
    const after = await newest()
    await it.type('demo', 'list')
    await it.line('demo', /^\[\d\d:\d\d:\d\d INFO\]: There are 0 of a max of 20 players online: $/, after)
    await it.type('demo', 'say hello')
    await it.line('demo', /^\[\d\d:\d\d:\d\d INFO\]: \[Server\] hello$/, after)
    await it.type('demo', 'frobnicate')
    await it.line('demo', /Unknown command/, after)
    await it.type('demo', '/help')
    await it.line('demo', /\/pardon <player>/, after)
    await it.line('demo', /Done \([\d.]+s\)! For help, type "help"$/)
  })

  test('answers Server List Ping', async () => {
    expect(await pingServer(spec.port)).toMatchObject({
      version: expect.stringContaining(spec.software.version),
      players: { online: 0, max: 20 },
      description: expect.stringContaining(spec.name),
    })
  })

  test('a player who joins is counted, is heard, and is gone when kicked', async () => {
    const after = await newest()
    const bot = await joined('Alex')
    await it.line('demo', /: Alex joined the game$/, after)
    expect(it.runtime.status('demo')?.players).toEqual({ online: 1, max: 20 })
    bot.chat('good morning\u001b[31m')
    await it.line('demo', /: <Alex> good morning/, after)
    const kicked = new Promise<string>((resolve) =>
      bot.once('kicked', (reason) => resolve(JSON.stringify(reason))),
    )
    await it.type('demo', 'kick Alex too loud')
    expect(await kicked).toContain('too loud')
    await it.line('demo', /: Kicked Alex: too loud$/, after)
    await it.line('demo', /: Alex left the game$/, after)
    for await (const { event, data } of it.events({ servers: 'demo' }))
      if (event === 'players' && data.players.online === 0) break
  })

  test('a ban holds over a restart, until it is pardoned; the world is kept', async () => {
    const bot = await joined('Builder')
    const at = bot.entity.position.floored().offset(1, 5, 1)
    await known(bot, at)
    const placed = new Promise<void>((resolve) =>
      bot.world.on(`blockUpdate:${at.toString()}`, () => resolve()),
    )
    await it.type('demo', `setblock ${at.x} ${at.y} ${at.z} 1`)
    await placed
    expect(bot.blockAt(at)?.name).toBe('stone')
    await it.type('demo', 'ban Griefer digging holes')
    await it.type('demo', 'op Builder')
    expect(await enter('Griefer')).toContain('digging holes')
    await stop()
    const bans = JSON.parse(await readFile(join(spec.folder, 'banned-players.json'), 'utf8'))
    expect(bans).toMatchObject([{ name: 'Griefer', reason: 'digging holes', expires: 'forever' }])

    await start()
    expect(await enter('Griefer')).toContain('digging holes')
    const after = await newest()
    await it.type('demo', 'pardon Griefer')
    await it.line('demo', /Unbanned Griefer/, after)
    await joined('Griefer')
    await it.line('demo', /Griefer joined the game/, after)
    const again = await joined('Builder')
    await known(again, at)
    expect(again.blockAt(at)?.name).toBe('stone')
  })

  test('that is stopped while it starts ends by itself as soon as it has', async () => {
    await stop()
    const after = await newest()
    expect((await it.power('demo', 'start')).status).toBe(202)
    expect((await it.power('demo', 'stop')).status).toBe(202)
    await it.until('demo', 'offline')
    const { items } = (await it.call('GET', `/servers/console/demo?after=${after}`)).body
    const lines = items.map(({ text }: { text: string }) => text).join('\n')
    expect(lines).toContain('Saving worlds')
    expect(lines).not.toMatch(/did not stop|did not end/)
    await start()
  })
})
