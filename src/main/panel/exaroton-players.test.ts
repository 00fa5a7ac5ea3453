import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ManagedGame } from '../../../tests/doubles/management.ts'
import { signedIn } from './exaroton.fixture.ts'

const ANN = { id: '0b5c0d0f-6f5f-4c7e-9f0b-2c6f1c3b7a11', name: 'Ann' }
const BOB = { id: '2a1f6c5e-0b1d-4e6f-8a77-5f2f4c1d9b22', name: 'Bob' }
const NEXT_YEAR = '2099-01-01T00:00:00Z'

/** A server, and what is done to its players; `said` is what its console was told. */
async function withPlayers(more: Parameters<typeof signedIn>[0] = {}) {
  const opened = await signedIn({ players: ['Ann'], ...more })
  const { view, send, host, files, at } = opened
  writeFileSync(path.join(files, 'server.properties'), 'a=ü\nwhite-list=false\n', 'latin1')
  writeFileSync(path.join(files, 'logs/latest.log'), '')
  return {
    ...opened,
    list: async () => (await view('players.list', at, true)).value?.items,
    act: async (body: object) =>
      (await send('players.act', { ...at, body: body as never }))?.results as unknown[],
    turnWhitelist: (enabled: boolean) => send('players.turn-whitelist', { ...at, body: { enabled } }),
    isWhitelistOn: async () => (await view('players.whitelist', at, true)).value?.enabled,
    said: () =>
      host.seen.flatMap(({ method, path: to, body }) =>
        method === 'POST' && to.endsWith('/command')
          ? [(JSON.parse(body) as { command: string }).command]
          : [],
      ),
  }
}

/** From 1.21.9 on, a game speaks the management protocol. */
async function managed() {
  const game = new ManagedGame()
  game.online = [ANN]
  game.profiles.push(BOB)
  return { game, ...(await withPlayers({ version: '1.21.10', game })) }
}

test('players are those online and on the lists, and lists are changed where exaroton keeps them', async () => {
  const { list, act, server, said } = await withPlayers()
  Object.assign(server.lists, { whitelist: ['Ann', 'Bob'], ops: ['Bob'], 'banned-players': ['Eve'] })
  expect(await list()).toMatchObject([
    { name: 'Ann', online: true, whitelisted: true, op: false, banned: null },
    { name: 'Bob', online: false, whitelisted: true, op: true },
    { name: 'Eve', online: false, whitelisted: false, banned: {} },
  ])
  expect(await act({ action: 'whitelist-add', names: ['bob', 'Cid'] })).toMatchObject([
    { name: 'bob', outcome: 'unchanged' },
    { name: 'Cid', outcome: 'done' },
  ])
  expect(await act({ action: 'pardon', names: ['Eve'] })).toMatchObject([{ outcome: 'done' }])
  expect(server.lists).toMatchObject({ whitelist: ['Ann', 'Bob', 'Cid'], 'banned-players': [] })
  expect(said()).toEqual([])
})

test('where there is no management protocol, the console answers, as far as it does', async () => {
  const { act, turnWhitelist, isWhitelistOn, said, host, server } = await withPlayers()
  expect(await act({ action: 'kick', names: ['Ann'], reason: 'bye' })).toEqual([
    { name: 'Ann', outcome: 'done' },
  ])
  expect(await act({ action: 'message', names: ['Ann'], reason: 'tea?' })).toMatchObject([
    { outcome: 'unconfirmed' },
  ])
  expect(await act({ action: 'ban', names: ['Ann'], until: NEXT_YEAR })).toMatchObject([
    { outcome: 'failed', error: { code: 'host.ban-end' } },
  ])
  expect(await isWhitelistOn()).toBe(false)
  await turnWhitelist(true)
  expect(await isWhitelistOn()).toBe(true)
  expect(said()).toEqual(['kick Ann bye', 'tell Ann tea?', 'whitelist on'])
  host.enter(server, 5)
  await expect(turnWhitelist(false)).rejects.toMatchObject({ problem: { code: 'conflict' } })
  expect(host.faults).toEqual([])
})

