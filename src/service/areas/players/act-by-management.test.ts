import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { ManagementStandIn, type StandInPlayer } from '../../../../tests/doubles/management.ts'
import { LINK_TUNING } from '../../management/management-link.ts'
import type { ManagementCalls } from '../../../host/management/messages.ts'
import { actByManagement } from '../../../host/management/player-acts.ts'
import { ALEX, PlayersFixture, STEVE } from './players.fixture.ts'

const steve = { id: STEVE, name: 'Steve' }
const alex = { id: ALEX, name: 'Alex' }
let marks = 0
const bedrock = { id: '00000000-0000-0000-0009-01f5e6d7c8b9', name: '.Bea' }

/** A running server with the management protocol: of a stand-in, since no software here speaks it. */
async function managed(online: StandInPlayer[] = []) {
  // Short pauses: it is let go of and opened again over and over.
  const it = await PlayersFixture.start({ management: { ...LINK_TUNING, retryFirstMs: 20, retryMostMs: 50 } })
  const stand = await ManagementStandIn.start()
  onTestFinished(() => stand.close())
  stand.profiles.push(steve, alex, bedrock)
  await it.write('server.properties', `level-name=world\n${stand.settings}`)
  await it.online()
  const namesOn = async () =>
    (await it.items('players/ID')).filter(({ online: isOn }) => isOn).map(({ name }) => name)
  /** It is used, again: the service says who is on as the stand-in does. */
  const used = async (players: StandInPlayer[]) => {
    const mark = { id: randomUUID(), name: `Mark_${marks++}` }
    stand.online = [...players, mark]
    stand.hangUp()
    await expect.poll(namesOn).toContain(mark.name)
    stand.leave(mark)
    await expect.poll(namesOn).toEqual(players.map(({ name }) => name).toSorted())
  }
  await used(online)
  const outcomes = async (body: object): Promise<string[]> => {
    const { status, body: answer } = await it.act(body)
    expect(status, JSON.stringify(answer)).toBe(200)
    return answer.results.map((one: { outcome: string; error?: { code: string } }) =>
      one.error ? `${one.outcome} ${one.error.code}` : one.outcome,
    )
  }
  const methods = () =>
    stand.calls.map(({ method }) => method).filter((method) => /add|remove|kick|_|set/.test(method))
  /** What the console was told, so that it can be seen that it was not. */
  const told = async () => {
    const { body } = await it.call('GET', 'console/ID?limit=200')
    return body.items
      .filter(({ source }: { source?: string }) => source === 'command')
      .map(({ text }: { text: string }) => text)
  }
  return { it, stand, outcomes, methods, told, used, namesOn }
}

test('with the management protocol several players are acted on at once, with the result of each as the server answers it', async () => {
  const { it, stand, outcomes, told, namesOn } = await managed([steve, bedrock])
  expect((await it.call('GET', 'status/ID')).body.players).toMatchObject({ online: 2 })
  expect(await outcomes({ action: 'op', names: ['steve', 'Nobody', '.Bea', 'a b'] })).toEqual([
    'done',
    'failed players.refused',
    'done',
    'failed players.name-unknown',
  ])
  expect(stand.calls.at(-1)).toEqual({
    method: 'minecraft:operators/add',
    params: [[{ player: { name: 'Steve' } }, { player: { name: 'Nobody' } }, { player: { name: '.Bea' } }]],
  })
  expect(await outcomes({ action: 'op', names: ['Steve'] })).toEqual(['unchanged'])
  expect(await outcomes({ action: 'deop', names: ['Steve', 'Alex'] })).toEqual(['done', 'unchanged'])
  // Only the console takes nothing but names.
  expect(await outcomes({ action: 'whitelist-add', names: [ALEX, 'Steve'] })).toEqual(['done', 'done'])
  expect(stand.allowlist).toEqual([alex, steve])
  expect(await outcomes({ action: 'whitelist-remove', names: ['Alex', 'Alex2'] })).toEqual([
    'done',
    'unchanged',
  ])
  expect(await outcomes({ action: 'message', names: ['Steve', 'Alex'], reason: 'tea?' })).toEqual([
    'done',
    'failed players.refused',
  ])
  expect(stand.said).toEqual(['Steve: [Server] tea?'])
  expect(await outcomes({ action: 'kick', names: ['Steve', 'Alex'], reason: 'late' })).toEqual([
    'done',
    'failed players.refused',
  ])
  expect(stand.calls.at(-1)).toEqual({
    method: 'minecraft:players/kick',
    params: [[{ player: { name: 'Steve' }, message: { literal: 'late' } }]],
  })
  await expect.poll(namesOn).toEqual(['.Bea'])
  expect((await it.call('PUT', 'players/whitelist/ID', { enabled: true })).body).toEqual({ enabled: true })
  expect(stand.usesAllowlist).toBe(true)
  expect(await told()).toEqual([])
})

