import type { DriverName } from '../../../contract/areas/values/container-config.ts'
import type { ServerConfig } from '../../../contract/bridge/values.ts'
import { asProblem, type Problem, send } from '../../core/bridge.ts'
import { memoryCheck, nameCheck, portCheck } from '../../core/checks.ts'
import { Draft } from '../../core/draft.svelte.ts'
import { LiveView } from '../../core/live-view.svelte.ts'
import { saidAt } from '../../core/problems.ts'
import type { Section } from '../../core/routes/route.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import { memory } from '../../messages/format.ts'
import { t, type Words } from '../../messages/t.svelte.ts'
import { coresCheck, coresOf, coresSaid, coresText } from './cpu-cores.ts'
import { configOf, changeReason } from './parts/config.ts'
import { type SavedNotice, type SettingsPart, savedNotice } from './parts/unsaved-settings.svelte.ts'
import type { Java } from '../../../contract/areas/software.ts'

export type OpenTo = 'computer' | 'network'
export const SETS = ['default', 'aikar', 'zgc'] as const
type Set = (typeof SETS)[number]

interface Fields extends SleepChoice {
  name: string
  memoryMb: string
  port: string
  openTo: OpenTo
  java: string
  jvmSet: Set
  javaArgs: string
  autoStart: boolean
  autoRestart: boolean
  driver: DriverName
  /** Empty: all. */
  cpus: string
  /** Empty: any. */
  node: string
}
type Key = keyof Fields

const labels = {
  name: 'settings.name',
  memoryMb: 'settings.memory',
  port: 'settings.port',
  openTo: 'open-to.who',
  java: 'java.choice',
  jvmSet: 'java.set',
  javaArgs: 'java.own',
  autoStart: 'java.auto-start',
  autoRestart: 'java.auto-restart',
  driver: 'java.container',
  cpus: 'java.cores',
  node: 'nodes.runs-on',
  sleepAfter: 'sleep.after',
  sleepWake: 'sleep.wake',
} as const
const general: readonly string[] = [
  'name',
  'memoryMb',
  'port',
  'openTo',
  'sleepAfter',
  'sleepWake',
] satisfies Key[]
/** What the program that runs doesn't depend on. */
const atOnce: readonly string[] = ['name', 'autoStart', 'autoRestart', 'sleep', 'cpus']

export const isOpenTo = (value: unknown): value is OpenTo => value === 'computer' || value === 'network'
const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function plain(key: Key, value: Fields[Key]): unknown {
  if (key === 'javaArgs') return lines(String(value)).join('\n')
  if (key === 'memoryMb' || key === 'port') return Number(value)
  if (key === 'cpus') return coresOf(String(value))
  return typeof value === 'string' ? value.trim() : value
}

function fieldsOf(config: ServerConfig | null): Fields {
  const { name, memoryMb, port, openTo, java, jvmSet, javaArgs, autoStart, autoRestart } = config ?? {}
  const { driver, cpus, node } = config ?? {}
  return {
    name: name ?? '',
    memoryMb: memoryMb ? String(memoryMb) : '',
    port: port ? String(port) : '',
    openTo: isOpenTo(openTo) ? openTo : 'computer',
    java: java ?? 'auto',
    jvmSet: SETS.find((one) => one === jvmSet) ?? 'default',
    javaArgs: (javaArgs ?? []).join('\n'),
    autoStart: autoStart ?? false,
    autoRestart: autoRestart ?? false,
    driver: driver === 'docker' ? driver : 'process',
    cpus: coresText(cpus),
    node: node ?? '',
    ...sleepChoice(config ?? {}),
  }
}

