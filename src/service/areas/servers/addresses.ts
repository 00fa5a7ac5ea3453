import { connect } from 'node:net'
import type { z } from 'zod'
import { type ServerAddress, ways as operations } from '../../../contract/areas/open-to.ts'
import { isoTime } from '../../base/clock.ts'
import { networkAddresses, originOf } from '../../base/game-host.ts'
import { isLoopback, isWildcard } from '../../base/host.ts'
import type { Runtime } from '../../runtime/types.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import type { Store } from '../../store/store.ts'
import { bareHost, listensAt } from './view.ts'

const ANSWER_MS = 1_000

export interface AddressRoutes {
  store: Pick<Store, 'players'>
  runtime: Pick<Runtime, 'runs' | 'status'>
  host: string
}

export function mountAddresses(app: ServiceApp, { store, runtime, host }: AddressRoutes): void {
  serve(app, operations.addresses, async ({ server, c }) => {
    const at = listensAt(server, runtime.runs(server.id), host)
    const isOnline = runtime.status(server.id)?.status === 'online'
    const joins = store.players.ways(server.id)
    const ways = waysTo(at, bareHost(new URL(c.req.url).hostname))
    return {
      items: await Promise.all(
        ways.map(async ({ isHere, ...way }): Promise<z.input<typeof ServerAddress>> => {
          const joined = joins.get(way.kind)
          return {
            ...way,
            answers: isOnline && way.host !== null && isHere ? await answers(way.host, way.port) : null,
            joinedAt: joined === undefined ? null : isoTime(joined),
          }
        }),
      ),
    }
  })
}

interface AddressRoute {
  kind: 'computer' | 'network' | 'internet'
  host: string | null
  port: number
  /** On this computer, so whatever answers there is the server. */
  isHere: boolean
}

/** `caller`: host in the caller's request; `networks`: local addresses of this computer. */
export function waysTo(
  { host, port }: { host: string; port: number },
  caller: string,
  networks = networkAddresses(),
): AddressRoute[] {
  const here = (kind: AddressRoute['kind'], at: string): AddressRoute => ({
    kind,
    host: at,
    port,
    isHere: true,
  })
  if (isLoopback(host)) return [here('computer', host)]
  const own = isWildcard(host) ? networks : [host]
  const ways = [here('computer', isWildcard(host) ? '127.0.0.1' : host)]
  for (const address of own)
    ways.push(here(originOf(address, {}) === 'internet' ? 'internet' : 'network', address))
  const isElsewhere = !isLoopback(caller) && !own.includes(caller)
  const known = ways.some(({ kind }) => kind === 'internet')
  if (isElsewhere && !known) ways.push({ kind: kindOfName(caller), host: caller, port, isHere: false })
  // The router's public address is unknown here.
  if (!ways.some(({ kind }) => kind === 'internet'))
    ways.push({ kind: 'internet', host: null, port, isHere: false })
  return ways
}

const LOCAL_NAME = /^[^.]+$|\.(?:local|lan|home|internal|home\.arpa)$/i

const kindOfName = (host: string): AddressRoute['kind'] =>
  (originOf(host, {}) ?? (LOCAL_NAME.test(host) ? 'network' : 'internet')) === 'internet'
    ? 'internet'
    : 'network'

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const finish = (yes: boolean) => {
      clearTimeout(limit)
      socket.destroy()
      resolve(yes)
    }
    const limit = setTimeout(() => finish(false), ANSWER_MS)
    socket.on('error', () => finish(false))
    socket.on('connect', () => finish(true))
  })
}
