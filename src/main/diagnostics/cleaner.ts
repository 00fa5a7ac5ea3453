import { isIP, isIPv6 } from 'node:net'
import type { Connection } from '../../contract/bridge/values.ts'

/** What is known to name somebody or some place here. */
export interface Known {
  connections: readonly Pick<Connection, 'id' | 'kind' | 'name' | 'baseUrl' | 'user'>[]
  /** Names of this computer, of its user and of folders. */
  names: readonly string[]
  /** Hosts are told by their names. */
  hosts: boolean
}

/** Names that are shorter would tear holes into ordinary words. */
const SHORTEST = 3
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const email = /[^\s@"'<>()[\]]{1,100}@[^\s@"'<>()[\]]{1,100}/g
const address = /[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>]{1,2000}/gi
/** Colons and dots between digits; what of it is an address is decided by `isIP`. */
const perhapsAddress = /[0-9a-f:.]*[:.][0-9a-f:.]+(%[a-z0-9]+)?/gi
const folder = /(?:[a-z]:)?[\\/](?:[^\\/\s"'<>:]+[\\/])+[^\\/\s"'<>:]*/gi

/** Takes out of a text what names somebody, and puts stand-ins for the services of this panel there. */
export class Cleaner {
  readonly #numbers = new Map<string, string>()
  readonly #names: RegExp | null

  constructor({ connections, names, hosts }: Known) {
    const own: string[] = [...names]
    for (const { id, kind, name, baseUrl, user } of connections) {
      this.#numbers.set(id, kind === 'local' ? 'this computer' : `service ${this.#numbers.size + 1}`)
      own.push(...[user?.name, user?.email].flatMap((one) => one ?? []))
      if (kind === 'service' && !hosts) own.push(...namesOf(name, baseUrl))
    }
    const sought = own.filter((one) => one.length >= SHORTEST).sort((a, b) => b.length - a.length)
    const escaped = sought.map((one) => one.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    // Whole words alone: one that is torn out of the middle of an ordinary word can be read from what is left of it.
    const whole = `(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`
    this.#names = escaped.length > 0 ? new RegExp(whole, 'giu') : null
  }

  /** How a connection is called in place of its name. */
  connection(id: string): string {
    return this.#numbers.get(id) ?? 'a service that is gone'
  }

  clean(text: string): string {
    const named = text.replace(email, '[mail address]').replace(address, '[address]').replace(uuid, '[id]')
    const cleaned = named.replace(folder, '[path]').replace(perhapsAddress, (found) => withoutComputer(found))
    return this.#names ? cleaned.replace(this.#names, '[name]') : cleaned
  }
}

/** The host of a service as it may be told by name; of a computer's address only of what kind it is. */
export function hostOf(baseUrl: string): string {
  const { hostname, port } = new URL(baseUrl)
  const bare = hostname.replace(/^\[|\]$/g, '')
  const said = isIP(bare) === 0 ? bare : isIPv6(bare) ? 'an IPv6 address' : 'an IPv4 address'
  return port ? `${said}, port ${port}` : said
}

const namesOf = (name: string, baseUrl: string) => {
  if (!URL.canParse(baseUrl)) return [name]
  const { host, hostname } = new URL(baseUrl)
  return [name, host, hostname]
}

function withoutComputer(found: string): string {
  const bare = found.replace(/^\.+|[.:]+$/g, '')
  const parts = [bare, bare.replace(/:\d+$/, ''), found]
  return parts.some((one) => isIP(one) !== 0) ? '[address of a computer]' : found
}
