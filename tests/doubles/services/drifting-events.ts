import fc from 'fast-check'
import type { z } from 'zod'
import { events, type EventName } from '../../../src/contract/areas/console.ts'
import { brokenText, drifting, LOST } from './drifting-answers.ts'

/** A message of an event stream as a service that changed, or is broken, might send it. */
export interface DriftingEvent {
  /** As it goes over the line. */
  text: string
  /** What a tolerant reader has to find in it; LOST where nothing may be told. */
  facts: { kind: EventName; serverId: string; value: Record<string, unknown> } | typeof LOST
}

/** Every kind of event that the contract declares. */
export const eventKinds = Object.keys(events) as EventName[]

/** A message: its name where it has one, and its data in as many lines as it has. */
export const messageOf = (name: string | null, data: string): string =>
  `${name === null ? '' : `event: ${name}\n`}${data
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('')}\n`

/** Events of a kind about one of these servers, in all the forms that are to be understood, and some that cannot be. */
export function driftingEvent(kind: EventName, serverIds: readonly string[]): fc.Arbitrary<DriftingEvent> {
  const schema: z.ZodObject = events[kind]
  const value = drifting(schema.omit({ serverId: true })) as fc.Arbitrary<{
    raw: Record<string, unknown>
    facts: Record<string, unknown> | typeof LOST
  }>
  const server = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...serverIds).map((raw) => ({ raw, facts: raw })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(undefined, null, true, {}, []).map((raw) => ({ raw, facts: LOST })),
    },
  )
  // One without a name is known by the field that is called like its kind.
  const ways = Object.hasOwn(schema.shape, kind) ? ['named', 'typed', 'bare'] : ['named', 'typed']
  const form = fc.record({ way: fc.constantFrom('named', ...ways), space: fc.constantFrom(0, 0, 1) })
  return fc
    .tuple(value, server, form)
    .map(([{ raw, facts }, { raw: serverId, facts: known }, { way, space }]) => {
      // Its field says what it is only where it is called as the contract has it.
      const isKnown = way !== 'bare' || Object.hasOwn(raw, kind)
      const sent = { ...(way === 'typed' && { type: kind }), serverId, ...raw }
      return {
        text: messageOf(way === 'named' ? kind : null, JSON.stringify(sent, null, space)),
        facts:
          facts === LOST || typeof known !== 'string' || !isKnown
            ? LOST
            : { kind, serverId: known, value: facts },
      }
    })
}

/** Messages that tell nothing: broken, of an unknown kind, or none at all. */
export function brokenEvent(serverId: string): fc.Arbitrary<DriftingEvent> {
  const whole = JSON.stringify({ serverId, status: { status: 'offline' }, lines: [{ text: 'x' }] })
  const lost = (name: string | null, data: string) => ({ text: messageOf(name, data), facts: LOST }) as const
  const strange = fc.constantFrom(
    'tick',
    'Status',
    'servers',
    '__proto__',
    'constructor',
    'toString',
    'message ',
  )
  const known = fc.constantFrom(null, 'message', ...eventKinds)
  return fc.oneof(
    fc.tuple(known, brokenText(whole)).map(([name, data]) => lost(name, data)),
    fc.tuple(strange, fc.constantFrom(whole, '{}', '7', '')).map(([name, data]) => lost(name, data)),
    known.map((name) => lost(name, `{"serverId":"${serverId}","status":"${'x'.repeat(200_000)}"`)),
    fc
      .constantFrom(
        ': heartbeat\n\n',
        'retry: 5\n\n',
        'id: 7\n\n',
        'data\n\n',
        ':\n:\n\n',
        'event: status\n\n',
      )
      .map((text) => ({ text, facts: LOST }) as const),
  )
}
