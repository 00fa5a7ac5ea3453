import { expect, it } from 'vitest'
import type { Player } from '../../../contract/areas/players.ts'
import { playerNameOf } from './player-name.ts'

const NOW = Date.parse('2026-11-27T12:00:00Z')
const at = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()
const on = (name: string, minutes: number | null): Player => ({
  ...{ name, online: true, onlineSince: minutes === null ? null : at(minutes) },
})
const off = (name: string, minutes: number): Player => ({ name, online: false, lastSeen: at(minutes) })
const players = [on('Ann', 30), on('Eva', 0), off('Ben', 1), off('Cal', 90)]
const nameOf = (kind: 'joined' | 'left', count: number, online: number, list = players) =>
  playerNameOf({ kind, connectionId: 'c', server: { id: 'a' } as never, count, online }, list, NOW)

it('names who has just joined or left', () => {
  expect(nameOf('joined', 1, 2)).toBe('Eva')
  expect(nameOf('left', 1, 2)).toBe('Ben')
})

it.each([
  ['several joined', nameOf('joined', 2, 2)],
  ['others came or went meanwhile', nameOf('joined', 1, 3)],
  ['it is not told since when they are on', nameOf('joined', 1, 2, [on('Ann', 3), on('Eva', null)])],
  ['nobody was seen just now', nameOf('left', 1, 1, [on('Ann', 3), off('Cal', 90)])],
  ['there is no list', nameOf('left', 1, 0, [])],
])('names nobody where %s', (_why, name) => {
  expect(name).toBeNull()
})
