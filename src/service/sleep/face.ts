import { javaBoolean, javaInt } from '../../contract/rules/java-values.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { KnownLists } from '../worlds/known-lists.ts'
import { readSettings } from '../worlds/server-properties.ts'
import { readWorldText } from '../worlds/world-file.ts'
import type { Face } from './visitor.ts'

/** UTF-16 units; the game shows two lines. */
const MOTD_MOST = 1000
/** For settings of hundreds of lines. */
const FORWARDING_BYTES = 256 * 1024
const KEPT_MS = 5000
const SLOTS = 20

/** Where servers say that a proxy tells them who joins: then a player can't join them directly. */
const FORWARDING = [
  { file: 'config/paper-global.yml', says: /^ {2}velocity:\s*\n(?: {4}.*\n)*? {4}enabled: *true/m },
  { file: 'spigot.yml', says: /^ {2}bungeecord: *true/m },
  { file: 'config/FabricProxy-Lite.toml', says: /^/ },
] as const

interface SleepingServer extends Face {
  /** A waiting player can be sent on to it. */
  takesTransfers: boolean
}

interface FacePorts {
  files: ServerFiles
  icon: () => Promise<string | null>
  now: () => number
}

/** What the files of a sleeping server say, read again after a while at the earliest: pings come in thousands. */
export class SleepingFace {
  readonly #ports: FacePorts
  readonly #lists = new KnownLists()
  #shown: { at: number; face: Promise<SleepingServer> } | null = null

  constructor(ports: FacePorts) {
    this.#ports = ports
  }

  read(server: { name: string; version: string; wakes: boolean }): Promise<SleepingServer> {
    const at = this.#ports.now()
    if (!this.#shown || at - this.#shown.at >= KEPT_MS) this.#shown = { at, face: this.#read(server) }
    return this.#shown.face
  }

  async lists(name: string): Promise<boolean> {
    const { entries } = await this.#lists.read(this.#ports.files, 'whitelist')
    return entries.some((entry) => entry.name?.toLowerCase() === name.toLowerCase())
  }

  async #read({ name, version, wakes }: Parameters<SleepingFace['read']>[0]): Promise<SleepingServer> {
    const { files } = this.#ports
    const values = (await readSettings(files).catch(() => null))?.values ?? new Map<string, string>()
    const takesTransfers = javaBoolean(values.get('accepts-transfers') ?? 'false')
    const max = javaInt(values.get('max-players') ?? '') ?? SLOTS
    return {
      motd: `${firstLine(values.get('motd') ?? name)}\n§r§7${wakes ? said.listedToWake : said.listed}`,
      ...{ version, max: Math.max(0, max) },
      icon: await this.#ports.icon().catch(() => null),
      isHidden: !javaBoolean(values.get('enable-status') ?? 'true'),
      takesTransfers: takesTransfers && !(await this.#isBehindProxy()),
    }
  }

  async #isBehindProxy(): Promise<boolean> {
    for (const { file, says } of FORWARDING) {
      const read = await readWorldText(this.#ports.files, file, FORWARDING_BYTES).catch(() => null)
      if (read && read !== 'same' && says.test(read.text)) return true
    }
    return false
  }
}

/** The second line has to make room. */
const firstLine = (motd: string): string =>
  (motd.split('\n')[0] ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, MOTD_MOST)

/** What players read in their game. The game tells a server their language only once they are in. */
export const said = {
  asleep: 'This server is asleep.',
  /** Below its own line in the list. */
  listed: 'Asleep',
  listedToWake: 'Asleep. Join to wake it',
  busy: 'This server is being worked on. Join again later.',
  tooOften: 'This server is asleep. Join again in a few minutes.',
  failed: 'The server could not be woken up. Tell its owner.',
  ending: 'The server cannot be woken up now. Join again later.',
  long: 'The server is still waking up. Join again in a minute.',
  /** `seconds`: about, null if not known. */
  waking: (seconds: number | null): string =>
    seconds === null
      ? 'Waking up. Join again in a minute.'
      : `Waking up. Join again in about ${seconds} seconds.`,
}