/** What General and Java set. */
export class ConfigPart implements SettingsPart {
  readonly #server: ServerState
  readonly #config: ReturnType<typeof configOf>
  readonly #javas: LiveView<'software.javas'>
  readonly #given: Fields = $derived.by(() => fieldsOf(this.#config.value))
  readonly #draft = new Draft<Fields>(
    (key) => this.#given[key],
    (key, one, other) => this.#isUnused(key) || plain(key, one) === plain(key, other),
  )
  #problem = $state.raw<Problem | null>(null)

  constructor(server: ServerState) {
    this.#server = server
    this.#config = configOf(server)
    this.#javas = new LiveView('software.javas', { connectionId: server.connectionId })
  }

  get<K extends Key>(key: K): Fields[K] {
    return this.#draft.get(key)
  }

  set<K extends Key>(key: K, value: Fields[K]): void {
    this.#problem = null
    this.#draft.set(key, value)
  }

  /** As it is saved. */
  given<K extends Key>(key: K): Fields[K] {
    return this.#given[key]
  }

  get dirty(): boolean {
    return this.#draft.dirty
  }

  get saving(): boolean {
    return this.#draft.saving
  }

  get conflicts() {
    return this.#draft.conflicts
  }

  get reason(): string | null {
    return changeReason(this.#server, ['config.write'])
  }

  readonly wrong: ReadonlyMap<string, Words> = $derived.by(() => {
    const { name, memoryMb, port, cpus } = this.#draft.changed
    const wrong = new Map<string, Words>()
    const note = (key: Key, words: Words | null) => words && wrong.set(key, words)
    if (name !== undefined) note('name', nameCheck(name))
    if (memoryMb !== undefined) note('memoryMb', memoryCheck(memoryMb))
    if (port !== undefined) note('port', portCheck(port))
    if (cpus !== undefined) note('cpus', coresCheck(cpus))
    const refused = this.#problem
    for (const key of Object.keys(labels) as Key[])
      if (refused && saidAt(refused, key) !== null) note(key, () => saidAt(refused, key) ?? '')
    return wrong
  })

  error(key: Key): string | null {
    return this.wrong.get(key)?.() ?? null
  }

  /** Null where its fields say all of it. */
  get problem(): Problem | null {
    const fields = Object.keys(this.#problem?.fields ?? {})
    return fields.length > 0 && fields.every((key) => this.wrong.has(key)) ? null : this.#problem
  }

  get rows() {
    return [...this.#draft.changes].map(([key, value]) => ({
      label: this.label(key),
      change: { before: this.said(this.#given[key], key), after: this.said(value, key) },
    }))
  }

  sectionOf(key: string): Section {
    return general.includes(key) ? 'general' : 'java'
  }

  label(key: Key): string {
    if (key === 'autoStart' && !this.isLocal) return t('java.auto-start-elsewhere')
    return t(labels[key])
  }

  said(value: Fields[Key], key: Key): string {
    if (typeof value === 'boolean') return t(value ? 'settings.on' : 'settings.off')
    if (key === 'driver') return t(value === 'docker' ? 'settings.on' : 'settings.off')
    if (key === 'cpus') return coresSaid(value)
    if (key === 'node') return value === '' ? t('nodes.any') : value
    if (value.trim() === '') return t('settings.empty')
    if (key === 'memoryMb') return memoryCheck(value) ? value : memory(Number(value))
    if (key === 'java') return this.javaName(value)
    if (key === 'jvmSet') return t(`java.set-${value as Set}`)
    if (key === 'sleepWake') return t(`sleep.wake-${value as Wake}`)
    if (key === 'sleepAfter')
      return value === OFF ? t('sleep.off') : t('sleep.minutes', { count: Number(value) })
    if (key === 'openTo')
      return t(this.isLocal ? `open-to.${value as OpenTo}` : `open-to.elsewhere-${value as OpenTo}`)
    return key === 'javaArgs' ? lines(value).join(' ') : value
  }

  get isLocal(): boolean {
    return this.#server.connection?.kind === 'local'
  }

  javas(chosen: string) {
    return javaOptions(this.#javas.value?.items ?? [], chosen)
  }

  javaName(java: string): string {
    return this.javas(java).find(({ value }) => value === java)!.label
  }

  resolve(key: Key, whose: 'mine' | 'theirs'): void {
    this.#draft.resolve(key, whose)
    if (this.conflicts.length === 0) this.#problem = null
  }

  discard(): void {
    this.#draft.discard()
    this.#problem = null
  }

  /** Not a change while it has no effect, and kept until it has. */
  #isUnused(key: Key): boolean {
    return (key === 'cpus' || key === 'node') && this.#draft.get('driver') !== 'docker'
  }

  #body() {
    const { name, memoryMb, port, javaArgs, cpus, node, sleepAfter, sleepWake, ...others } =
      this.#draft.changed
    const isSleepChanged = sleepAfter !== undefined || sleepWake !== undefined
    return {
      ...others,
      ...(name !== undefined && { name: name.trim() }),
      ...(memoryMb !== undefined && { memoryMb: Number(memoryMb) }),
      ...(port !== undefined && { port: Number(port) }),
      ...(isSleepChanged && {
        sleep: sleepRule({ sleepAfter: this.get('sleepAfter'), sleepWake: this.get('sleepWake') }),
      }),
      ...(javaArgs !== undefined && { javaArgs: lines(javaArgs) }),
      ...(cpus !== undefined && { cpus: coresOf(cpus) }),
      ...(node !== undefined && { node: node === '' ? null : node }),
    }
  }

  async save(): Promise<SavedNotice | null> {
    const { connectionId, serverId } = this.#server
    const body = this.#body()
    const restart = this.#server.isRunning && Object.keys(body).some((key) => !atOnce.includes(key))
    this.#problem = null
    try {
      await this.#draft.save(async () => {
        const ifMatch = this.#config.tag
        await send('servers.change-config', { connectionId, params: { serverId }, body, ifMatch })
        await this.#config.again()
      })
      return savedNotice(this.#server, restart)
    } catch (thrown) {
      this.#problem = asProblem(thrown)
      // The newest version shows the conflicts.
      if (this.#problem.code === 'changed') await this.#config.again()
      return null
    }
  }
}

