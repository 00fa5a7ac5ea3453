import type { ServerConfig } from '../../../../contract/bridge/values.ts'
import { javaLong, visible } from '../../../../contract/rules/java-values.ts'
import { isWorldFolder } from '../../../../contract/rules/paths.ts'
import { english } from '../../../messages/base/loaded.ts'
import { t, type Words } from '../../../messages/t.svelte.ts'

export const groups = ['general', 'players', 'world', 'network', 'performance', 'other'] as const
export type Group = (typeof groups)[number]

export type ConfigProperty = NonNullable<ServerConfig['properties']>[number]

export interface Property {
  key: string
  type: 'switch' | 'number' | 'choice' | 'text'
  /** As in the file; null if missing, so the default applies. */
  value: string | null
  /** Null if unknown. */
  fallback: string | null
  min: number | null
  max: number | null
  choices: readonly string[]
  group: Group
  /** How the server interprets the value, if different. */
  reads: string | null
  /** The value the running server uses, if different. */
  running: string | null
  problem: Extract<ConfigProperty['problem'], string> | null
  readOnly: boolean
}

/** Minecraft has about seventy. */
const SHOWN_MOST = 1000

/** The first of duplicate keys counts. */
export function propertiesOf(given: readonly ConfigProperty[]): Property[] {
  const seen = new Set<string>()
  return given.slice(0, SHOWN_MOST).flatMap((one) => {
    if (seen.has(one.key)) return []
    seen.add(one.key)
    return [readProperty(one)]
  })
}

function readProperty(one: ConfigProperty): Property {
  const choices = one.limits?.choices ?? []
  const type = typeof one.type === 'string' ? one.type : 'text'
  return {
    key: one.key,
    type: type === 'choice' && choices.length === 0 ? 'text' : type,
    value: textOf(one.value),
    fallback: textOf(one.default),
    min: one.limits?.min ?? null,
    max: one.limits?.max ?? null,
    choices,
    group: typeof one.group === 'string' ? one.group : 'other',
    reads: textOf(one.reads),
    running: textOf(one.running),
    problem: typeof one.problem === 'string' ? one.problem : null,
    readOnly: one.readOnly ?? false,
  }
}

const textOf = (said: string | boolean | null | undefined): string | null =>
  said === null || said === undefined ? null : String(said)

export const labelOf = (key: string): string => said(`property.${key}`) ?? key
export const explanationOf = (key: string): string | null => said(`property-text.${key}`)
export const choiceOf = (value: string): string => said(`property-choice.${value}`) ?? value

const said = (key: string): string | null => (Object.hasOwn(english, key) ? t(key as 'icon.title') : null)

/** The value as the server reads it; null if the default applies. */
export const inForce = ({ value, reads }: Property): string | null => reads ?? value

export const isDefault = ({ type, fallback }: Property, value: string): boolean =>
  fallback === null ||
  value === fallback ||
  (type === 'switch' && value.toLowerCase() === fallback.toLowerCase())

export function problemWords(property: Property): string | null {
  const { problem, value, reads } = property
  const said = value ?? ''
  switch (problem) {
    case null:
      return null
    case 'unused':
    case 'escape':
      return t(`properties.problem-${problem}`)
    case 'byte-order-mark':
      return t(value === null ? 'properties.problem-lost' : 'properties.problem-first-line')
    case 'blank':
      return reads === null
        ? t('properties.problem-blank')
        : t('properties.problem-blank-reads', { reads: inWords(property, reads) })
    case 'range':
      return t('properties.problem-range', { value: said })
    case 'type':
    case 'choice':
      return reads === null
        ? t(`properties.problem-${problem}`, { value: said })
        : t('properties.problem-reads', { value: said, reads: inWords(property, reads) })
  }
}

export function inWords({ type }: Pick<Property, 'type'>, said: string): string {
  if (type === 'switch' && /^(?:true|false)$/i.test(said))
    return t(/^true$/i.test(said) ? 'settings.on' : 'settings.off')
  return said === '' ? t('properties.empty') : type === 'choice' ? choiceOf(said) : said
}

export function wrongWith(property: Property, value: string): Words | null {
  const { key, type, min, max, choices } = property
  const text = visible(value)
  if (text !== value && (type !== 'text' || key === 'level-name')) return () => t('properties.not-visible')
  if (type === 'switch' && !/^(?:true|false)$/i.test(text)) return () => t('properties.not-a-switch')
  if (type === 'choice' && !choices.includes(text)) return () => t('properties.not-a-choice')
  if (type === 'number') {
    const number = javaLong(text)
    if (number === null) return () => t('properties.not-a-number')
    if ((min !== null && number < min) || (max !== null && number > max)) return () => rangeOf(property)
  }
  if (key === 'level-name' && !isWorldFolder(text)) return () => t('properties.not-a-folder')
  if (text === '') return null
  if (key === 'resource-pack-sha1' && !/^[0-9a-f]{40}$/i.test(text)) return () => t('properties.not-a-sha1')
  if (key === 'resource-pack-id' && !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    return () => t('properties.not-a-uuid')
  if ((key === 'resource-pack' || key === 'bug-report-link') && !isWebAddress(text))
    return () => t('properties.not-an-address')
  return null
}

/** Larger bounds are the integer limits and not worth showing. */
const END = 2_000_000_000

export function rangeOf({ min, max }: Pick<Property, 'min' | 'max'>): string {
  if (min !== null && max !== null && max < END) return t('properties.range', { min, max })
  if (min !== null) return t('properties.at-least', { min })
  return max !== null && max < END ? t('properties.at-most', { max }) : ''
}

function isWebAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol)
  } catch {
    return false
  }
}
