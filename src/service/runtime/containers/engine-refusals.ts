import { refusal, type Refusal } from '../../../host/refusal.ts'
import type { ServerSpec } from '../types.ts'
import type { EngineFault, EngineSettings } from './engine.ts'

/** Why a server could not be started. */
export function refusalOf(
  fault: EngineFault,
  { address, image }: EngineSettings,
  { port }: Pick<ServerSpec, 'port'>,
): Refusal {
  const { status, code, message } = fault
  if (isDenied(fault)) return refusal(409, 'engine.denied', { address })
  if (status === 0) return refusal(409, 'engine.not-reached', { address, why: code || message })
  if (/no such image/i.test(message)) return refusal(409, 'engine.no-image', { image })
  if (/port is already allocated|address already in use/i.test(message))
    return refusal(409, 'server.port-taken', { port: String(port) })
  if (/no space left on device/i.test(message)) return refusal(409, 'engine.full')
  return refusal(409, 'engine.failed', { why: message })
}

/** As `refusalOf`, of a Swarm. */
export function swarmRefusalOf(
  fault: EngineFault,
  settings: EngineSettings,
  { port, node }: Pick<ServerSpec, 'port' | 'node'>,
): Refusal {
  const { message } = fault
  if (/host-mode port already in use/i.test(message))
    return refusal(409, 'server.port-taken', { port: String(port) })
  if (/no suitable node/i.test(message))
    return node
      ? refusal(409, 'node.cannot', { node, why: reasonOf(message) })
      : refusal(409, 'node.no-room', { why: reasonOf(message) })
  const missing = /bind source path does not exist: (\S+)/.exec(message)?.[1]
  if (missing) return refusal(409, 'node.no-path', { path: missing })
  return refusalOf(fault, settings, { port })
}

/** `no suitable node (insufficient resources on 2 nodes)`: what stands in the parentheses. */
const reasonOf = (message: string): string => /\((.+)\)/.exec(message)?.[1] ?? message

/** Why it isn't known what runs. */
export const searchRefusalOf = (fault: EngineFault, { address }: EngineSettings): Refusal =>
  isDenied(fault)
    ? refusal(409, 'engine.denied', { address })
    : refusal(409, 'engine.not-reached.search', { address, why: fault.code || fault.message })

/** Why it isn't known what others made there. */
export const listRefusalOf = (fault: EngineFault, { address }: EngineSettings): Refusal =>
  isDenied(fault)
    ? refusal(409, 'engine.denied', { address })
    : refusal(503, 'adopted.not-told', { address, why: fault.code || fault.message })

const isDenied = ({ code }: EngineFault): boolean => code === 'EACCES' || code === 'EPERM'
