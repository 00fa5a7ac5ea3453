import { expect, it, test } from 'vitest'
import { properties as texts } from '../../../renderer/messages/en/properties.ts'
import { isWithheld, KNOWN_PROPERTIES, propertiesOf } from './properties-table.ts'

/** Versions in which keys came or went, the one before the first of them, and the newest. */
const VERSIONS = [
  ...['1.16', '1.16.5', '1.17.1', '1.18.2', '1.19', '1.19.2', '1.19.3', '1.20.1', '1.20.2', '1.20.4'],
  ...['1.20.6', '1.21', '1.21.1', '1.21.4', '1.21.8', '1.21.9', '1.21.11', '26.1', '26.2'],
]
const keysOf = (version: string) => propertiesOf(version).map(({ key }) => key)
const found = (version: string, key: string) => propertiesOf(version).find((one) => one.key === key)

/** What every server has had since 1.16. */
const ALWAYS = [
  ...['motd', 'max-players', 'difficulty', 'gamemode', 'force-gamemode', 'hardcore', 'online-mode'],
  ...['white-list', 'enforce-whitelist', 'level-name', 'level-seed', 'view-distance', 'spawn-protection'],
  ...['allow-flight', 'player-idle-timeout', 'op-permission-level', 'enable-rcon', 'enable-query'],
  ...['enable-status', 'server-port', 'resource-pack'],
]

test.each(VERSIONS)(
  '%s knows what all versions do, each key once, with a default that its limits allow',
  (version) => {
    const keys = keysOf(version)
    expect(keys).toEqual(expect.arrayContaining(ALWAYS))
    expect(keys.length).toBe(new Set(keys).size)
    for (const { key, type, default: value, min, max, choices } of propertiesOf(version)) {
      if (type === 'switch') expect(['true', 'false'], key).toContain(value)
      if (type === 'choice') expect(choices, key).toContain(value)
      if (type !== 'number') continue
      expect(Number(value), key).toBeGreaterThanOrEqual(min ?? -Infinity)
      expect(Number(value), key).toBeLessThanOrEqual(max ?? Infinity)
    }
  },
)

test.each([
  ['hide-online-players', '1.17.1', '1.18'],
  ['simulation-distance', '1.17.1', '1.18'],
  ['require-resource-pack', '1.16.5', '1.17'],
  ['enforce-secure-profile', '1.18.2', '1.19'],
  ['initial-enabled-packs', '1.19.2', '1.19.3'],
  ['log-ips', '1.20.1', '1.20.2'],
  ['accepts-transfers', '1.20.4', '1.20.5'],
  ['pause-when-empty-seconds', '1.21.1', '1.21.2'],
  ['enable-code-of-conduct', '1.21.8', '1.21.9'],
])('%s is not in %s, and in %s', (key, before, since) => {
  expect(keysOf(before)).not.toContain(key)
  expect(keysOf(since)).toContain(key)
  expect(keysOf('26.1')).toContain(key)
})

test.each([
  ...['pvp', 'allow-nether', 'spawn-monsters', 'enable-command-block'].map(
    (key) => [key, '1.21.8', '1.21.9'] as const,
  ),
  ['spawn-animals', '1.21.1', '1.21.2'],
  ['max-build-height', '1.16.5', '1.17'],
  ['snooper-enabled', '1.17.1', '1.18'],
  ['previews-chat', '1.19.2', '1.19.3'],
] as const)('%s is in %s, and no longer in %s', (key, last, without) => {
  expect(keysOf(last)).toContain(key)
  expect(keysOf(without)).not.toContain(key)
  expect(keysOf('26.1')).not.toContain(key)
})

it('what a version has under other values is offered as that version has it', () => {
  expect(found('1.18.2', 'level-type')).toMatchObject({
    default: 'default',
    choices: expect.arrayContaining(['flat']),
  })
  expect(found('1.19', 'level-type')).toMatchObject({
    default: 'minecraft:normal',
    choices: expect.arrayContaining(['minecraft:flat']),
  })
  expect(found('1.17.1', 'generator-settings')?.default).toBe('')
  expect(found('1.18', 'generator-settings')?.default).toBe('{}')
})

it('26.1 is newer than 1.21.11, and what is no number is taken for the newest', () => {
  expect(keysOf('1.21.11')).not.toContain('chat-spam-threshold-seconds')
  expect(keysOf('26.1')).toContain('chat-spam-threshold-seconds')
  expect(keysOf('26w14a')).toEqual(keysOf('26.2'))
})

it('every key has an explanation, and none that never leaves the service is among them', () => {
  const explained = Object.keys(texts)
  for (const { key } of KNOWN_PROPERTIES) {
    expect(explained, key).toContain(`property-text.${key}`)
    expect(isWithheld(key), key).toBe(false)
  }
})
