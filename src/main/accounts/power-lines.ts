import { z } from 'zod'
import { PowerLines } from '../../contract/bridge/power-line-calls.ts'
import { storedJson } from '../storage/stored-json.ts'

const NAME = 'power-lines'
const NONE: PowerLines = { start: '', stop: '', restart: '' }
const Stored = z.record(z.string(), PowerLines.catch(NONE)).catch({})

interface Settings {
  readSetting(name: string): Promise<string | null>
  writeSetting(name: string, value: string): Promise<void>
}

/** Command lines for starting and stopping games behind SSH, on this computer only. */
export class KeptPowerLines {
  readonly #settings: Settings
  #turn: Promise<unknown> = Promise.resolve()

  constructor(settings: Settings) {
    this.#settings = settings
  }

  async of(connectionId: string): Promise<PowerLines> {
    return (await this.#read())[connectionId] ?? NONE
  }

  /** Null forgets them. */
  set(connectionId: string, lines: PowerLines | null): Promise<void> {
    const change = this.#turn.then(async () => {
      const { [connectionId]: former, ...others } = await this.#read()
      if (lines === null && former === undefined) return
      const next = lines === null ? others : { ...others, [connectionId]: lines }
      await this.#settings.writeSetting(NAME, JSON.stringify(next))
    })
    this.#turn = change.catch(() => undefined)
    return change
  }

  async #read(): Promise<Record<string, PowerLines>> {
    return Stored.parse(storedJson(await this.#settings.readSetting(NAME)))
  }
}
