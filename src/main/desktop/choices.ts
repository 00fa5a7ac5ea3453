import { z } from 'zod'
import { ALERT_KINDS, type AlertKind, type DesktopChoices } from '../../contract/bridge/desktop-calls.ts'
import type { Cache } from '../cache/cache.ts'
import { storedJson } from '../databases/stored-json.ts'

/** What a change may say; what it does not stays. */
export type ChoicesChange = { [K in 'tray' | 'autostart']?: boolean | undefined } & {
  alerts?: { [K in AlertKind]?: boolean | undefined } | undefined
}

const Stored = z.object({
  tray: z.boolean().catch(false),
  autostart: z.boolean().catch(false),
  alerts: z.partialRecord(z.enum(ALERT_KINDS), z.boolean()).catch({}),
})

/** Of players a busy server would tell all day. */
const usual: DesktopChoices['alerts'] = {
  service: true,
  started: true,
  joined: false,
  transfers: true,
  update: true,
}

/** The person's choices, kept beside the settings. What is not understood falls back to its default. */
export class ChoicesStore {
  #now: DesktopChoices | null = null
  readonly #cache: Pick<Cache, 'readSetting' | 'writeSetting'>
  readonly #onChange: (choices: DesktopChoices) => void

  constructor(
    cache: Pick<Cache, 'readSetting' | 'writeSetting'>,
    onChange: (choices: DesktopChoices) => void,
  ) {
    this.#cache = cache
    this.#onChange = onChange
  }

  async read(): Promise<DesktopChoices> {
    if (this.#now) return this.#now
    const stored = Stored.safeParse(storedJson(await this.#cache.readSetting('desktop')) ?? {})
    const { tray, autostart, alerts } = stored.success
      ? stored.data
      : { tray: false, autostart: false, alerts: {} }
    return (this.#now ??= { tray, autostart, alerts: { ...usual, ...alerts } })
  }

  async change({ tray, autostart, alerts }: ChoicesChange): Promise<DesktopChoices> {
    const now = await this.read()
    const given = Object.entries(alerts ?? {}).filter(([, value]) => value !== undefined)
    this.#now = {
      tray: tray ?? now.tray,
      autostart: autostart ?? now.autostart,
      alerts: { ...now.alerts, ...(Object.fromEntries(given) as Partial<DesktopChoices['alerts']>) },
    }
    await this.#cache.writeSetting('desktop', JSON.stringify(this.#now))
    this.#onChange(this.#now)
    return this.#now
  }
}
