import { isLoopback } from './loopback.ts'
import { ProxyFault } from './proxy-fault.ts'
import { refuse, SeveralDispatchers } from './several-dispatchers.ts'
import type { Dispatcher } from './undici.ts'

export function namesProxy(env: NodeJS.ProcessEnv): boolean {
  return ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].some((name) => Boolean(env[name]))
}

export class LoopbackBypass extends SeveralDispatchers {
  readonly #direct: Dispatcher
  readonly #makeFar: () => Dispatcher
  #far: Dispatcher | undefined

  constructor(direct: Dispatcher, makeFar: () => Dispatcher) {
    super()
    this.#direct = direct
    this.#makeFar = makeFar
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const home = isLoopback(new URL(options.origin ?? '').hostname)
    if (home) return this.#direct.dispatch(options, handler)
    try {
      this.#far ??= this.#makeFar()
    } catch (cause) {
      const message = 'The environment names a proxy that cannot be used.'
      refuse(handler, new ProxyFault('PROXY_KIND', message, { cause }))
      return true
    }
    return this.#far.dispatch(options, handler)
  }

  protected all(): Dispatcher[] {
    return this.#far ? [this.#direct, this.#far] : [this.#direct]
  }
}
