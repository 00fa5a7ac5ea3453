import type { GrantedScope } from '../../../contract/declarations/operation.ts'
import {
  groups,
  HOST_SCOPES,
  type HostScope,
  type Preset,
  presets,
  RUNS_PROGRAMS,
} from '../../../contract/rules/scopes.ts'
import type { PlaceContext } from '../../core/servers/place.ts'
import { locale, t } from '../../messages/t.svelte.ts'

const known: readonly GrantedScope[] = Object.values(groups).flat()
export const presetNames = Object.keys(presets) as Preset[]

export function presetOf(scopes: readonly string[]): Preset | null {
  const held = new Set(scopes)
  const isIt = (name: Preset) =>
    presets[name].length === held.size && presets[name].every((scope) => held.has(scope))
  return presetNames.find(isIt) ?? null
}

export const othersIn = (scopes: readonly string[]): string[] =>
  scopes.filter((id) => !known.some((scope) => scope === id))

const isKnown = (id: string): id is GrantedScope | HostScope =>
  [...known, ...HOST_SCOPES].some((scope) => scope === id)

export const scopeWords = (id: string): string => (isKnown(id) ? t(`scope.${id}`) : id)

export function allThat(scopes: readonly string[]): string {
  const ordered = [...known.filter((scope) => scopes.includes(scope)), ...othersIn(scopes)]
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(ordered.map(scopeWords))
}

export const canWords = (scopes: readonly string[]): string =>
  presetOf(scopes) === 'administrator' ? t('access.can-all') : t('access.can', { list: allThat(scopes) })

/** The preset, or the number of scopes. */
export function roleWords(scopes: readonly string[]): string {
  const preset = presetOf(scopes)
  return preset ? t(`access.preset-${preset}`) : t('access.preset-count', { count: scopes.length })
}

export const runsPrograms = (scopes: readonly string[]): boolean =>
  scopes.some((scope) => RUNS_PROGRAMS.has(scope))

/** Why nobody of this role can grant a scope, or null. An unknown role blocks nothing; at a host, what is held is granted. */
export function grantReason({ server, connection }: PlaceContext, scope: string): string | null {
  const role = server?.role
  if (!Array.isArray(role)) return null
  if (RUNS_PROGRAMS.has(scope) && connection?.kind !== 'host') return t('access.owner-grants')
  return role.includes(scope) ? null : t('access.not-held')
}
