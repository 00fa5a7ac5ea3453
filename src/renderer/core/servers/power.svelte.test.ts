import { describe, expect, it } from 'vitest'
import type { StatusKind } from './status.ts'
import { powerActions, powerReason } from './power.ts'

const possible = (status: StatusKind, role: 'owner' | string[] = 'owner') =>
  powerActions.filter((action) => powerReason(action, status, role, 'ready') === null)

describe('power buttons', () => {
  it.each([
    ['offline', ['start']],
    ['crashed', ['start']],
    ['starting', ['stop', 'kill']],
    ['online', ['stop', 'restart', 'kill']],
    ['stopping', ['kill']],
    ['installing', ['kill']],
    ['sleeping', ['start', 'stop']],
  ] as const)('offer while %s: %s', (status, actions) => {
    expect(possible(status)).toEqual(actions)
  })

  it('offer to cancel an installation where the service says how far it is', () => {
    const offered = powerActions.filter(
      (action) => powerReason(action, 'installing', 'owner', 'ready', true) === null,
    )
    expect(offered).toEqual(['stop', 'kill'])
  })

  it('stand in nobody’s way while the status is unknown', () => {
    expect(possible('unknown')).toEqual([...powerActions])
  })

  it('follow the scopes of a collaborator, and name the one that lacks', () => {
    expect(possible('online', ['control.stop'])).toEqual(['stop'])
    expect(powerReason('kill', 'online', ['control.stop'], 'ready')).toContain('control.kill')
  })

  it('cannot be pressed while the service is away', () => {
    for (const action of powerActions)
      expect(powerReason(action, 'unknown', 'owner', 'offline')).not.toBeNull()
  })
})
