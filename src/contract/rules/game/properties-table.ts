import { compareVersions } from '../version-order.ts'

export interface KnownProperty {
  key: string
  type: 'switch' | 'number' | 'choice' | 'text'
  default: string
  group: 'general' | 'players' | 'world' | 'network' | 'performance' | 'other'
  min?: number
  max?: number
  choices?: readonly string[]
  /** The game also accepts the index of a choice. */
  isNumbered?: true
  /** First version; absent: 1.16 or older. */
  since?: string
  /** First version without it. */
  until?: string
  isFolder?: true
  /** Set by the service. */
  readOnly?: true
}

type Group = KnownProperty['group']
type PropertyOptions = Partial<Omit<KnownProperty, 'key' | 'type' | 'default' | 'group'>>

const on = (group: Group, key: string, isOn: boolean, more: PropertyOptions = {}): KnownProperty => ({
  ...{ key, type: 'switch', default: String(isOn), group },
  ...more,
})
const number = (group: Group, key: string, value: number, more: PropertyOptions = {}): KnownProperty => ({
  ...{ key, type: 'number', default: String(value), group, max: 2_147_483_647 },
  ...more,
})
const choice = (
  group: Group,
  key: string,
  choices: readonly string[],
  value: string,
  more: PropertyOptions = {},
) => ({ key, type: 'choice', default: value, group, choices, ...more }) satisfies KnownProperty
const text = (group: Group, key: string, value = '', more: PropertyOptions = {}): KnownProperty => ({
  ...{ key, type: 'text', default: value, group },
  ...more,
})

const PORT = { min: 1, max: 65_534 }
const WORLD_TYPES = [
  ...['minecraft:normal', 'minecraft:flat', 'minecraft:large_biomes', 'minecraft:amplified'],
  'minecraft:single_biome_surface',
]

