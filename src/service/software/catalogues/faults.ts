import { type ProxyFaultCode, proxyFaultOf } from '../../../computer/network/proxy-fault.ts'
import { Refusal } from '../../refusal.ts'

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

const inWords = (seconds: number): string => {
  if (seconds === 1) return 'a second'
  if (seconds < 90) return `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** What people are told where a proxy is in the way. */
const byProxy: Record<ProxyFaultCode, (name: string) => Refusal> = {
  PROXY_NAME: (name) =>
    new Refusal(
      503,
      'software.catalogue-proxy-name',
      `The catalog of ${name} can't be reached: the proxy of this network wants a name and a password. Set HTTPS_PROXY to its address with both, and start the service again.`,
    ),
  PROXY_REFUSED: (name) =>
    new Refusal(
      503,
      'software.catalogue-proxy',
      `The catalog of ${name} can't be reached: the proxy of this network refuses to connect to it. Ask whoever runs the network.`,
    ),
  PROXY_KIND: (name) =>
    new Refusal(
      503,
      'software.catalogue-proxy-kind',
      `The catalog of ${name} can't be reached: the proxy of this network is of a kind that Wheelhouse cannot use. HTTP, HTTPS and SOCKS proxies work.`,
    ),
}

/** What people are told of a catalogue that could not be reached. */
function unreachable(fault: CatalogueFault, name: string): Refusal {
  const proxy = proxyFaultOf(fault.cause)
  if (proxy) return byProxy[proxy](name)
  return new Refusal(
    503,
    'software.catalogue-unreachable',
    `The catalog of ${name} can't be reached right now. Check the service's internet connection, then try again.`,
  )
}

/** What people are told of a fault: 503 where trying again later helps, 502 where the catalogue itself is at fault. */
export function refusalOf(fault: CatalogueFault, name: string): Refusal {
  const seconds = Math.max(1, Math.ceil((fault.pauseMs ?? 60_000) / 1000))
  const refusals: Record<FaultKind, () => Refusal> = {
    unreachable: () => unreachable(fault, name),
    busy: () =>
      new Refusal(
        503,
        'software.catalogue-busy',
        `The catalog of ${name} accepts no more requests at the moment. Try again in ${inWords(seconds)}.`,
        { headers: { 'Retry-After': String(seconds) } },
      ),
    unreadable: () =>
      new Refusal(
        502,
        'software.catalogue-unreadable',
        `The catalog of ${name} sent an answer that couldn't be read. Try again later; if this keeps happening, update Wheelhouse.`,
      ),
    missing: () =>
      new Refusal(
        502,
        'software.catalogue-missing',
        `The catalog of ${name} doesn't have what it is expected to have. Try again later; if this keeps happening, update Wheelhouse.`,
      ),
  }
  return Object.assign(refusals[fault.kind](), { cause: fault })
}
