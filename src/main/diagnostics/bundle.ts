import type { Connection, Settings } from '../../contract/bridge/values.ts'
import type { DesktopChoices } from '../../contract/bridge/desktop-calls.ts'
import type { Updates } from '../../contract/bridge/update-calls.ts'
import { hostOf } from './cleaner.ts'
import type { Cleaner } from './cleaner.ts'
import { type CrashDump, isDumpName } from './crash-dumps.ts'
import { problemCode, type FormattedEntry } from './log-entries.ts'

export interface ConnectionFacts {
  connection: Pick<Connection, 'id' | 'kind' | 'baseUrl' | 'state' | 'tokenKept' | 'expiresAt'>
  servers: Record<string, number>
  drifts: number
  profile: boolean
}

/** Input. `bundle` itself drops whatever has no closed set of values. */
export interface Facts {
  now: number
  version: string
  way: 'electron' | 'browser'
  local: 'ready' | 'not-here'
  keychain: string
  system: { platform: string; arch: string; release: string; cores: number; memoryBytes: number }
  programs: Readonly<Record<string, string | undefined>>
  settings: Settings
  choices: DesktopChoices
  updates: Updates
  connections: readonly ConnectionFacts[]
  transfers: Record<string, number>
  notes: number
  dumps: readonly CrashDump[] | null
  entries: readonly FormattedEntry[]
}

/** In characters; beyond it the oldest log entries are dropped. */
export const BUNDLE_MOST = 200_000
const ERRORS_MOST = 20
const CONNECTIONS_MOST = 50
const WARN = 40

const PROGRAMS = ['electron', 'chrome', 'node', 'sqlite']
const versionForm = /^v?\d{1,10}(\.\d{1,10}){0,4}(-(beta|alpha|rc|nightly|electron)\.?\d{0,10})?$/
const PLATFORMS = ['linux', 'darwin', 'win32']
const ARCHITECTURES = ['x64', 'arm64', 'ia32']
const STATUSES = [
  'offline',
  'starting',
  'online',
  'stopping',
  'crashed',
  'installing',
  'sleeping',
  'lost',
  'unknown',
]

/** Plain text, built from closed value sets, never from free text. */
export function bundle(facts: Facts, cleaner: Pick<Cleaner, 'connection'>, hosts: boolean): string {
  const { now, entries } = facts
  const head = [
    'Wheelhouse diagnostics',
    `made: ${new Date(now).toISOString()}`,
    'without: tokens, passwords, names of people and files, addresses of computers, texts of servers',
    `hosts of services: ${hosts ? 'by name, as chosen' : 'left out'}`,
    ...section('Program', program(facts)),
    ...section('Choices', choices(facts)),
    ...section(
      'Connections',
      facts.connections.slice(0, CONNECTIONS_MOST).map((one) => connectionLine(one, cleaner, hosts)),
    ),
    ...section('Transfers', counts(facts.transfers)),
    ...section('Crash reports on this computer (nothing is sent anywhere)', dumps(facts.dumps)),
    ...section(
      'Warnings and errors',
      entries
        .filter(({ level }) => level >= WARN)
        .slice(-ERRORS_MOST)
        .map(({ text }) => text),
    ),
  ].join('\n')
  return `${head}\n${section('Log', newest(entries, BUNDLE_MOST - head.length)).join('\n')}\n`.slice(
    0,
    BUNDLE_MOST,
  )
}

const section = (title: string, lines: readonly string[]): string[] => [
  '',
  `[${title}]`,
  ...(lines.length > 0 ? lines : ['none']),
]

function program({ version, way, local, keychain, system, programs, notes }: Facts): string[] {
  const { platform, arch, release, cores, memoryBytes } = system
  const stands = PROGRAMS.flatMap((name) => (programs[name] ? [`${name} ${versionOf(programs[name])}`] : []))
  return [
    `version: ${versionOf(version)}`,
    `way: ${oneOf(way, ['electron', 'browser'])}`,
    `stands on: ${stands.join(', ')}`,
    `system: ${oneOf(platform, PLATFORMS)} ${versionOf(/^\d+(\.\d+){0,3}/.exec(release)?.[0])}, ${oneOf(arch, ARCHITECTURES)}`,
    `processor cores: ${Math.trunc(cores)}, memory: ${Math.round(memoryBytes / 2 ** 30)} GiB`,
    `keychain: ${oneOf(keychain, ['ok', 'missing', 'locked', 'unknown'])}`,
    `servers on this computer: ${oneOf(local, ['ready', 'not-here'])}`,
    `notes shown: ${Math.trunc(notes)}`,
  ]
}

