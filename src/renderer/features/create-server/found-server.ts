import type { FoundServer, Server } from '../../../contract/bridge/values.ts'
import { isOlderVersion } from '../../../contract/rules/version-order.ts'
import { bytes, number } from '../../messages/format.ts'
import { t } from '../../messages/t.svelte.ts'
import type { OfferedSoftware } from '../../catalog/software/software-choice.svelte.ts'

export const OWN_JAR = 'custom'
/** Worlds listed by name; the rest are counted. */
const NAMED = 4

/** `isMissing`: the line says that something was not found. */
export interface Fact {
  label: string
  values: string[]
  isMissing?: boolean
}

export function factsOf(found: FoundServer): Fact[] {
  const { software, jar, jarProblem, worlds, plugins, mods, motd, files, bytes: size } = found
  const kind = software?.version
    ? `${software.name} ${software.version}`
    : software && t('move-in.version-unknown', { software: software.name })
  const named = (worlds ?? []).map(({ name, version }) =>
    version ? t('move-in.world-saved', { world: name, version }) : name,
  )
  const jarWords = jar?.java ? t('move-in.jar-java', { jar: jar.name, major: String(jar.java) }) : jar?.name
  const more = named.length - NAMED
  const players = playersIn(found)
  return [
    kind
      ? { label: t('move-in.software'), values: [kind] }
      : { label: t('move-in.software'), values: [t('move-in.software-unknown')], isMissing: true },
    ...(jarWords || jarProblem ? [{ label: t('move-in.jar'), values: [jarWords ?? jarProblem ?? ''] }] : []),
    named.length > 0
      ? {
          label: t(named.length === 1 ? 'move-in.world' : 'move-in.worlds'),
          values: [...named.slice(0, NAMED), ...(more > 0 ? [`+ ${number(more)}`] : [])],
        }
      : { label: t('move-in.world'), values: [t('move-in.no-world')], isMissing: true },
    ...(plugins ? [{ label: t('move-in.plugins'), values: [number(plugins)] }] : []),
    ...(mods ? [{ label: t('move-in.mods'), values: [number(mods)] }] : []),
    ...(players.length > 0 ? [{ label: t('move-in.players'), values: players }] : []),
    ...(motd ? [{ label: t('move-in.motd'), values: [motd] }] : []),
    ...(files
      ? [
          {
            label: t('move-in.files'),
            values: [t('move-in.files-bytes', { count: files, bytes: bytes(size ?? 0) })],
          },
        ]
      : []),
  ]
}

function playersIn({ operators, whitelisted, whitelistOn, banned }: FoundServer): string[] {
  const whitelist = whitelistOn ? 'move-in.whitelist-on' : 'move-in.whitelist-off'
  return [
    ...(operators ? [t('move-in.operators', { count: operators })] : []),
    ...(whitelisted || whitelistOn ? [t(whitelist, { count: whitelisted ?? 0 })] : []),
    ...(banned ? [t('move-in.bans', { count: banned })] : []),
  ]
}

export function offeredFor(
  found: FoundServer,
  items: readonly OfferedSoftware[],
): readonly OfferedSoftware[] {
  const own = ownJars(found).map((jar, at): OfferedSoftware => {
    const version = jar.version ?? (at === 0 ? found.software?.version : null)
    return {
      id: at === 0 ? OWN_JAR : `${OWN_JAR}:${jar.name}`,
      name: t('move-in.own-jar', { jar: jar.name }),
      description: t('move-in.own-jar-text'),
      // A jar of unknown origin is still Minecraft and needs its license.
      license: items.find(({ license }) => license)?.license ?? null,
      versions: [{ id: version ?? t('move-in.version-none') }],
    }
  })
  return [...items, ...own]
}

const ownJars = ({ jar, jars }: FoundServer) => jars ?? (jar ? [jar] : [])

export function chosenSoftware(
  { id }: Pick<OfferedSoftware, 'id'>,
  version: string,
): { id: string; version?: string; jar?: string } {
  if (!isOwnJar(id)) return { id, version }
  const jar = id.slice(OWN_JAR.length + 1)
  return { id: OWN_JAR, ...(jar !== '' && { jar }) }
}

