import path from 'node:path'
import { refusalText } from '../../../contract/messages/refusals/index.ts'
import { writeDataFile } from '../../../host/data-file.ts'
import { isLoopback, isWildcard } from '../../base/host.ts'
import type { Say } from '../../software/software.ts'
import type { ProgramSpec } from '../programs/driver.ts'
import type { ServerSpec } from '../types.ts'
import { RELAY_JAR } from './relay/relay-jar.ts'

/** Each is a network more of the proxy's container. */
const LINKS_MOST = 32
const NAMED_MOST = 5
const USUAL_PORT = 25565
const RELAY = 'relay.jar'
/** Where the relay is reached. */
const RELAYED: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0', '::'])

export type Servers = ReadonlyMap<string, { readonly spec: ServerSpec }>

interface ProxyLinks {
  /** Servers of this service by the ports at which its settings name them on this computer. */
  links: ReadonlyMap<number, string>
  /** Addresses that can't be reached from a container. */
  unreached: readonly string[]
}

/**
 * What a proxy's settings mean within its container. A link needs a server in a container, of the same owner: whoever
 * writes the settings of one must not come into the network of another's.
 */
export function linksOf(
  proxy: ServerSpec,
  { reaches = [], isCutOff }: ProgramSpec,
  servers: Servers,
): ProxyLinks {
  const links = new Map<number, string>()
  const unreached: string[] = []
  const byPort = new Map([...servers.values()].map(({ spec }) => [spec.port, spec]))
  for (const address of isCutOff ? [] : reaches) {
    const at = hostAndPort(address)
    const server = at && byPort.get(at.port)
    if (!at || server?.id === proxy.id) continue
    if (!isLoopback(at.host) && !isWildcard(at.host)) continue
    const isLinkable = server?.driver === 'docker' && server.owner === proxy.owner && links.size < LINKS_MOST
    if (RELAYED.has(at.host) && isLinkable) links.set(at.port, server.id)
    else unreached.push(address)
  }
  return { links, unreached }
}

export function tellUnreached({ unreached }: ProxyLinks, say: Say): void {
  const addresses = unreached.slice(0, NAMED_MOST).join(', ') + (unreached.length > NAMED_MOST ? ', …' : '')
  if (unreached.length > 0) say(refusalText('console.proxy-unreached', { addresses }))
}

/** The proxy with a relay before it that listens where its settings look for its servers, which are at these hosts. */
export function relayed(
  program: ProgramSpec,
  hosts: ReadonlyMap<number, string>,
  service: string,
): ProgramSpec {
  if (hosts.size === 0) return program
  const jar = path.join(service, RELAY)
  writeDataFile(jar, RELAY_JAR, 'base64')
  const routes = [...hosts].map(([port, host]) => `${port}=${host}`).join(',')
  return {
    ...program,
    // Servers that are started again may have another address.
    args: ['-Dsun.net.inetaddr.ttl=1', `-javaagent:${jar}=${routes}`, ...program.args],
    reads: [...(program.reads ?? []), jar],
  }
}

/** Null if it isn't an address. */
function hostAndPort(address: string): { host: string; port: number } | null {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(address.trim()) ?? []
  const host = (bracketed ?? plain)?.toLowerCase()
  return host === undefined ? null : { host, port: Number(port ?? USUAL_PORT) }
}
