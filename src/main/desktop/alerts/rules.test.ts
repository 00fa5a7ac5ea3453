import { expect, it } from 'vitest'
import type { NotificationSettings } from '../../../contract/areas/notifications.ts'
import type { Connection } from '../../../contract/bridge/values.ts'
import { Facts, type DesktopEvent } from '../facts.ts'
import { isMuted, isQuietForAll, kindOf } from './alert.ts'

const server = { id: 'a', name: 'A' } as never
const told = (kind: string | null, serverId: string | null = 'a'): DesktopEvent => ({
  ...{ kind: 'told', connectionId: 'c', notification: { id: 'n', kind, serverId } as never },
})
/** Everything that is told, with the choice that decides about it and the kind that mutes it. */
const happenings: [name: string, DesktopEvent, choice: string, mutedBy: string | null][] = [
  ['a crash that the panel saw', { kind: 'crashed', connectionId: 'c', server }, 'service', 'crash'],
  ['a start that the panel saw', { kind: 'online', connectionId: 'c', server }, 'started', 'start'],
  ['a player', { kind: 'joined', connectionId: 'c', server, count: 1, online: 2 }, 'joined', null],
  ['one who left', { kind: 'left', connectionId: 'c', server, count: 1, online: 2 }, 'left', null],
  ['a crash that is pushed', told('crash'), 'service', 'crash'],
  ['a start that is pushed', told('start'), 'service', 'start'],
  ['a stop', told('stop'), 'service', 'stop'],
  ['a disk', told('disk'), 'service', 'disk'],
  ['an invitation', told('invitation', null), 'service', 'invitation'],
  ['a sign-in', told('sign-in', null), 'service', 'sign-in'],
  ['a promotion', told('promotion', null), 'service', 'promotion'],
  ['what nobody knows the kind of', told(null), 'service', null],
  [
    'a transfer',
    { kind: 'transfer', transfer: { server: { connectionId: 'c', serverId: 'a' } } as never },
    ...(['transfers', null] as const),
  ],
]
const ALL_KINDS = ['crash', 'start', 'stop', 'invitation', 'disk', 'sign-in', 'promotion'] as const
const hours = (begins: string, ends: string) => ({ begins, ends, timeZone: 'UTC' })
const at = (time: string) => Date.parse(`2026-11-27T${time}:00Z`)

/** What is known of an account with these rules. */
function factsOf(rules: Partial<NotificationSettings>, connectionId = 'c', facts = new Facts()): Facts {
  facts.connections = [...facts.connections, { id: connectionId } as Connection]
  facts.takeView('notifications.settings', connectionId, { value: rules } as never)
  return facts
}

it.each(happenings)(
  '%s is decided by its choice, and muted by its kind and no other',
  (_, happening, choice, mutedBy) => {
    expect(kindOf(happening)).toBe(choice)
    const noon = at('12:00')
    expect(isMuted(happening, factsOf({}), noon)).toBe(false)
    for (const kind of ALL_KINDS)
      expect(isMuted(happening, factsOf({ mutedKinds: [kind] }), noon), kind).toBe(kind === mutedBy)
  },
)

it.each(happenings)(
  '%s is muted with its server, where it is of one, and within quiet hours',
  (_, happening) => {
    const noon = at('12:00')
    const isOfServer = happening.kind !== 'told' || happening.notification.serverId === 'a'
    expect(isMuted(happening, factsOf({ mutedServers: ['a'] }), noon)).toBe(isOfServer)
    expect(isMuted(happening, factsOf({ mutedServers: ['b'] }), noon)).toBe(false)
    const night = factsOf({ quietHours: hours('22:00', '07:00') })
    for (const [time, isQuiet] of [
      ['21:59', false],
      ['22:00', true],
      ['03:00', true],
      ['06:59', true],
      ['07:00', false],
    ] as const)
      expect(isMuted(happening, night, at(time)), time).toBe(isQuiet)
  },
)

it('rules of one account hold for that account alone', () => {
  const facts = factsOf({}, 'c', factsOf({ mutedServers: ['a'], mutedKinds: ['crash'] }, 'other'))
  for (const [name, happening] of happenings) expect(isMuted(happening, facts, at('12:00')), name).toBe(false)
})

it('what is of no account waits only while every account that has quiet hours is quiet', () => {
  const night = hours('22:00', '07:00')
  expect(isQuietForAll(new Facts(), at('23:00'))).toBe(false)
  expect(isQuietForAll(factsOf({}), at('23:00'))).toBe(false)
  const one = factsOf({}, 'd', factsOf({ quietHours: night }))
  expect([isQuietForAll(one, at('23:00')), isQuietForAll(one, at('12:00'))]).toEqual([true, false])
  const both = factsOf({ quietHours: hours('01:00', '02:00') }, 'd', factsOf({ quietHours: night }))
  expect([isQuietForAll(both, at('23:00')), isQuietForAll(both, at('01:30'))]).toEqual([false, true])
})
