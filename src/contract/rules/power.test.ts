import { expect, it } from 'vitest'
import { disconnects, mayWarn, powerWarning } from './power.ts'

const busy = { status: 'online', players: { online: 2 }, role: 'owner', software: { id: 'paper' } } as const

it('asks before players are disconnected, and does what was remembered', () => {
  expect(powerWarning('stop', busy, 'ask')).toBe('ask')
  expect(powerWarning('restart', busy, 'warn')).toBe('warn')
  expect(powerWarning('restart', busy, 'now')).toBe('now')
})

it('asks nothing where nobody is on, or where that is unknown', () => {
  expect(powerWarning('stop', { ...busy, players: { online: 0 } }, 'ask')).toBe('now')
  expect(powerWarning('stop', { ...busy, players: null }, 'warn')).toBe('now')
  expect(powerWarning('stop', { ...busy, status: 'starting' }, 'ask')).toBe('now')
  expect(powerWarning('start', busy, 'ask')).toBe('now')
})

it('always asks before killing, even where nobody is on', () => {
  expect(powerWarning('kill', busy, 'now')).toBe('ask')
  expect(powerWarning('kill', { ...busy, players: null }, 'now')).toBe('ask')
  expect(disconnects('kill', busy)).toBe(2)
})

it('never warns where commands are not allowed or not understood', () => {
  const guarded = { ...busy, role: ['control.stop'] }
  expect(mayWarn(guarded)).toBe(false)
  expect(powerWarning('stop', guarded, 'warn')).toBe('ask')
  expect(mayWarn({ ...busy, software: { id: 'velocity', proxy: true } })).toBe(false)
})
