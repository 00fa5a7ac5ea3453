import { type ProxyFaultCode, proxyFaultOf } from '../../host/network/proxy-fault.ts'
import type { RefusalId } from '../../contract/messages/refusals/index.ts'
import { refusal, type Refusal } from '../../host/refusal.ts'

type FaultKind = 'unreachable' | 'busy' | 'unreadable' | 'missing'

/** The cache may answer instead; otherwise it becomes a Refusal. */
export class CatalogFault extends Error {
  override name = 'CatalogFault'
  readonly kind: FaultKind
  /** Requested pause, in ms. */
  readonly pauseMs: number | null

  constructor(kind: FaultKind, message: string, options: ErrorOptions & { pauseMs?: number } = {}) {
    super(message, options)
    this.kind = kind
    this.pauseMs = options.pauseMs ?? null
  }
}

const byProxy = {
  PROXY_NAME: 'software.catalogue-proxy-name',
  PROXY_REFUSED: 'software.catalogue-proxy',
  PROXY_KIND: 'software.catalogue-proxy-kind',
} as const satisfies Record<ProxyFaultCode, RefusalId>

function unreachable(fault: CatalogFault, name: string): Refusal {
  const proxy = proxyFaultOf(fault.cause)
  return refusal(503, proxy ? byProxy[proxy] : 'software.catalogue-unreachable', { name })
}

/** 503 if retrying later helps, 502 if the catalog is at fault. */
export function refusalOf(fault: CatalogFault, name: string): Refusal {
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
