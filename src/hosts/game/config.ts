import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { ServerConfig } from '../../contract/areas/server-config.ts'
import type { PropertyInput } from '../../contract/areas/values/server-properties.ts'
import { refusalText } from '../../contract/messages/refusals/index.ts'
import { changeFaults, propertiesView, tellingValues } from '../../contract/rules/game/property-values.ts'
import { propertiesIn } from '../../contract/rules/properties-text.ts'
import { HostRefusal, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { type GameFiles, UNUSABLE } from './game-files.ts'
import { changeSettings, readSettings } from './settings-file.ts'

/** Paper's, with the version that ran last. */
const HISTORY = 'version_history.json'
const HISTORY_BYTES = 64 * 1024
const VERSION = /\d{1,4}\.\d{1,4}(?:\.\d{1,4})?/

interface ConfigPlace {
  files: GameFiles
  name: string
  /** As the game says it at its port. */
  version: string | null
  /** Whether the host decides about the port, whatever the file says. */
  hasOwnPort: boolean
}

export interface ConfigRead {
  config: z.input<typeof ServerConfig>
  tag: string
}

type Changes = readonly { key: string; value: string | null }[]

/** The game's settings as a form. A server without their file has none. */
export async function readConfig(place: ConfigPlace, caller: Caller): Promise<ConfigRead> {
  const [{ text }, version] = await Promise.all([readSettings(place.files, caller), versionOf(place, caller)])
  const properties = text === null ? null : viewOf(text, version, place)
  return { config: { name: place.name, properties }, tag: tagOf(place, text) }
}

/** Sets values and keeps all else of the file. `ifMatch`: the tag that was read. */
export async function changeConfig(
  place: ConfigPlace,
  changes: Changes,
  ifMatch: string | null,
  caller: Caller,
): Promise<void> {
  const version = await versionOf(place, caller)
  const wanted = new Map(changes.map(({ key, value }) => [key, value]))
  const check = (text: string) => {
    if (ifMatch !== null && ifMatch !== tagOf(place, text)) throw hostRefusal(412, 'config.changed')
    const faults = [...changeFaults(version, viewOf(text, version, place), propertiesIn(text), wanted)]
    const [first] = faults
    if (!first) return wanted
    const [key, why] = first
    throw new HostRefusal(422, refusalText('config.property', { key: key.slice(0, 60), why }), {
      fields: Object.fromEntries(
        faults.map(([at, reason]) => [
          `properties.${at}`,
          [refusalText('config.property.why', { why: reason }).message],
        ]),
      ),
    })
  }
  await changeSettings(place.files, check, caller)
}

/** Changes by others show in it, but for comments and order. */
function tagOf({ name }: ConfigPlace, text: string | null): string {
  const told = JSON.stringify([name, tellingValues(text ?? '')])
  return `"${createHash('sha256').update(told).digest('base64url').slice(0, 22)}"`
}

function viewOf(text: string, version: string, { hasOwnPort }: ConfigPlace): PropertyInput[] {
  const shown = propertiesView(text, version, null)
  return hasOwnPort ? shown : shown.map(({ readOnly: _decided, ...one }) => one)
}

/** Empty if it isn't known: then the newest version's settings are shown. */
async function versionOf({ files, version }: ConfigPlace, caller: Caller): Promise<string> {
  const [running] = VERSION.exec(version ?? '') ?? []
  if (running !== undefined) return running
  const history = await files.read(HISTORY, HISTORY_BYTES, caller)
  if (history === null || history === UNUSABLE) return ''
  const [, last = ''] =
    new RegExp(`"currentVersion"[^}]*?MC: (${VERSION.source})`).exec(history.toString()) ?? []
  return last
}
