import { type ProxyFaultCode, proxyFaultOf } from '../../../host/network/proxy-fault.ts'
import type { RefusalId } from '../../../contract/messages/refusals/index.ts'
import { refusal, type Refusal } from '../../base/refusal.ts'

/** Why a catalogue gave no answer that can be used. */
export type FaultKind = 'unreachable' | 'busy' | 'unreadable' | 'missing'

/** A catalogue could not be asked. What is kept may do instead; where nothing is, it becomes a Refusal. */
export class CatalogueFault extends Error {
  override name = 'CatalogueFault'
  readonly kind: FaultKind
  /** For how long it wants to be left alone, in ms. */
  readonly pauseMs: number | null

  constructor(kind: FaultKind, message: string, options: ErrorOptions & { pauseMs?: number } = {}) {
    super(message, options)
    this.kind = kind
    this.pauseMs = options.pauseMs ?? null
  }
}

/** What people are told where a proxy is in the way. */
const byProxy = {
  PROXY_NAME: 'software.catalogue-proxy-name',
  PROXY_REFUSED: 'software.catalogue-proxy',
  PROXY_KIND: 'software.catalogue-proxy-kind',
} as const satisfies Record<ProxyFaultCode, RefusalId>

/** What people are told of a catalogue that could not be reached. */
function unreachable(fault: CatalogueFault, name: string): Refusal {
  const proxy = proxyFaultOf(fault.cause)
  return refusal(503, proxy ? byProxy[proxy] : 'software.catalogue-unreachable', { name })
}

/** What people are told of a fault: 503 where trying again later helps, 502 where the catalogue itself is at fault. */
export function refusalOf(fault: CatalogueFault, name: string): Refusal {
  const seconds = Math.max(1, Math.ceil((fault.pauseMs ?? 60_000) / 1000))
  const refusals: Record<FaultKind, () => Refusal> = {
    unreachable: () => unreachable(fault, name),
    busy: () =>
      (seconds < 90
        ? refusal(503, 'software.catalogue-busy', { name, count: seconds })
        : refusal(503, 'software.catalogue-busy.minutes', { name, count: Math.ceil(seconds / 60) })
      ).with({ 'Retry-After': String(seconds) }),
    unreadable: () => refusal(502, 'software.catalogue-unreadable', { name }),
    missing: () => refusal(502, 'software.catalogue-missing', { name }),
  }
  return Object.assign(refusals[fault.kind](), { cause: fault })
}
