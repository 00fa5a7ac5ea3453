import { type PartId, refusalText, type RefusalText } from '../../contract/messages/refusals/index.ts'
import { requireMemory } from '../base/computer-limits.ts'
import { refusal, type Refusal } from '../../host/refusal.ts'
import { type PortState, tryPort } from './port.ts'
import type { ServerSpec } from './types.ts'

export const notRunning = () => refusal(409, 'server.not-running')

export const cannotReceive = () => refusal(409, 'server.not-running.commands')

export const notReading = () => refusal(409, 'server.not-reading')

export const notGone = () => refusal(409, 'node.not-gone')

export const notOffered = (software: string) => refusal(409, 'software.not-offered', { software })

export const serviceClosing = () => refusal(409, 'service.closing')

/** A survivor is a program left by an earlier service. `what` as in "it can be started". */
export function busy(what: PartId, phase: string, hasSurvivor: boolean): Refusal {
  if (hasSurvivor) return refusal(409, 'server.stopping.survivor', { what })
  if (phase === 'installing') return refusal(409, 'server.installing', { what })
  if (phase === 'stopping') return refusal(409, 'server.stopping', { what })
  if (phase === 'starting' && what !== 'started') return refusal(409, 'server.starting', { what })
  return refusal(409, 'server.running')
}

function portTaken(
  { port, host }: ServerSpec,
  state: Exclude<PortState, { kind: 'free' }>,
  ours: string | null,
): Refusal {
  // Ports aren't formatted as numbers.
  const named = String(port)
  if (state.kind !== 'taken')
    return refusal(409, 'server.port-taken.unusable', { port: named, host, code: state.code })
  return ours
    ? refusal(409, 'server.port-taken.ours', { port: named, server: ours })
    : refusal(409, 'server.port-taken', { port: named })
}

/** For the console. */
export const startingText = (software: string, spec: ServerSpec): RefusalText =>
  spec.container
    ? refusalText('console.starting-container', { container: spec.container })
    : refusalText('console.starting', { software, version: spec.software.version })

/** Throws 409 `server.port-taken`, and 422 `software.memory`. `ours`: our other server on this port, if any. */
export async function requireStartable(spec: ServerSpec, ours: string | null): Promise<void> {
  // Its engine decides.
  if (spec.container) return
  requireMemory(spec.memoryMb)
  const state = ours ? ({ kind: 'taken' } as const) : await tryPort(spec.host, spec.port)
  if (state.kind !== 'free') throw portTaken(spec, state, ours)
}
