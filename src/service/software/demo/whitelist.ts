import { existsSync, readFileSync } from 'node:fs'
import { javaBoolean } from '../../../contract/rules/java-values.ts'
import { writeText, readList, WhitelistEntry, writeList } from '../../worlds/player-lists.ts'
import { offlineUuid } from '../../../host/offline-uuid.ts'
import { propertiesIn, SETTINGS_FILE, withProperty } from '../../worlds/server-properties.ts'
import { settingsEncoding } from '../../worlds/world-file.ts'
import type { ConsoleCommands } from './console-commands.ts'

const LIST = 'whitelist.json'
const KEY = 'white-list'

/** Returns why a player is rejected; null if not. */
export function addWhitelist(
  commands: ConsoleCommands,
  isOperator: (uuid: string) => boolean,
): (uuid: string) => string | null {
  let listed = readList(LIST, WhitelistEntry)
  let isOn = javaBoolean(propertiesIn(settings().text).get(KEY) ?? 'false')

  const keep = (next: WhitelistEntry[]) => writeList(LIST, (listed = next))
  const turn = (on: boolean) => {
    isOn = on
    const { text, encoding } = settings()
    const changed = withProperty(text, KEY, String(on))
    if (changed !== null) writeText(SETTINGS_FILE, Buffer.from(changed, encoding))
  }

  commands.add(
    'whitelist',
    'Manages the whitelist',
    'whitelist (add|remove|list|on|off) [<player>]',
    (text, context) => {
      const [what = '', name = ''] = text.split(' ')
      const say = (words: string) => commands.answer(context, words)
      if (what === 'on' || what === 'off') {
        if (isOn === (what === 'on')) return say(`Nothing changed. Whitelist is already turned ${what}`)
        turn(what === 'on')
        return say(`Whitelist is now turned ${what}`)
      }
      if (what === 'list') return say(`There are ${listed.length} whitelisted player(s)`)
      const who = commands.named(name)
      if (!who || (what !== 'add' && what !== 'remove')) return say('That player does not exist')
      const there = listed.find((one) => one.name.toLowerCase() === who.name.toLowerCase())
      if (what === 'remove') {
        if (!there) return say('Player is not whitelisted')
        keep(listed.filter((one) => one !== there))
        return say(`Removed ${there.name} from the whitelist`)
      }
      if (there) return say('Player is already whitelisted')
      keep([...listed, { uuid: who.player?.uuid ?? offlineUuid(who.name), name: who.name }])
      say(`Added ${who.name} to the whitelist`)
    },
    { argument: true },
  )

  return (uuid) =>
    isOn && !isOperator(uuid) && !listed.some((one) => one.uuid === uuid)
      ? 'You are not whitelisted on this server!'
      : null
}

function settings() {
  const bytes = existsSync(SETTINGS_FILE) ? readFileSync(SETTINGS_FILE) : Buffer.alloc(0)
  const encoding = settingsEncoding(bytes)
  return { text: bytes.toString(encoding), encoding }
}