/** Installed and downloadable versions, each once, newest first, plus the `chosen` one. */
function javaOptions(known: readonly Java[], chosen: string): { value: string; label: string }[] {
  const labels = new Map<string, string>()
  const here = known.filter(({ from }) => from !== 'catalog')
  for (const { major, version, vendor } of here) {
    const key = String(major)
    if (labels.has(key)) continue
    const words = { major: key, version: version ?? '' }
    labels.set(key, vendor ? t('java.found-by', { ...words, vendor }) : t('java.found', words))
  }
  const missing = known.filter((java) => !here.includes(java)).map(({ major }) => String(major))
  for (const major of chosen === 'auto' ? missing : [...missing, chosen])
    if (!labels.has(major)) labels.set(major, t('java.missing', { major }))
  const found = [...labels].sort(([a], [b]) => Number(b) - Number(a))
  return [{ value: 'auto', label: t('java.auto') }, ...found.map(([value, label]) => ({ value, label }))]
}

export const OFF = 'off'
export const AFTER_MINUTES = ['5', '10', '15', '30', '60', '120']
export const WAKES = ['anybody', 'whitelist', 'nobody'] as const
type Wake = (typeof WAKES)[number]

interface SleepChoice {
  /** Minutes, or off. */
  sleepAfter: string
  sleepWake: Wake
}

const USUAL: Wake = 'anybody'

function sleepChoice({ sleep }: Pick<ServerConfig, 'sleep'>): SleepChoice {
  const wake = WAKES.find((one) => one === sleep?.wake) ?? USUAL
  return { sleepAfter: sleep?.afterMinutes ? String(sleep.afterMinutes) : OFF, sleepWake: wake }
}

const sleepRule = ({ sleepAfter, sleepWake }: SleepChoice) =>
  sleepAfter === OFF ? null : { afterMinutes: Number(sleepAfter), wake: sleepWake }
