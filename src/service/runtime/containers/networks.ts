import type { Engine } from './engine.ts'
import { EngineFault } from './engine.ts'
import { containerName, LABELS } from './recipe.ts'

/** Where a computer's provider answers with its secrets. */
const METADATA_SUBNET = '169.254.169.0/24'
const METADATA_GATEWAY = '169.254.169.1'
const NOWHERE = 'wheelhouse-nowhere'
const TRIES = 32
const CONFLICT = 409

/**
 * A network for one server alone. Its few addresses are picked by us: an engine's own would be used up by some thirty
 * networks.
 */
export async function makeNetwork(engine: Engine, serverId: string, service: string): Promise<string> {
  const name = containerName(serverId)
  for (let tries = 1; ; tries++) {
    const at = Math.floor(Math.random() * 8192)
    const subnet = `10.213.${at >> 5}.${(at & 31) * 8}/29`
    try {
      await engine.post(
        '/networks/create',
        {},
        {
          ...{ Name: name, CheckDuplicate: true, Driver: 'bridge' },
          Labels: { [LABELS.service]: service, [LABELS.server]: serverId },
          IPAM: { Config: [{ Subnet: subnet }] },
        },
      )
      return name
    } catch (error) {
      if (!(error instanceof EngineFault) || tries === TRIES) throw error
      // A leftover, or addresses that another network has.
      if (error.status === CONFLICT) await removeNetwork(engine, serverId)
      else if (!/overlap/i.test(error.message)) throw error
    }
  }
}

export async function removeNetwork(engine: Engine, serverId: string): Promise<void> {
  await engine.delete(`/networks/${containerName(serverId)}`)
}

/** Where nobody answers. It stays: all servers share it, and none hears the others. */
export async function makeNowhere(engine: Engine): Promise<void> {
  await engine
    .post(
      '/networks/create',
      {},
      {
        ...{ Name: NOWHERE, CheckDuplicate: true, Driver: 'bridge', Internal: true },
        Options: {
          'com.docker.network.bridge.enable_icc': 'false',
          'com.docker.network.bridge.inhibit_ipv4': 'true',
        },
        IPAM: { Config: [{ Subnet: METADATA_SUBNET, Gateway: METADATA_GATEWAY }] },
      },
    )
    .catch((error: unknown) => {
      if (!(error instanceof EngineFault && error.status === CONFLICT)) throw error
    })
}

/**
 * Puts the address of the provider's metadata onto a network on which nobody answers, and on which this computer has
 * no address of its own. Call before the container is started, and after `makeNowhere`.
 */
export async function hideMetadata(engine: Engine, containerId: string): Promise<void> {
  await engine.post(`/networks/${NOWHERE}/connect`, {}, { Container: containerId })
}
