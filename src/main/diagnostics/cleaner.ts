import { isIP, isIPv6 } from 'node:net'
import type { Connection } from '../../contract/bridge/values.ts'

export interface IdentifyingNames {
  connections: readonly Pick<Connection, 'id' | 'kind' | 'name' | 'baseUrl' | 'user'>[]
  names: readonly string[]
  hosts: boolean
}

/** Shorter names would match parts of ordinary words. */
const SHORTEST = 3
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const email = /[^\s@"'<>()[\]]{1,100}@[^\s@"'<>()[\]]{1,100}/g
const address = /[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>]{1,2000}/gi
/** Candidates; `isIP` decides. */
const perhapsAddress = /[0-9a-f:.]*[:.][0-9a-f:.]+(%[a-z0-9]+)?/gi
const folder = /(?:[a-z]:)?[\\/](?:[^\\/\s"'<>:]+[\\/])+[^\\/\s"'<>:]*/gi

export class Cleaner {
  readonly #numbers = new Map<string, string>()
  readonly #names: RegExp | null

  constructor({ connections, names, hosts }: IdentifyingNames) {
    const own: string[] = [...names]
    for (const { id, kind, name, baseUrl, user } of connections) {
      this.#numbers.set(id, kind === 'local' ? 'this computer' : `service ${this.#numbers.size + 1}`)
      own.push(...[user?.name, user?.email].flatMap((one) => one ?? []))
      if (kind !== 'local' && !hosts) own.push(...namesOf(name, baseUrl))
    }
    const sought = own.filter((one) => one.length >= SHORTEST).sort((a, b) => b.length - a.length)
    const escaped = sought.map((one) => one.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    // Whole words only: a gap in an ordinary word can be guessed from the rest.
    const whole = `(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`
    this.#names = escaped.length > 0 ? new RegExp(whole, 'giu') : null
  }

  connection(id: string): string {
    return this.#numbers.get(id) ?? 'a service that is gone'
  }

  clean(text: string): string {
    const named = text.replace(email, '[mail address]').replace(address, '[address]').replace(uuid, '[id]')
    const cleaned = named.replace(folder, '[path]').replace(perhapsAddress, (found) => withoutComputer(found))
    return this.#names ? cleaned.replace(this.#names, '[name]') : cleaned
  }
}

/** A service's host name; for local addresses only the kind. */
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
