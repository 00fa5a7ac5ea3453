import { type ConsoleMemory, type HostMachines, HostRefusal } from '../../hosts/base/adapter.ts'
import { type ExtensionSettings, hostKeyOf, type HostPorts, hostRequester } from '../../hosts/hosts.ts'
import { recognizeHost, recognizeSftp } from '../../hosts/recognize.ts'
import { isExaroton } from '../../contract/rules/hosts.ts'
import { isLoopback } from '../../host/network/loopback.ts'
import { localizedError } from '../../contract/messages/error-report.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { sftpAddress } from '../../contract/rules/sftp.ts'
import { transportProblem } from '../api/requests/transport-problem.ts'
import { problem } from '../base/problem.ts'
import { formatLineId } from '../../contract/rules/line-ids.ts'
import { hostSecrets } from './host-secrets.ts'
import type { KeptPowerLines } from './power-lines.ts'
import type { SecretStore } from './secret-store.ts'
import type { Cache } from '../views/cache/cache.ts'
import type { Network, Requester } from '../api/requests/transport.ts'

/** `close` ends what an adapter keeps open. */
export type RequesterFactory = (
  baseUrl: string,
  connectionId?: string,
  choices?: HostPorts['choices'],
) => Pick<Requester, 'request'> & { close?: () => void; machines?: () => Promise<HostMachines | null> }

/** What the panel keeps for a host on this computer. */
export type HostMemory = (connectionId: string) => Pick<HostPorts, 'memory' | 'powerLines'>

/** What main has for each connection of a host. */
export interface HostContext {
  memory: HostMemory
  extensions: (connectionId: string) => ExtensionSettings
}

const NO_MEMORY: ReturnType<HostMemory> = {
  memory: { newest: () => Promise.resolve(null) },
  powerLines: () => Promise.resolve(null),
}

/** The network for a service; for other hosts an adapter, loaded with the first connection of its kind. */
export const requesters =
  (network: Network, store: SecretStore, hosts?: HostContext): RequesterFactory =>
  (baseUrl, connectionId, choices = () => ({})) => {
    if (baseUrl === '') return through(network)
    const ports =
      connectionId === undefined
        ? { ...NO_MEMORY, secrets: null, extensions: null }
        : {
            ...(hosts?.memory(connectionId) ?? NO_MEMORY),
            secrets: hostSecrets(store, connectionId),
            extensions: hosts?.extensions(connectionId) ?? null,
          }
    return hostRequester(baseUrl, { dispatcher: network, ...ports, choices }) ?? through(network)
  }

/** The address of another host, if one answers at what was typed. Throws `bad-address` with a reason. */
export async function recognized(typed: string, network: Network): Promise<string | null> {
  const text = typed.trim()
  if (/^sftp:\/\//i.test(text)) return sftpTyped(text)
  const isBare = !/^[a-z]+:\/\//i.test(text)
  const isHome = URL.canParse(`http://${text}`) && isLoopback(new URL(`http://${text}`).hostname)
  const address = isBare ? `${isHome ? 'http' : 'https'}://${text}` : text
  if (!URL.canParse(address)) return null
  const { protocol, hostname, origin, pathname, port, username, password } = new URL(address)
  // Whatever is typed wrongly is explained when it is sent.
  const isOpen = protocol !== 'https:' && !isLoopback(hostname) && !isExaroton(hostname)
  if (password !== '' || isOpen) return null
  try {
    const panel = username === '' ? await recognizeHost(origin + pathname, network) : null
    if (panel !== null || !isBare || (username === '' && port === '')) return panel
    return await recognizeSftp(text, network.dial)
  } catch (error) {
    if (!(error instanceof HostRefusal)) throw error
    const why = localizedError(error.told ?? { message: error.message })
    throw problem('bad-address', why, { fields: { baseUrl: [why.message] } })
  }
}

function sftpTyped(text: string): string {
  const address = sftpAddress(text)
  if (address !== null && new URL(text).password === '') return address
  const why = localized(address === null ? 'base-address.sftp' : 'base-address.password')
  throw problem('bad-address', why, { fields: { baseUrl: [why.message] } })
}

/** The key that the host of an SFTP address shows. Throws the problem of the line. */
export async function hostKey(baseUrl: string, { dial }: Pick<Network, 'dial'>): Promise<string> {
  const address = sftpTyped(baseUrl)
  try {
    return await hostKeyOf(address, dial)
  } catch (error) {
    if (error instanceof HostRefusal)
      throw problem('incompatible', localizedError(error.told ?? { message: error.message }))
    throw transportProblem(error, new URL(address).host)
  }
}

/** Without `close`: the network is everybody's. */
const through = (network: Requester): Pick<Requester, 'request'> => ({
  request: (asked) => network.request(asked),
})

const KNOWN_LINES = 500

export const hostMemory =
  (cache: Pick<Cache, 'linesBefore'>, lines: Pick<KeptPowerLines, 'of'>): HostMemory =>
  (connectionId) => ({
    memory: consoleMemory(cache, connectionId),
    powerLines: () => lines.of(connectionId),
  })

const consoleMemory = (cache: Pick<Cache, 'linesBefore'>, connectionId: string): ConsoleMemory => ({
  async newest(serverId) {
    const batches = await cache.linesBefore(connectionId, serverId, null, KNOWN_LINES)
    const last = batches.at(-1)
    if (!last) return null
    const seq = last.firstSeq + last.texts.length - 1
    return {
      lastId: formatLineId({ epoch: last.epoch, seq }),
      texts: batches.flatMap(({ texts }) => texts),
    }
  },
})
