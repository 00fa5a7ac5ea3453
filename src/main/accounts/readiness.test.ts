import { expect, it } from 'vitest'
import type { Connection, ConnectionState } from '../../contract/bridge/values.ts'
import { problemOf } from '../base/problem.ts'
import { Readiness } from './readiness.ts'

const offline: ConnectionState = {
  kind: 'offline',
  problem: problemOf('offline', { message: 'away' }),
  since: '2026-01-01T00:00:00Z',
}

function listened() {
  let tell = (_list: Connection[]) => {}
  const readiness = new Readiness({
    onChange(listener) {
      tell = listener
      return () => {}
    },
  })
  const told: string[] = []
  readiness.onReady((id) => told.push(`ready ${id}`))
  readiness.onSignedOut((id) => told.push(`signed out ${id}`))
  const stands = (state: ConnectionState | null) => tell(state ? [{ id: 'c', state } as Connection] : [])
  return { readiness, told, stands }
}

it('tells once that a connection came to be usable, and again after it was away', () => {
  const { readiness, told, stands } = listened()
  stands({ kind: 'ready' })
  stands({ kind: 'ready' })
  expect(readiness.all()).toEqual(['c'])
  stands(offline)
  expect(readiness.has('c')).toBe(false)
  stands({ kind: 'ready' })
  stands({ kind: 'signed-out' })
  expect(told).toEqual(['ready c', 'ready c', 'signed out c'])
})

it('does not take a connection that is gone for one that can be used', () => {
  const { readiness, stands } = listened()
  stands({ kind: 'ready' })
  stands(null)
  expect(readiness.all()).toEqual([])
})
