import { z } from 'zod'
import { type Engine, EngineFault } from './engine.ts'
import { makeBridge } from './networks.ts'
import { containerName, LABELS } from './recipe.ts'

/** After the network's own address and the gateway's. */
const PROXY_AT = 2
const SERVER_AT = 3
const GONE = 404

const Link = z.object({
  Name: z.string(),
  IPAM: z.object({ Config: z.array(z.object({ Subnet: z.string() })).min(1) }),
  Containers: z.record(z.string(), z.unknown()).nullish(),
})

/**
 * Networks between a proxy and each of its servers, which lead nowhere else: its servers don't reach each other, and each
 * has its own network, too. They are there while the proxy's container is.
 */
export class LinkNetworks {
  readonly #engine: Engine
  readonly #service: string

  constructor(engine: Engine, service: string) {
    this.#engine = engine
    this.#service = service
  }

  /** Puts servers that run into them. Returns the servers' addresses in them, by port. */
  async make(proxyId: string, links: ReadonlyMap<number, string>): Promise<Map<number, string>> {
    await this.remove(proxyId)
    const addresses = new Map<number, string>()
    for (const [port, serverId] of links) {
      const Name = linkName(proxyId, serverId)
      const Labels = {
        [LABELS.service]: this.#service,
        [LABELS.server]: proxyId,
        [LABELS.behind]: serverId,
      }
      const Options = { 'com.docker.network.bridge.inhibit_ipv4': 'true' }
      const subnet = await makeBridge(this.#engine, { Name, Labels, Options, Internal: true }, () =>
        this.#drop(Name),
      )
      addresses.set(port, addressIn(subnet, SERVER_AT))
      // One that is being started puts itself into it.
      await this.#connect(Name, containerName(serverId), addressIn(subnet, SERVER_AT)).catch(unlessGone)
    }
    return addresses
  }

  /** Puts a container that was made, but not started, into those of its proxies, and a proxy into its own. */
  async join(serverId: string, containerId: string): Promise<void> {
    for (const { Name, IPAM } of await this.#list(`${LABELS.server}=${serverId}`, LABELS.behind))
      await this.#connect(Name, containerId, addressIn(IPAM.Config[0]!.Subnet, PROXY_AT))
    for (const { Name, IPAM } of await this.#list(`${LABELS.behind}=${serverId}`))
      // Those of a proxy that has just ended are gone.
      await this.#connect(Name, containerId, addressIn(IPAM.Config[0]!.Subnet, SERVER_AT)).catch(unlessGone)
  }

  /** Of a proxy that has ended. */
  async remove(proxyId: string): Promise<void> {
    for (const { Name } of await this.#list(`${LABELS.server}=${proxyId}`, LABELS.behind))
      await this.#drop(Name)
  }

  #list(...labels: string[]): Promise<z.output<typeof Link>[]> {
    const filters = JSON.stringify({ label: [`${LABELS.service}=${this.#service}`, ...labels] })
    return this.#engine.get('/networks', z.array(Link), { filters })
  }

  async #connect(network: string, container: string, address: string): Promise<void> {
    const EndpointConfig = { IPAMConfig: { IPv4Address: address } }
    await this.#engine
      .post(`/networks/${network}/connect`, {}, { Container: container, EndpointConfig })
      .catch((error: unknown) => {
        // The start of the other put it there.
        if (!(error instanceof EngineFault && /already exists in network/i.test(error.message))) throw error
      })
  }

  /** Its server goes on without it. */
  async #drop(name: string): Promise<void> {
    const path = `/networks/${name}`
    const { Containers } = await this.#engine.get(path, Link)
    for (const Container of Object.keys(Containers ?? {}))
      await this.#engine.post(`${path}/disconnect`, {}, { Container, Force: true }).catch(unlessGone)
    await this.#engine.delete(path)
  }
}

const linkName = (proxyId: string, serverId: string): string => `${containerName(proxyId)}-${serverId}`

/** Of a subnet such as `10.213.7.16/29`. */
function addressIn(subnet: string, at: number): string {
  const [, net = '', last = ''] = /^(.*\.)(\d+)\/\d+$/.exec(subnet) ?? []
  return `${net}${Number(last) + at}`
}

/** The container ends, or has ended. */
function unlessGone(error: unknown): void {
  const isGone =
    error instanceof EngineFault &&
    (error.status === GONE || /marked for removal|is not connected/i.test(error.message))
  if (!isGone) throw error
}