function choices({ settings, choices: { tray, autostart, keepServers, alerts }, updates }: Facts): string[] {
  const { state } = updates
  const alerted = Object.entries(alerts).flatMap(([kind, told]) =>
    told ? [oneOf(kind, ['service', 'started', 'joined', 'transfers', 'update'])] : [],
  )
  const failed =
    state.kind === 'failed' ? `, ${state.during}, problem ${problemCode(state.problem) ?? 'other'}` : ''
  const states = [
    'not-here',
    'not-asked',
    'checking',
    'current',
    'available',
    'downloading',
    'ready',
    'installing',
  ]
  return [
    `theme: ${oneOf(settings.theme, ['system', 'light', 'dark'])}, language: ${oneOf(settings.language, ['system', 'en', 'de'])}`,
    `tray: ${tray === true}, start with the system: ${autostart === true}, servers kept running: ${keepServers === true}`,
    `system notifications: ${alerted.join(', ') || 'none'}`,
    `updates: ${oneOf(updates.channel, ['stable', 'beta'])}, automatic: ${updates.automatic === true}, ${oneOf(state.kind, [...states, 'failed'])}${failed}`,
  ]
}

function connectionLine(
  { connection, servers, drifts, profile }: ConnectionFacts,
  cleaner: Pick<Cleaner, 'connection'>,
  hosts: boolean,
): string {
  const { id, kind, baseUrl, state, tokenKept, expiresAt } = connection
  const named = kind !== 'local' && URL.canParse(baseUrl)
  const scheme = named ? oneOf(new URL(baseUrl).protocol, ['https:', 'http:', 'sftp:']) : ''
  const problem = state.kind === 'offline' ? `, problem ${problemCode(state.problem) ?? 'other'}` : ''
  return [
    `${cleaner.connection(id)}:`,
    ...(named ? [`${scheme}${hosts ? ` ${hostOf(baseUrl)}` : ''},`] : []),
    `${oneOf(state.kind, ['ready', 'starting', 'offline', 'signed-out'])}${problem},`,
    `token: ${oneOf(tokenKept, ['keychain', 'memory', 'none'])}, its end ${expiresAt === null ? 'is not known' : 'is known'},`,
    `servers: ${counts(servers).join(', ') || 'none'},`,
    `answers that differ: ${Math.trunc(drifts)}, API profile: ${profile ? 'yes' : 'no'}`,
  ].join(' ')
}

function counts(of: Record<string, number>): string[] {
  const states = [
    ...STATUSES,
    'gathering',
    'waiting',
    'running',
    'paused',
    'asking',
    'done',
    'failed',
    'cancelled',
  ]
  const sums = new Map<string, number>()
  for (const [name, count] of Object.entries(of)) {
    const word = oneOf(name, states)
    sums.set(word, (sums.get(word) ?? 0) + Math.trunc(count))
  }
  return [...sums].map(([name, count]) => `${name} ${count}`)
}

const dumps = (all: readonly CrashDump[] | null): string[] =>
  (all ?? []).map(
    ({ name, at, bytes }) =>
      `${isDumpName(name) ? name : 'a file of another name'}, ${new Date(at).toISOString()}, ${Math.ceil(bytes / 1024)} KiB`,
  )

function newest(entries: readonly FormattedEntry[], room: number): string[] {
  const fitting: string[] = []
  for (const { text } of entries.toReversed()) {
    // Leave room for heading and line breaks.
    if ((room -= text.length + 1) < 100) break
    fitting.push(text)
  }
  return fitting.toReversed()
}

const oneOf = (value: unknown, known: readonly string[]): string =>
  known.find((one) => one === value) ?? 'other'

const versionOf = (version: string | undefined): string =>
  version !== undefined && versionForm.test(version) ? version : 'other'
