import type { Scope } from '../../../contract/declarations/operation.ts'
import type { Server } from '../../../contract/bridge/values.ts'
import { groups, type Preset, presets, RUNS_PROGRAMS } from '../../../contract/rules/scopes.ts'
import { locale, t } from '../../messages/t.svelte.ts'

const known: readonly Scope[] = Object.values(groups).flat()
export const presetNames = Object.keys(presets) as Preset[]

/** The preset that grants exactly these; null where none does. */
export function presetOf(scopes: readonly string[]): Preset | null {
  const held = new Set(scopes)
  const isIt = (name: Preset) =>
    presets[name].length === held.size && presets[name].every((scope) => held.has(scope))
  return presetNames.find(isIt) ?? null
}

/** Scopes of a service that the contract does not know. */
export const othersIn = (scopes: readonly string[]): string[] =>
  scopes.filter((id) => !known.some((scope) => scope === id))

const isKnown = (id: string): id is Scope => known.some((scope) => scope === id)

/** What a scope lets somebody do; one that is not known is shown as it is. */
export const scopeWords = (id: string): string => (isKnown(id) ? t(`scope.${id}`) : id)

/** What scopes let somebody do, as it stands in a sentence. */
export function allThat(scopes: readonly string[]): string {
  const ordered = [...known.filter((scope) => scopes.includes(scope)), ...othersIn(scopes)]
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(ordered.map(scopeWords))
}

/** What scopes let somebody do, as a sentence. */
export const canWords = (scopes: readonly string[]): string =>
  presetOf(scopes) === 'administrator' ? t('access.can-all') : t('access.can', { list: allThat(scopes) })

/** What scopes are called in a row: the preset, else how many. */
export function roleWords(scopes: readonly string[]): string {
  const preset = presetOf(scopes)
  return preset ? t(`access.preset-${preset}`) : t('access.preset-count', { count: scopes.length })
}

/** Whether some of these let somebody run programs. */
export const runsPrograms = (scopes: readonly string[]): boolean =>
  scopes.some((scope) => RUNS_PROGRAMS.has(scope))

/** Why somebody with this role may not grant a scope; null where they may. A role that nobody told stands in nobody's way. */
export function grantReason(role: Server['role'], scope: string): string | null {
  if (!Array.isArray(role)) return null
  if (RUNS_PROGRAMS.has(scope)) return t('access.owner-grants')
  return role.includes(scope) ? null : t('access.not-held')
}