/** All keys of vanilla servers from 1.16 to 26.x, in display order, without those of `isWithheld`. */
export const KNOWN_PROPERTIES: readonly KnownProperty[] = [
  text('general', 'motd', 'A Minecraft Server'),
  choice('general', 'gamemode', ['survival', 'creative', 'adventure', 'spectator'], 'survival', {
    isNumbered: true,
  }),
  on('general', 'force-gamemode', false),
  choice('general', 'difficulty', ['peaceful', 'easy', 'normal', 'hard'], 'easy', { isNumbered: true }),
  on('general', 'hardcore', false),
  on('general', 'pvp', true, { until: '1.21.9' }),
  on('general', 'enable-command-block', false, { until: '1.21.9' }),
  text('general', 'resource-pack'),
  text('general', 'resource-pack-sha1'),
  text('general', 'resource-pack-id', '', { since: '1.20.3' }),
  text('general', 'resource-pack-prompt', '', { since: '1.17' }),
  on('general', 'require-resource-pack', false, { since: '1.17' }),

  number('players', 'max-players', 20, { min: 0 }),
  on('players', 'white-list', false),
  on('players', 'enforce-whitelist', false),
  on('players', 'online-mode', true),
  on('players', 'allow-flight', false),
  number('players', 'player-idle-timeout', 0, { min: 0 }),
  number('players', 'op-permission-level', 4, { min: 0, max: 4 }),
  number('players', 'function-permission-level', 2, { min: 1, max: 4 }),
  on('players', 'hide-online-players', false, { since: '1.18' }),
  on('players', 'enforce-secure-profile', true, { since: '1.19' }),
  on('players', 'previews-chat', false, { since: '1.19', until: '1.19.3' }),
  on('players', 'enable-code-of-conduct', false, { since: '1.21.9' }),
  number('players', 'chat-spam-threshold-seconds', 10, { since: '26.1', min: 0 }),
  number('players', 'command-spam-threshold-seconds', 10, { since: '26.1', min: 0 }),

  text('world', 'level-name', 'world', { isFolder: true }),
  text('world', 'level-seed'),
  text('world', 'level-type', 'minecraft:normal', { since: '1.19', choices: WORLD_TYPES }),
  text('world', 'level-type', 'default', {
    until: '1.19',
    choices: ['default', 'flat', 'largeBiomes', 'amplified'],
  }),
  text('world', 'generator-settings', '{}', { since: '1.18' }),
  text('world', 'generator-settings', '', { until: '1.18' }),
  on('world', 'generate-structures', true),
  number('world', 'spawn-protection', 16, { min: 0 }),
  on('world', 'spawn-monsters', true, { until: '1.21.9' }),
  on('world', 'spawn-animals', true, { until: '1.21.2' }),
  on('world', 'spawn-npcs', true, { until: '1.21.2' }),
  on('world', 'allow-nether', true, { until: '1.21.9' }),
  number('world', 'max-world-size', 29_999_984, { min: 1, max: 29_999_984 }),
  number('world', 'max-build-height', 256, { until: '1.17', min: 64, max: 256 }),
  text('world', 'initial-enabled-packs', 'vanilla', { since: '1.19.3' }),
  text('world', 'initial-disabled-packs', '', { since: '1.19.3' }),

  number('network', 'server-port', 25_565, { ...PORT, readOnly: true }),
  text('network', 'server-ip', '', { readOnly: true }),
  on('network', 'enable-status', true),
  number('network', 'status-heartbeat-interval', 0, { since: '1.21.9', min: 0 }),
  on('network', 'accepts-transfers', false, { since: '1.20.5' }),
  on('network', 'prevent-proxy-connections', false),
  number('network', 'rate-limit', 0, { since: '1.16.2', min: 0 }),
  on('network', 'log-ips', true, { since: '1.20.2' }),
  on('network', 'enable-query', false),
  number('network', 'query.port', 25_565, PORT),
  on('network', 'enable-rcon', false),
  number('network', 'rcon.port', 25_575, PORT),

  number('performance', 'view-distance', 10, { min: 3, max: 32 }),
  number('performance', 'simulation-distance', 10, { since: '1.18', min: 3, max: 32 }),
  number('performance', 'entity-broadcast-range-percentage', 100, { min: 10, max: 1000 }),
  number('performance', 'pause-when-empty-seconds', 60, { since: '1.21.2', min: -1 }),
  number('performance', 'max-tick-time', 60_000, { min: -1, max: Number.MAX_SAFE_INTEGER }),
  number('performance', 'max-chained-neighbor-updates', 1_000_000, { since: '1.19', min: -1 }),
  number('performance', 'network-compression-threshold', 256, { min: -1 }),
  on('performance', 'sync-chunk-writes', true),
  choice('performance', 'region-file-compression', ['deflate', 'lz4', 'none'], 'deflate', {
    since: '1.20.5',
  }),
  on('performance', 'use-native-transport', true),

  on('other', 'broadcast-console-to-ops', true),
  on('other', 'broadcast-rcon-to-ops', true),
  on('other', 'enable-jmx-monitoring', false),
  on('other', 'snooper-enabled', true, { until: '1.18' }),
  text('other', 'bug-report-link', '', { since: '1.21' }),
  number('other', 'text-filtering-version', 0, { since: '1.21.2', min: 0, max: 1 }),
]

/** Never leave the service and can't be set: secrets, including plugins' by name, and the management protocol's. */
export const isWithheld = (key: string): boolean =>
  /^management-server-|^text-filtering-config$|pass(?:word|phrase)|secret|token|api-?key/i.test(key)

/** Falls back to the newest for snapshots. */
export function propertiesOf(version: string): readonly KnownProperty[] {
  return KNOWN_PROPERTIES.filter(
    ({ since, until }) =>
      (since === undefined || compare(version, since) >= 0) &&
      (until === undefined || compare(version, until) < 0),
  )
}

function compare(version: string, other: string): number {
  const numbers = /^\d{1,4}\.\d{1,4}(?:\.\d{1,4})?/.exec(version)?.[0]
  return numbers === undefined ? 1 : compareVersions(numbers, other)
}
