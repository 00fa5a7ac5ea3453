import { createHash } from 'node:crypto'
import { isStopped } from '../../../contract/rules/power.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import { refusalText } from '../../../contract/messages/refusals/index.ts'
import { refusal } from '../../../host/refusal.ts'
import type { Runtime } from '../../runtime/types.ts'
import type { ServerRow } from '../../store/servers.ts'
import { changeText, TextSizeError } from '../../worlds/change-text.ts'
import { propertiesIn, SETTINGS, withProperties } from '../../worlds/server-properties.ts'
import { changeFaults, propertiesView, tellingValues } from '../../../contract/rules/game/property-values.ts'
import type { PropertyInput } from '../../../contract/areas/values/server-properties.ts'
import { readWorldText, UnusableFile } from '../../worlds/world-file.ts'

export interface SettingsSnapshot {
  /** Null: none, or unreadable. */
  properties: PropertyInput[] | null
  /** Hash of the values; ignores comments and order. */
  mark: string
}

/** Null removes the key. */
type PropertyChanges = ReadonlyMap<string, string | null>

/** Settings files, now and as of each running program's start. */
export class ServerSettings {
  readonly #files: Pick<AllServerFiles, 'of'>
  readonly #runtime: Pick<Runtime, 'catalog' | 'onStatus' | 'isDown'>
  /** Values at the start; null while being read, or unreadable. */
  readonly #running = new Map<string, ReadonlyMap<string, string> | null>()
  readonly #stop: () => void

  constructor(files: Pick<AllServerFiles, 'of'>, runtime: Pick<Runtime, 'catalog' | 'onStatus' | 'isDown'>) {
    this.#files = files
    this.#runtime = runtime
    this.#stop = runtime.onStatus((serverId, { status }) => {
      if (status === 'starting' || (status === 'online' && !this.#running.get(serverId)))
        void this.#remember(serverId)
      else if (isStopped(status)) this.#running.delete(serverId)
    })
  }

  async read(row: ServerRow): Promise<SettingsSnapshot> {
    try {
      return this.#seen(row, await this.#text(row.id))
    } catch (error) {
      if (error instanceof UnusableFile) return { properties: null, mark: 'unusable' }
      throw error
    }
  }

  /**
   * Sets values, keeping all other bytes. `check` is called last and may throw; `save` persists other changes and
   * places the file in one step. Throws Refusal 409 `config.settings-damaged`, 422 `config.property`.
   */
  async change(
    row: ServerRow,
    changes: PropertyChanges,
    check: (now: SettingsSnapshot) => void,
    save: (place: () => void) => void,
  ): Promise<SettingsSnapshot> {
    let after = ''
    let isSaved = false
    let now: SettingsSnapshot | null = null
    const changed = (before: string): string | null => {
      now = this.#seen(row, before === '' ? null : before)
      check(now)
      requireSettable(row, now, propertiesIn(before), changes)
      const written = withProperties(before, changes)
      after = written ?? before
      return written
    }
    const checkAgain = () => now && check(now)
    const step = (place: () => void) => {
      save(place)
      isSaved = true
    }
    try {
      await changeText(this.#files.of(row.id), SETTINGS, changed, checkAgain, step)
      if (!isSaved) {
        checkAgain()
        save(() => undefined)
      }
    } catch (error) {
      if (error instanceof UnusableFile || error instanceof TextSizeError) throw damaged()
      throw error
    }
    return this.#seen(row, after)
  }

  forget(serverId: string): void {
    this.#running.delete(serverId)
  }

  close(): void {
    this.#stop()
  }

  #seen(row: ServerRow, text: string | null): SettingsSnapshot {
    const software = this.#runtime.catalog().find(({ id }) => id === row.softwareId)
    const isMinecraft = software?.license !== undefined
    const running = this.#runtime.isDown(row.id) ? null : (this.#running.get(row.id) ?? null)
    // A proxy ignores the settings file of the server it was before.
    const has = (text !== null && !software?.isProxy) || isMinecraft
    const properties = has ? propertiesView(text ?? '', row.softwareVersion, running) : null
    const mark = createHash('sha256').update(JSON.stringify(tellingValues(text ?? '')))
    return { properties, mark: mark.digest('base64url').slice(0, 22) }
  }

  async #text(serverId: string): Promise<string | null> {
    const { file, most, encoding } = SETTINGS
    const read = await readWorldText(this.#files.of(serverId), file, most, undefined, encoding)
    return read === null || read === 'same' ? null : read.text
  }

  async #remember(serverId: string): Promise<void> {
    this.#running.set(serverId, null)
    const text = await this.#text(serverId).catch(() => null)
    if (text !== null && this.#running.has(serverId)) this.#running.set(serverId, propertiesIn(text))
  }
}

function requireSettable(
  row: ServerRow,
  now: SettingsSnapshot,
  there: ReadonlyMap<string, string>,
  changes: PropertyChanges,
): void {
  const faults = [...changeFaults(row.softwareVersion, now.properties, there, changes)]
  const [first] = faults
  if (!first) return
  const [key, why] = first
  throw refusal(422, 'config.property', { key: key.slice(0, 60), why }).atAll(
    Object.fromEntries(
      faults.map(([at, reason]) => [
        `properties.${at}`,
        [refusalText('config.property.why', { why: reason })],
      ]),
    ),
  )
}

const damaged = () => refusal(409, 'config.settings-damaged', { file: SETTINGS.file })
