import { ProxyFault } from './proxy-fault.ts'
import type { ProxyChoice } from './proxy-router.ts'

type Environment = Readonly<Record<string, string | undefined>>

export function namesProxy(env: Environment): boolean {
  return ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].some((name) => Boolean(env[name]))
}

/** As HTTP_PROXY, HTTPS_PROXY and NO_PROXY say, in either case. */
export const environmentProxy =
  (env: Environment): ProxyChoice =>
  async (origin) => {
    const { protocol, hostname, port } = new URL(origin)
    const forPlain = env['http_proxy'] || env['HTTP_PROXY']
    const named = protocol === 'https:' ? env['https_proxy'] || env['HTTPS_PROXY'] || forPlain : forPlain
    const own = port || (protocol === 'https:' ? '443' : '80')
    if (!named || isExempt(bare(hostname), own, env['no_proxy'] ?? env['NO_PROXY'] ?? '')) return null
    if (URL.canParse(named) && /^(https?|socks[45]):$/.test(new URL(named).protocol)) return named
    throw new ProxyFault('PROXY_KIND', 'The environment names a proxy that cannot be used.')
  }

const bare = (host: string): string =>
  host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(.)\.$/, '$1')
    .toLowerCase()

/** `example.com` also stands for what is below it, `*.example.com` only for that, `*` for all; with a port, for that. */
function isExempt(hostname: string, port: string, noProxy: string): boolean {
  return noProxy.split(/[,\s]+/).some((entry) => {
    const [, ip, name = entry, at] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? []
    if (entry === '' || (at !== undefined && at !== port)) return false
    const given = (ip ?? name).toLowerCase()
    const domain = given.replace(/^\*?\./, '')
    return (
      given === '*' || (!given.startsWith('*.') && hostname === domain) || hostname.endsWith(`.${domain}`)
    )
  })
}
