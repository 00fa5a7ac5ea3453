import { requireMemory } from '../computer-memory.ts'
import { Refusal } from '../refusal.ts'
import { type PortState, tryPort } from './port.ts'
import type { ServerSpec } from './types.ts'

// Why a server cannot be started, stopped or spoken to now, each a 409.

export const notRunning = () => new Refusal(409, 'server.not-running', 'The server is not running.')

export const cannotReceive = () =>
  new Refusal(
    409,
    'server.not-running',
    'The server is not running, so it cannot receive commands. Start it first.',
  )

export const notReading = () =>
  new Refusal(409, 'server.not-reading', 'The server has stopped reading commands. Restart it, or kill it.')

export const notOffered = (software: string) =>
  new Refusal(
    409,
    'software.not-offered',
    `Its software, "${software}", is not offered by this service at the moment. Whoever runs the service decides what is, for example with --catalogs; the server's files are untouched.`,
  )

export const serviceClosing = () =>
  new Refusal(
    409,
    'service.closing',
    'The service is shutting down. Start the server when it is running again.',
  )

/** A survivor is a program that an earlier service left running. `what` as in "it can be started". */
export function busy(what: string, phase: string, hasSurvivor: boolean): Refusal {
  if (hasSurvivor) {
    const why = `This server is still running from before the service was restarted, and is being stopped. It can be ${what} when that is done.`
    return new Refusal(409, 'server.stopping', why)
  }
  if (phase === 'installing')
    return new Refusal(
      409,
      'server.installing',
      `The server is still being set up. It can be ${what} when that is done.`,
    )
  if (phase === 'stopping')
    return new Refusal(
      409,
      'server.stopping',
      `The server is still stopping. It can be ${what} when that is done.`,
    )
  if (phase === 'starting' && what !== 'started')
    return new Refusal(
      409,
      'server.starting',
      `The server is starting right now. It can be ${what} in a moment.`,
    )
  return new Refusal(409, 'server.running', 'The server is already running.')
}

/** `ours`: the name of the server of this service that runs on this port; null for none. */
function portTaken(
  { port, host }: ServerSpec,
  state: Exclude<PortState, { kind: 'free' }>,
  ours: string | null,
): Refusal {
  const by = ours ? `your server "${ours}"` : 'another program'
  const why =
    state.kind === 'taken'
      ? `Port ${port} is in use by ${by}. Stop that one first, then start this server again.`
      : `Port ${port} on ${host} cannot be used (${state.code}). Choose another port or address for this server.`
  return new Refusal(409, 'server.port-taken', why)
}

/**
 * Throws 409 `server.port-taken` where a server's port cannot be used, and 422 `software.memory` where it is to have more
 * memory than there is. `ours`: the name of the server of this service that runs on its port; null for none.
 */
export async function requireStartable(spec: ServerSpec, ours: string | null): Promise<void> {
  requireMemory(spec.memoryMb)
  const state = ours ? ({ kind: 'taken' } as const) : await tryPort(spec.host, spec.port)
  if (state.kind !== 'free') throw portTaken(spec, state, ours)
}