const isOwnJar = (id: string): boolean => id === OWN_JAR || id.startsWith(`${OWN_JAR}:`)

/** Default choice: the software it ran on if offered, else its own jar unless the world is newer. */
export function wishedFirst(
  found: FoundServer,
  items: readonly OfferedSoftware[],
): { id: string; version?: string | null } | null {
  const { software } = found
  const [jar] = ownJars(found)
  const offered = items.find(({ id }) => id === software?.id)
  const version = software?.version ?? null
  if (offered && (version === null || offered.versions.some(({ id }) => id === version)))
    return { id: offered.id, version }
  const isOld = isOlderVersion(jar?.version ?? null, savedBy(found))
  if (jar && !(offered && isOld)) return { id: OWN_JAR }
  return offered ? { id: offered.id, version } : null
}

const savedBy = ({ worlds }: FoundServer): string | null => worlds?.[0]?.version ?? null

export function warningsFor(found: FoundServer, chosen: OfferedSoftware, version: string): string[] {
  const { software, worlds } = found
  const saved = savedBy(found)
  if (isOlderVersion(version, saved))
    return [...ofKind(), t('move-in.older-version', { from: saved!, to: version })]
  if (isOwnJar(chosen.id)) return []
  const from = software?.version ?? saved
  if ((worlds ?? []).length === 0 || from === null || from === version) return ofKind()
  const isOlder = isOlderVersion(version, from)
  return [...ofKind(), t(isOlder ? 'move-in.older-than-ran' : 'move-in.other-version', { from, to: version })]

  function ofKind(): string[] {
    const isOther = software?.id && !isOwnJar(chosen.id) && software.id !== chosen.id
    return isOther ? [t('move-in.other-kind', { from: software.name, to: chosen.name })] : []
  }
}

/** A note if the world named in the settings was not uploaded; null otherwise. */
export function levelNote({ level, worlds }: FoundServer): string | null {
  if (!level) return null
  const { name, state, folder } = level
  const both = { name, folder: folder ?? name }
  switch (state) {
    case 'missing':
      return (worlds ?? []).length > 0 ? t('move-in.level-missing', { name }) : null
    case 'other-form':
      return t('move-in.level-form', both)
    case 'outside':
      return t('move-in.level-outside', both)
    default:
      return null
  }
}

export function nameFor({ folder }: FoundServer, chosen: string): string | null {
  const last = (folder ?? '').split('/').at(-1) ?? ''
  const name = (
    last === '' || last === 'world' ? chosen.replace(/\.(?:zip|tar|tar\.gz|tgz|jar)$/i, '') : last
  ).trim()
  return name === '' || name.length > 60 || /^(?:server|world)$/i.test(name) ? null : name
}

const FAILED = {
  'imports.nothing-found': 'move-in.failed-nothing-found',
  'imports.bedrock': 'move-in.failed-bedrock',
  'files.archive-broken': 'move-in.failed-archive-broken',
  'files.archive-encrypted': 'move-in.failed-archive-encrypted',
  'files.archive-unknown': 'move-in.failed-archive-unknown',
  'files.archive-bomb': 'move-in.failed-archive-bomb',
  'files.archive-too-many': 'move-in.failed-archive-too-many',
  'files.disk-full': 'move-in.failed-disk-full',
  'service.disk-full': 'move-in.failed-disk-full',
} as const

export function failedWords(code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(FAILED, code)
    ? t(FAILED[code as keyof typeof FAILED])
    : undefined
}

/** A name that no server has yet: the given one, or one with a number. */
export function freeName(servers: readonly Server[], wanted = ''): string {
  const first = wanted || t('create.name-default')
  const taken = new Set(servers.map((server) => server.name))
  if (!taken.has(first)) return first
  for (let number = 2; ; number += 1) {
    const name = `${first} ${number}`
    if (!taken.has(name)) return name
  }
}

/** Of a modpack: cut where a server's name has no room for more, with some left for a number. */
export const shortName = (name: string): string => [...name.trim()].slice(0, 50).join('').trim()