test('a ban has its end from the server itself, and none is kept beside it', async () => {
  const { stand, outcomes, methods } = await managed([steve])
  const until = '2096-03-04T05:06:07.000Z'
  const ban = { action: 'ban', names: ['Steve'], reason: 'dug "holes"', until }
  expect(await outcomes(ban)).toEqual(['done'])
  expect(stand.bans).toEqual([{ player: steve, reason: 'dug "holes"', expires: until }])
  expect(await outcomes(ban)).toEqual(['unchanged'])
  expect(await outcomes({ action: 'ban', names: ['Steve'] })).toEqual(['done'])
  expect(stand.bans).toEqual([{ player: steve }])
  expect(await outcomes({ action: 'pardon', names: ['Steve', 'Alex'] })).toEqual(['done', 'unchanged'])
  expect(stand.bans).toEqual([])
  expect(methods()).toEqual(['minecraft:bans/add', 'minecraft:bans/add', 'minecraft:bans/remove'])
})

test('where the protocol refuses or is gone before anything was done, the console is told', async () => {
  const { stand, outcomes, told, used } = await managed()
  for (const [action, method, fault] of [
    ['op', 'minecraft:operators', 'unknown-method'],
    ['deop', 'minecraft:operators/remove', 'unknown-method'],
    ['whitelist-add', 'minecraft:allowlist', 'garbage'],
    ['ban', 'minecraft:bans', 'huge'],
    ['pardon', 'minecraft:bans', 'closes-before'],
  ] as const) {
    await used([])
    stand.operators =
      action === 'deop' ? [{ player: steve, permissionLevel: 4, bypassesPlayerLimit: false }] : []
    stand.faults.set(method, fault)
    const before = (await told()).length
    expect([action, await outcomes({ action, names: ['Steve'] })]).toEqual([action, ['done']])
    expect(await told()).toHaveLength(before + 1)
    stand.faults.clear()
  }
})

test('an act whose answer was lost is not known, and not told a second time by the console', async () => {
  const { it, stand, outcomes, told, used } = await managed()
  for (const fault of ['closes-after', 'closes-before', 'internal-error', 'huge'] as const) {
    await used([steve])
    stand.faults.set('minecraft:players/kick', fault)
    expect([fault, await outcomes({ action: 'kick', names: ['Steve', 'Alex'] })]).toEqual([
      fault,
      ['unconfirmed', 'failed players.refused'],
    ])
  }
  await used([])
  stand.faults.set('minecraft:serversettings/use_allowlist/set', 'closes-after')
  const { status, body } = await it.call('PUT', 'players/whitelist/ID', { enabled: true })
  expect([status, body.error.code]).toEqual([409, 'players.unconfirmed'])
  expect(await told()).toEqual([])
})

test('of somebody who leaves while a kick is under way it is not said that none was sent', async () => {
  const answers: Record<string, unknown> = { 'minecraft:players': [steve], 'minecraft:players/kick': [] }
  const link: ManagementCalls = { call: async (method) => ({ kind: 'answered', result: answers[method] }) }
  const kick = { action: 'kick' as const, names: ['Steve'] }
  const results = await actByManagement(link, kick, [{ name: 'Steve', uuid: STEVE }], () => {})
  expect(results).toMatchObject([{ outcome: 'failed', error: { code: 'players.refused' } }])
  expect(results?.[0]?.error?.message).not.toContain('nothing was sent')
})

test('who has another name by now, or the name of somebody else, is found on a list by the uuid', async () => {
  const sent: unknown[] = []
  const was = { player: { id: STEVE, name: 'Steve' } }
  const link = (after: unknown): ManagementCalls => ({
    async call(method, params) {
      if (method === 'minecraft:bans') return { kind: 'answered', result: [was] }
      sent.push([method, ...params])
      return { kind: 'answered', result: after }
    },
  })
  const act = (action: 'ban' | 'pardon', uuid: string, name: string, after: unknown) =>
    actByManagement(link(after), { action, names: [name] }, [{ name, uuid }], () => {})
  expect(await act('pardon', STEVE, 'Stefan', [])).toEqual([{ outcome: 'done', uuid: STEVE }])
  const alsoSteve = { player: { id: ALEX, name: 'Steve' } }
  expect(await act('ban', ALEX, 'Steve', [was, alsoSteve])).toEqual([{ outcome: 'done', uuid: ALEX }])
  expect(await act('ban', STEVE, 'Stefan', [])).toEqual([{ outcome: 'unchanged', uuid: STEVE }])
  expect(sent).toEqual([
    ['minecraft:bans/remove', [{ name: 'Stefan' }]],
    ['minecraft:bans/add', [{ player: { name: 'Steve' } }]],
  ])
})
