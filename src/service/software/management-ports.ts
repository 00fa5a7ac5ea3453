import { randomInt } from 'node:crypto'
import type { ServerFiles } from '../files/server-files.ts'
import { findFreePort } from '../base/free-port.ts'
import { tryPort } from '../runtime/port.ts'
import { managementSettingsIn, readManagementSettings } from '../worlds/server-properties.ts'
import { compareVersions } from './catalogues/version-order.ts'

/** The first release with Minecraft's management protocol. */
const FIRST_WITH_IT = '1.21.9'
/** Below the ports that systems give to connections of their own, above those that game servers are given. */
const PORTS = { first: 28_000, count: 3000 }
/** As the server asks for it: letters and digits. */
const SECRET_LENGTH = 40
const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const PREFIX = 'management-server-'

/** What Minecraft writes by itself, where nobody has said anything. Its secret is another one in each server. */
const UNTOUCHED: Readonly<Record<string, string>> = {
  enabled: 'false',
  host: 'localhost',
  port: '0',
  'tls-enabled': 'true',
  'tls-keystore': '',
  'tls-keystore-password': '',
  'allowed-origins': '',
}

type Values = ReadonlyMap<string, string>

/** What is to be set where `server.properties` has these values. */
export type SettingsFor = (values: Values) => Readonly<Record<string, string>>

/** Switches the management protocol of servers on: for this computer alone, at a port and with a secret of their own. */
export class ManagementPorts {
  readonly #gamePorts: () => ReadonlySet<number>
  /** The ports that were given since the service was started: servers may be started at the same time. */
  readonly #given = new Map<string, number>()

  /** `gamePorts`: of all servers, running or not. */
  constructor(gamePorts: () => ReadonlySet<number>) {
    this.#gamePorts = gamePorts
  }

  /**
   * What its `server.properties` has to say for a start of this version. Where people have set the protocol up or turned it
   * off themselves, it is left to them, but for a port that something else on this computer listens on: the server would end
   * at its start.
   */
  async settings(serverId: string, files: ServerFiles, version: string): Promise<SettingsFor> {
    if (!hasManagement(version)) return () => ({})
    const now = await readManagementSettings(files)
    if (now.kind === 'on' && (await tryPort(now.host, now.port)).kind !== 'taken') {
      const isOthers = [...this.#given].some(([id, port]) => id !== serverId && port === now.port)
      // Given in the same step: another server that is set to it may start this moment.
      if (!isOthers) {
        this.#given.set(serverId, now.port)
        return () => ({})
      }
    }
    const free = await this.#freePort(serverId)
    if (free === null) return () => ({})
    return (values) => changesIn(values, { free: String(free), taken: now.kind === 'on' ? now.port : null })
  }

  forget(serverId: string): void {
    this.#given.delete(serverId)
  }

  async #freePort(serverId: string): Promise<number | null> {
    const others = [...this.#given].flatMap(([id, port]) => (id === serverId ? [] : [port]))
    const taken = new Set([...this.#gamePorts(), ...others])
    const first = PORTS.first + randomInt(PORTS.count)
    const port = await findFreePort('127.0.0.1', taken, first)
    // Somebody may have been given the same one meanwhile.
    if (port !== null && [...this.#given].some(([id, given]) => id !== serverId && given === port))
      return this.#freePort(serverId)
    if (port !== null) this.#given.set(serverId, port)
    return port
  }
}

const hasManagement = (version: string): boolean => {
  const release = /^\d+(\.\d+)+/.exec(version)?.[0]
  return release !== undefined && compareVersions(release, FIRST_WITH_IT) >= 0
}

/** `free`: a port for it. `taken`: the one that is set and that it cannot have. */
function changesIn(values: Values, { free, taken }: { free: string; taken: number | null }) {
  const said = new Map(
    [...values].flatMap(([key, value]): [string, string][] =>
      key.startsWith(PREFIX) ? [[key.slice(PREFIX.length), value]] : [],
    ),
  )
  const now = managementSettingsIn(values)
  if (now.kind === 'on') return now.port === taken ? withPrefix({ port: free }) : {}
  const isUntouched = [...said].every(
    // Whom it lets in is no word on whether it is on: a copy of a server has kept it.
    ([key, value]) =>
      key === 'secret' || UNTOUCHED[key] === value || (key === 'allowed-origins' && !said.has('enabled')),
  )
  if (!isUntouched) return {}
  // Turned off before the first start. The rest is about to be added, and would look as if nobody had said anything.
  if (said.has('enabled') && !said.has('port')) return withPrefix({ port: free })
  return withPrefix({ ...ON, port: free, secret: newSecret() })
}

const ON = { enabled: 'true', host: 'localhost', 'tls-enabled': 'false' }

const withPrefix = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [PREFIX + key, value]))

const newSecret = (): string =>
  Array.from({ length: SECRET_LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')

/** What goes with the server whose protocol it switched on: one that is made of it is given values of its own at its start. */
const ITS_OWN = ['enabled', 'host', 'port', 'secret', 'tls-enabled', 'tls-keystore', 'tls-keystore-password']

/** The keys of a server whose protocol is on for this computer alone, but for whom it lets in. */
export const managementKeysIn = (values: Values): string[] =>
  managementSettingsIn(values).kind === 'on' ? ITS_OWN.map((key) => PREFIX + key) : []

/** The same of a server that somebody has brought: wherever it was to listen, others know its secret. */
export const foreignManagementKeys = (values: Values): string[] =>
  managementSettingsIn(values).kind === 'off' ? [`${PREFIX}secret`] : ITS_OWN.map((key) => PREFIX + key)
