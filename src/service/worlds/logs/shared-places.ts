const UUID = /(?<![\da-f])[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}(?![\da-f])/gi
const V4 = /(?<![\w.-])(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\w-]|\.\w)/g
/** Precedes versions that look like IPv4 addresses, such as NeoForge's. */
const OF_VERSION = /(?:forge|version|loader)\W{0,3}$/i
/** Candidates: two or more colons, also with Java's port suffix. */
const V6 =
  /(?<![\w:.])(?:[\da-f]{0,4}:){2,8}(?:(?:\d{1,3}\.){3}\d{1,3}|[\da-f]{1,5})?(?:%\w{1,20})?(?![\w:])/gi
/** Loopback and wildcard addresses reveal nothing. */
const OWN = new Set(['127.0.0.1', '0.0.0.0', '::1', '::', '0:0:0:0:0:0:0:1', '0:0:0:0:0:0:0:0'])
/** Java prints `host/address` once it has resolved the host. Applied after addresses are replaced. */
const NAME_OF_ADDRESS = /(?<![\w.:/@-])[\w-]{1,63}(?:\.[\w-]{1,63}){1,10}(?=\/\[?\[address \d)/g
const MAIL = /(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}(?![\w/-])/gi

/** Bounded to keep matching linear. */
const WEB = /([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s"'<>]{1,4000})/gi
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi
const KEY = '(?:token|secret|passw(?:or)?d|passphrase|pwd|(?:api|access|private)[_-]?key)'
const SECRET = new RegExp(
  String.raw`(${KEY}["']?\s{0,3}[:=]\s{0,3})(?:(["'])(?:(?!\2)[^\n]){1,400}\2|(["']?)[^\s"',;&]{4,})`,
  'gi',
)
const SECRET_FLAG = new RegExp(String.raw`(--?[\w.-]{0,40}${KEY}[\w.-]{0,20}\s{1,3})[^\s-]\S{0,400}`, 'gi')
/** Commands of login plugins, which take passwords. */
const SECRET_COMMAND =
  /(issued server command: \/(?:\w{1,40}:)?(?:l|login|log|reg|register|unregister|cp|changepass(?:word)?|2fa|totp|email|recover))[ \t][^\r\n]{1,400}/gi
/** JWT, Discord, GitHub. */
const TOKEN =
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]{1,400})?|\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])|\bgh[pousr]_\w{30,}/g

const HOMES = /((?:\/home|\/Users)\/+)[^\\/\s:"'<>|]{1,64}/g
/** Names can contain spaces; they end at the next folder. */
const WINDOWS_HOMES =
  /((?:[a-z]:|\\\\[^\\/\s]{1,63})[\\/]+(?:Users|Documents and Settings)[\\/]+)(?:[^\\/:"'<>|*?\r\n]{1,64}(?=[\\/])|[^\\/\s:"'<>|]{1,64})/gi
const USER_SETTING =
  /(\b(?:user\.name|user\.home|USER|USERNAME|LOGNAME|COMPUTERNAME|HOSTNAME)\s?[=:]\s?)[^\s,;]{1,200}/g

export class AddressRedactor {
  readonly #addresses = new Pseudonyms('address')
  readonly #uuids = new Pseudonyms('uuid')
  readonly #users: RegExp | null
  readonly #hosts: RegExp | null

  constructor(users: Iterable<string>, hosts: Iterable<string>) {
    const [user, host] = [anyOf(users, ['root']), anyOf(hosts, ['localhost'])]
    this.#users = user === null ? null : new RegExp(String.raw`(?<=[\\/@])(?:${user})(?=[\\/\s:]|$)`, 'g')
    // A host name can be an ordinary word: replace it only where hosts are named.
    this.#hosts =
      host === null
        ? null
        : new RegExp(
            String.raw`(?<=@|:\/\/|UnknownHostException: )(?:${host})(?![\w-])|(?<![\w.-])(?:${host})(?=\/\[?(?:\[address|127\.))`,
            'gi',
          )
  }

  get removed(): { addresses: number; ids: number } {
    return { addresses: this.#addresses.count, ids: this.#uuids.count }
  }

  of(text: string): string {
    const address = (found: string) => this.#addresses.of(found)
    // Secrets first: a URL can contain all the others.
    const shared = text
      .replace(WEB, (_, scheme: string, rest: string) => scheme + withoutSecrets(rest))
      .replace(BEARER, '$1 [removed]')
      .replace(SECRET_COMMAND, '$1 [removed]')
      .replace(SECRET_FLAG, '$1[removed]')
      .replace(SECRET, (_, key: string, quote = '', begun = '') => `${key}${quote || begun}[removed]${quote}`)
      .replace(TOKEN, '[removed]')
      .replace(UUID, (uuid) => this.#uuids.of(uuid.replaceAll('-', '').toLowerCase()))
      .replace(V6, (found) => withoutV6(found, address))
      .replace(V4, (found: string, at: number, whole: string) =>
        OWN.has(found) || OF_VERSION.test(whole.slice(Math.max(0, at - 12), at)) ? found : address(found),
      )
      .replace(NAME_OF_ADDRESS, (host) => address(host.toLowerCase()))
      .replace(MAIL, (mail) => address(mail.toLowerCase()))
      .replace(WINDOWS_HOMES, '$1[user]')
      .replace(HOMES, '$1[user]')
      .replace(USER_SETTING, '$1[user]')
    const nobody = this.#users ? shared.replace(this.#users, '[user]') : shared
    return this.#hosts ? nobody.replace(this.#hosts, (host) => address(host.toLowerCase())) : nobody
  }
}

/** As in URLs of webhooks and bots. */
const SECRET_SEGMENT = /\/(?:[\w-]{32,}|(?=[a-z-]*[A-Z\d_])[\w-]{24,31}|bot\d{5,}:[\w-]{20,})(?![^/])/g

function withoutSecrets(rest: string): string {
  const [place = '', ...asked] = rest.split(/[?#]/)
  const open = place.replace(/^[^/@]{1,500}@/, '[removed]@').replaceAll(SECRET_SEGMENT, '/[removed]')
  return open + (asked.length > 0 ? '?[removed]' : '')
}

function withoutV6(found: string, standIn: (address: string) => string): string {
  const groups = found.replace(/%.*/, '').split(':')
  const port = groups.length === 9 && !groups.includes('') ? `:${groups.pop()}` : ''
  const address = groups.join(':').toLowerCase()
  // Excludes times and block names.
  const isOne = address.includes('::') ? /[\da-f]/.test(address) : groups.length === 8 && !groups.includes('')
  return isOne && !OWN.has(address) ? standIn(address) + port : found
}

class Pseudonyms {
  readonly #what: string
  readonly #numbers = new Map<string, number>()

  constructor(what: string) {
    this.#what = what
  }

  get count(): number {
    return this.#numbers.size
  }

  of(value: string): string {
    if (!this.#numbers.has(value)) this.#numbers.set(value, this.#numbers.size + 1)
    return `[${this.#what} ${this.#numbers.get(value)!}]`
  }
}

function anyOf(names: Iterable<string>, harmless: readonly string[]): string | null {
  const told = [...names].filter((name) => name.length > 2 && !harmless.includes(name))
  return told.length === 0 ? null : told.map((name) => RegExp.escape(name)).join('|')
}
