import { randomInt } from 'node:crypto'
import type { ServerFiles } from '../files/server-files.ts'
import { findFreePort } from '../base/host.ts'
import { tryPort } from '../runtime/port.ts'
import { managementSettingsIn, readManagementSettings } from '../worlds/server-properties.ts'
import { compareVersions } from '../../contract/rules/version-order.ts'
import { FIRST_MANAGED } from '../../host/management/messages.ts'

/** Between the usual game ports and the ephemeral range. */
const PORTS = { first: 28_000, count: 3000 }
/** Required by the server: letters and digits. */
const SECRET_LENGTH = 40
const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const PREFIX = 'management-server-'

/** Minecraft's defaults. The secret is generated per server. */
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

type SettingsSource = (values: Values) => Readonly<Record<string, string>>

export class ManagementPorts {
  readonly #gamePorts: () => ReadonlySet<number>
  /** Ports assigned in this run: servers can start concurrently. */
  readonly #given = new Map<string, number>()

  constructor(gamePorts: () => ReadonlySet<number>) {
    this.#gamePorts = gamePorts
  }

  /** Respects people's own configuration, except a port in use, which would end the server at its start. */
  async settings(serverId: string, files: ServerFiles, version: string): Promise<SettingsSource> {
    if (!hasManagement(version)) return () => ({})
    const now = await readManagementSettings(files)
    if (now.kind === 'on' && (await tryPort(now.host, now.port)).kind !== 'taken') {
      const isOthers = [...this.#given].some(([id, port]) => id !== serverId && port === now.port)
      // Reserve synchronously: another server with this port may be starting.
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
    // Assigned to another server meanwhile.
    if (port !== null && [...this.#given].some(([id, given]) => id !== serverId && given === port))
      return this.#freePort(serverId)
    if (port !== null) this.#given.set(serverId, port)
    return port
  }
}

const hasManagement = (version: string): boolean => {
  const release = /^\d+(\.\d+)+/.exec(version)?.[0]
  return release !== undefined && compareVersions(release, FIRST_MANAGED) >= 0
}

/** `free`: a free port. `taken`: the configured one, if unusable. */
function changesIn(values: Values, { free, taken }: { free: string; taken: number | null }) {
  const said = new Map(
    [...values].flatMap(([key, value]): [string, string][] =>
      key.startsWith(PREFIX) ? [[key.slice(PREFIX.length), value]] : [],
    ),
  )
  const now = managementSettingsIn(values)
  if (now.kind === 'on') return now.port === taken ? withPrefix({ port: free }) : {}
  const isUntouched = [...said].every(
    // Allowed origins don't show that it was configured: copies keep them.
    ([key, value]) =>
      key === 'secret' || UNTOUCHED[key] === value || (key === 'allowed-origins' && !said.has('enabled')),
  )
  if (!isUntouched) return {}
  // Disabled before the first start. Adding the rest would look like the defaults.
  if (said.has('enabled') && !said.has('port')) return withPrefix({ port: free })
  return withPrefix({ ...ON, port: free, secret: newSecret() })
}

const ON = { enabled: 'true', host: 'localhost', 'tls-enabled': 'false' }

const withPrefix = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [PREFIX + key, value]))

const newSecret = (): string =>
  Array.from({ length: SECRET_LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')

/** Not copied to new servers, which get their own values. */
const ITS_OWN = ['enabled', 'host', 'port', 'secret', 'tls-enabled', 'tls-keystore', 'tls-keystore-password']

/** Keys we set to enable it on loopback; not allowed origins. */
export const managementKeysIn = (values: Values): string[] =>
  managementSettingsIn(values).kind === 'on' ? ITS_OWN.map((key) => PREFIX + key) : []

/** For servers brought by people: others may know the secret, wherever it listened. */
export const foreignManagementKeys = (values: Values): string[] =>
  managementSettingsIn(values).kind === 'off' ? [`${PREFIX}secret`] : ITS_OWN.map((key) => PREFIX + key)
