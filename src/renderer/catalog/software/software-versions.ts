import type { SoftwareVersion } from '../../../contract/bridge/values.ts'
import { t } from '../../messages/t.svelte.ts'
import { kinds } from '../../messages/en/kinds.ts'

/** The recommended version, else the first release, else the first listed. */
export function recommended(versions: readonly SoftwareVersion[]): SoftwareVersion | null {
  return versions.find((version) => version.recommended) ?? versions.find(isRelease) ?? versions[0] ?? null
}

const isRelease = ({ channel }: SoftwareVersion): boolean => (channel ?? 'release') === 'release'

/** Not shown unless asked for. */
export const isUnusual = ({ channel }: SoftwareVersion): boolean =>
  channel === 'snapshot' || channel === 'experimental'

export const hasUsual = (software: { versions: readonly SoftwareVersion[] } | null): boolean =>
  software?.versions.some((version) => !isUnusual(version)) ?? false

/** @param marks whether to say which are downloaded: of interest while the network is away */
export function versionWord(version: SoftwareVersion, marks = false): string {
  const word = wordOf(version)
  return marks && version.isHere ? t('create.downloaded', { version: word }) : word
}

function wordOf({ id, recommended, channel }: SoftwareVersion): string {
  if (recommended) return t('create.recommended', { version: id })
  if (typeof channel === 'object' && channel?.raw) return `${id} (${channel.raw})`
  return channel === 'snapshot' || channel === 'experimental' ? t(`create.${channel}`, { version: id }) : id
}

type Kind = keyof typeof kinds extends `kind.${infer Id}` ? Id : never

const known = new Map(
  Object.entries(kinds).map(([key, text]): [string, Kind] => [text, key.slice('kind.'.length) as Kind]),
)

/** Translates the built-in service's descriptions; other services' are shown as they are. */
export function kindWords(description: string): string {
  const kind = known.get(description)
  return kind === undefined ? description : t(`kind.${kind}`)
}
