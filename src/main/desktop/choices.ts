import { z } from 'zod'
import {
  ALERT_KINDS,
  type AlertKind,
  type DesktopChoices,
  type DesktopLack,
} from '../../contract/bridge/desktop-calls.ts'
import { Lanes } from '../../contract/rules/lanes.ts'
import type { Cache } from '../views/cache/cache.ts'
import { storedJson } from '../storage/stored-json.ts'
import type { BackgroundUnit } from '../local/background/system-unit.ts'
import { type AutostartPort, changeAutostart } from './autostart.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { problem } from '../base/problem.ts'

export type ChoicesChange = { [K in 'tray' | 'autostart' | 'keepServers']?: boolean | undefined } & {
  alerts?: { [K in AlertKind]?: boolean | undefined } | undefined
}

const StoredChoices = z.object({
  tray: z.boolean().catch(false),
  autostart: z.boolean().catch(false),
  keepServers: z.boolean().catch(false),
  alerts: z.partialRecord(z.enum(ALERT_KINDS), z.boolean()).catch({}),
})

/** Players are off by default: a busy server would alert all day. */
const usual: DesktopChoices['alerts'] = {
  service: true,
  started: true,
  joined: false,
  left: false,
  transfers: true,
  update: true,
}

/** Autostart is the system's state; only that it was chosen here is stored. */
export class ChoicesStore {
  #now: DesktopChoices | null = null
  readonly #cache: Pick<Cache, 'readSetting' | 'writeSetting'>
  readonly #onChange: (choices: DesktopChoices) => void
  readonly #autostart: AutostartPort | null
  readonly #background: BackgroundUnit | null
  readonly #lacks: () => Promise<DesktopLack[]>
  readonly #turns = new Lanes({ atOnce: 1 })

  /** @param lacks missing desktop features; never rejects */
  constructor(
    cache: Pick<Cache, 'readSetting' | 'writeSetting'>,
    onChange: (choices: DesktopChoices) => void,
    autostart: AutostartPort | null,
    background: BackgroundUnit | null = null,
    lacks: () => Promise<DesktopLack[]> = () => Promise.resolve([]),
  ) {
    this.#lacks = lacks
    this.#background = background
    this.#cache = cache
    this.#onChange = onChange
    this.#autostart = autostart
  }

  async read(): Promise<DesktopChoices> {
    return this.#shown(await this.#kept())
  }

  /** Omitted fields stay. Throws a problem and stores nothing if the system does not comply. */
  change(change: ChoicesChange): Promise<DesktopChoices> {
    return this.#turns.run('', () => this.#change(change))
  }

  /** Updates the program's path if autostart was chosen here and is still on. */
  async renewAutostart(): Promise<void> {
    await this.#turns.run('', async () => {
      const port = this.#autostart
      if (port && (await this.#kept()).autostart && (await port.isOn())) await port.set(true)
    })
  }

  async #shown(choices: DesktopChoices): Promise<DesktopChoices> {
    const [isOn = false, lacks] = await Promise.all([this.#autostart?.isOn(), this.#lacks()])
    return { ...choices, autostart: isOn, ...(lacks.length > 0 && { lacks }) }
  }

  async #kept(): Promise<DesktopChoices> {
    if (this.#now) return this.#now
    const stored = StoredChoices.safeParse(storedJson(await this.#cache.readSetting('desktop')) ?? {})
    const { alerts, ...chosen } = stored.success
      ? stored.data
      : { tray: false, autostart: false, keepServers: false, alerts: {} }
    return (this.#now ??= { ...chosen, alerts: { ...usual, ...alerts } })
  }

  async #change({ tray, autostart, keepServers, alerts }: ChoicesChange): Promise<DesktopChoices> {
    if (autostart !== undefined) await changeAutostart(this.#autostart, autostart)
    if (keepServers !== undefined) await changeKeeping(this.#background, keepServers)
    const now = await this.#kept()
    const given = Object.entries(alerts ?? {}).filter(([, value]) => value !== undefined)
    const next = {
      tray: tray ?? now.tray,
      autostart: autostart ?? now.autostart,
      keepServers: keepServers ?? now.keepServers,
      alerts: { ...now.alerts, ...(Object.fromEntries(given) as Partial<DesktopChoices['alerts']>) },
    }
    await this.#cache.writeSetting('desktop', JSON.stringify(next))
    this.#now = next
    const shown = await this.#shown(next)
    this.#onChange(shown)
    return shown
  }
}

/**
 * Registers or removes the background service without starting or stopping it. Throws a problem if the system refuses.
 */
async function changeKeeping(unit: BackgroundUnit | null, on: boolean): Promise<void> {
  if (!unit)
    throw problem('unavailable', localized('desktop.keep-not-installed'), {
      serviceCode: 'computer.background',
    })
  if (on)
    await unit.prepare().catch(() => {
      throw problem('conflict', localized('desktop.keep-not-on'), { serviceCode: 'computer.background' })
    })
  // Leftovers start nothing.
  else await unit.remove().catch(() => undefined)
}
