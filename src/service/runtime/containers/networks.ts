import { setTimeout as wait } from 'node:timers/promises'
import { type Engine, EngineFault } from './engine.ts'
import { containerName, LABELS } from './recipe.ts'

/** Where a computer's provider answers with its secrets. */
const METADATA_SUBNET = '169.254.169.0/24'
const METADATA_GATEWAY = '169.254.169.1'
const NOWHERE = 'wheelhouse-nowhere'
const TRIES = 32
/** A busy engine takes seconds for one. */
const NOWHERE_TRIES = 200
const CONFLICT = 409
const AGAIN_MS = 50
/** In the words of Docker and of Podman. */
const OVERLAPS = /overlap|subnet \S+ is (?:already )?(?:being )?used/i

/** Podman calls it a fault of its own. */
const isThere = ({ status, message }: EngineFault): boolean =>
  status === CONFLICT || /network already exists/i.test(message)

/** A network for one server alone. */
export async function makeNetwork(engine: Engine, serverId: string, service: string): Promise<string> {
  const name = containerName(serverId)
  const Labels = { [LABELS.service]: service, [LABELS.server]: serverId }
  await makeBridge(engine, { Name: name, Labels }, () => removeNetwork(engine, serverId))
  return name
}

/**
 * Its few addresses are picked by us: an engine's own would be used up by some thirty networks. Returns them, as
 * `10.213.7.16/29`.
 */
export async function makeBridge(
  engine: Engine,
  body: object,
  removeLeftover: () => Promise<void>,
): Promise<string> {
  for (let tries = 1; ; tries++) {
    const at = Math.floor(Math.random() * 8192)
    const subnet = `10.213.${at >> 5}.${(at & 31) * 8}/29`
    try {
      const IPAM = { Config: [{ Subnet: subnet }] }
      await engine.post('/networks/create', {}, { CheckDuplicate: true, Driver: 'bridge', IPAM, ...body })
      return subnet
    } catch (error) {
      if (!(error instanceof EngineFault) || tries === TRIES) throw error
      // A leftover, or addresses that another network has.
      if (isThere(error)) await removeLeftover()
      else if (!OVERLAPS.test(error.message)) throw error
    }
  }
}

/** For one server alone, on whatever nodes. One that is there already is as good. */
export async function makeOverlay(engine: Engine, serverId: string, service: string): Promise<string> {
  const name = containerName(serverId)
  const Labels = { [LABELS.service]: service, [LABELS.server]: serverId }
  await engine
    .post('/networks/create', {}, { Name: name, CheckDuplicate: true, Driver: 'overlay', Labels })
    .catch((error: unknown) => {
      if (!(error instanceof EngineFault && error.status === CONFLICT)) throw error
    })
  return name
}

export async function removeNetwork(engine: Engine, serverId: string): Promise<void> {
  await engine.delete(`/networks/${containerName(serverId)}`)
}

/** Where nobody answers. It stays: all servers share it, and none hears the others. */
export async function makeNowhere(engine: Engine): Promise<void> {
  const body = {
    ...{ Name: NOWHERE, CheckDuplicate: true, Driver: 'bridge', Internal: true },
    Options: {
      'com.docker.network.bridge.enable_icc': 'false',
      'com.docker.network.bridge.inhibit_ipv4': 'true',
    },
    IPAM: { Config: [{ Subnet: METADATA_SUBNET, Gateway: METADATA_GATEWAY }] },
  }
  for (let tries = 1; ; tries++)
    try {
      await engine.post('/networks/create', {}, body)
      return
    } catch (error) {
      if (!(error instanceof EngineFault)) throw error
      if (isThere(error)) return
      // The start of another server is at it.
      if (tries === NOWHERE_TRIES || !OVERLAPS.test(error.message)) throw error
      await wait(AGAIN_MS, undefined, { ref: false })
    }
}

/**
 * Puts the address of the provider's metadata onto a network on which nobody answers, and on which this computer has
 * no address of its own. Call before the container is started, and after `makeNowhere`.
 */
export async function hideMetadata(engine: Engine, containerId: string): Promise<void> {
  await engine.post(`/networks/${NOWHERE}/connect`, {}, { Container: containerId })
}