test('of a server at rest, bans with an end and the whitelist are written where the game reads them', async () => {
  const { act, turnWhitelist, files, said } = await withPlayers({ status: 0 })
  writeFileSync(path.join(files, 'usercache.json'), JSON.stringify([{ uuid: ANN.id, name: 'Ann' }]))
  expect(await act({ action: 'ban', names: ['Ann'], reason: 'rude', until: NEXT_YEAR })).toMatchObject([
    { outcome: 'done' },
  ])
  const [ban] = JSON.parse(readFileSync(path.join(files, 'banned-players.json'), 'utf8')) as object[]
  expect(ban).toMatchObject({
    uuid: ANN.id,
    reason: 'rude',
    expires: expect.stringMatching(/^2099-01-01/) as string,
  })
  expect(await act({ action: 'kick', names: ['Ann'] })).toMatchObject([{ outcome: 'failed' }])
  await turnWhitelist(true)
  expect(readFileSync(path.join(files, 'server.properties'), 'latin1')).toBe('a=ü\nwhite-list=true\n')
  expect(said()).toEqual([])
})

test('through the management protocol, what came of it is known, and a ban has its end', async () => {
  const { act, turnWhitelist, isWhitelistOn, game, said, host } = await managed()
  expect(await act({ action: 'message', names: ['Ann', 'Bob'], reason: 'tea?' })).toMatchObject([
    { name: 'Ann', outcome: 'done' },
    { name: 'Bob', outcome: 'failed' },
  ])
  expect(game.said).toEqual(['Ann: [Server] tea?'])
  const ban = { action: 'ban', names: ['Ann', 'Nobody'], reason: 'rude', until: NEXT_YEAR }
  expect(await act(ban)).toMatchObject([{ outcome: 'done' }, { outcome: 'failed' }])
  expect(game.bans).toMatchObject([{ player: ANN, reason: 'rude', expires: '2099-01-01T00:00:00.000Z' }])
  expect(await act(ban)).toMatchObject([{ outcome: 'unchanged' }, { outcome: 'failed' }])
  expect(await act({ action: 'kick', names: ['Ann'] })).toEqual([{ name: 'Ann', outcome: 'done' }])
  await turnWhitelist(true)
  expect(game.usesAllowlist).toBe(true)
  expect(await isWhitelistOn(), 'though its settings are written later').toBe(true)
  expect(said()).toEqual([])
  expect(host.faults).toEqual([])
})

test('what the management protocol does not do, the console is asked for; what it may have done is not done twice', async () => {
  const { act, turnWhitelist, game, said, host } = await managed()
  game.faults.set('minecraft:players/kick', 'unknown-method')
  expect(await act({ action: 'kick', names: ['Ann'], reason: 'bye' })).toEqual([
    { name: 'Ann', outcome: 'done' },
  ])
  expect(said()).toEqual(['kick Ann bye'])
  for (const fault of ['garbage', 'internal-error', 'closes-after'] as const) {
    game.online = [ANN]
    game.faults.set('minecraft:players/kick', fault)
    expect(await act({ action: 'kick', names: ['Ann'] }), fault).toEqual([
      { name: 'Ann', outcome: 'unconfirmed' },
    ])
  }
  await expect.poll(() => host.lines.size, { timeout: 15_000 }).toBe(1)
  game.faults.set('minecraft:serversettings/use_allowlist/set', 'garbage')
  await expect(turnWhitelist(true)).rejects.toMatchObject({ problem: { serviceCode: 'players.unconfirmed' } })
  expect(said()).toEqual(['kick Ann bye'])
  expect(host.faults).toEqual([])
})

test('where the stream of the management protocol does not begin, the console is asked, and goes on', async () => {
  const { act, said, host, call, ref, server } = await withPlayers({ version: '1.21.10' })
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => [...host.lines][0]?.streams.has('console')).toBe(true)
  expect(await act({ action: 'kick', names: ['Ann'], reason: 'bye' })).toEqual([
    { name: 'Ann', outcome: 'done' },
  ])
  expect(await act({ action: 'kick', names: ['Ann'], reason: 'now' })).toEqual([
    { name: 'Ann', outcome: 'done' },
  ])
  expect(said()).toEqual(['kick Ann bye', 'kick Ann now'])
  expect(host.faults, 'asked for once').toEqual(['no management'])
  expect(server.status).toBe(1)
})
