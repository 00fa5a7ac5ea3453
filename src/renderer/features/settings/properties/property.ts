import type { ServerConfig } from '../../../../contract/bridge/values.ts'
import { javaLong, visible } from '../../../../contract/rules/java-values.ts'
import { isWorldFolder } from '../../../../contract/rules/world-folder.ts'
import { english } from '../../../messages/base/loaded.ts'
import { t, type Words } from '../../../messages/t.svelte.ts'

export const groups = ['general', 'players', 'world', 'network', 'performance', 'other'] as const
export type Group = (typeof groups)[number]

export type Given = NonNullable<ServerConfig['properties']>[number]

/** A property as the form needs it, whatever a service left out of it. */
export interface Property {
  key: string
  type: 'switch' | 'number' | 'choice' | 'text'
  /** What is in the file; null: nothing, so its default applies. */
  value: string | null
  /** Null where nobody said. */
  fallback: string | null
  min: number | null
  max: number | null
  choices: readonly string[]
  group: Group
  /** How the server reads the value, where it says something else. */
  reads: string | null
  /** With which value the server runs, where that is another one. */
  running: string | null
  problem: Extract<Given['problem'], string> | null
  readOnly: boolean
}

/** Most properties that are shown; Minecraft has about seventy. */
const SHOWN_MOST = 1000

/** Reads what a service says of its properties. Of a key that comes twice the first one counts. */
export function propertiesOf(given: readonly Given[]): Property[] {
  const seen = new Set<string>()
  return given.slice(0, SHOWN_MOST).flatMap((one) => {
    if (seen.has(one.key)) return []
    seen.add(one.key)
    return [readProperty(one)]
  })
}

function readProperty(one: Given): Property {
  const choices = one.limits?.choices ?? []
  const type = typeof one.type === 'string' ? one.type : 'text'
  return {
    key: one.key,
    // A choice of nothing is none.
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

/** What a property is called; its key where nobody knows it. */
export const labelOf = (key: string): string => said(`property.${key}`) ?? key
/** What it does; null where nobody knows it. */
export const explanationOf = (key: string): string | null => said(`property-text.${key}`)
/** What one of its choices is called. */
export const choiceOf = (value: string): string => said(`property-choice.${value}`) ?? value

const said = (key: string): string | null => (Object.hasOwn(english, key) ? t(key as 'icon.title') : null)

/** What a setting is in the file, as the server reads it; null where its default applies. */
export const inForce = ({ value, reads }: Property): string | null => reads ?? value

/** Whether a value is the default, as far as anybody said what that is. */
export const isDefault = ({ type, fallback }: Property, value: string): boolean =>
  fallback === null ||
  value === fallback ||
  (type === 'switch' && value.toLowerCase() === fallback.toLowerCase())

/** What is wrong with what the file says; null where nothing is. */
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

/** A value as people read it. */
export function inWords({ type }: Pick<Property, 'type'>, said: string): string {
  if (type === 'switch' && /^(?:true|false)$/i.test(said))
    return t(/^true$/i.test(said) ? 'properties.on' : 'properties.off')
  return said === '' ? t('properties.empty') : type === 'choice' ? choiceOf(said) : said
}

/** What is wrong with a value that is to be saved; null where it can be. */
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

/** Numbers that would be the end of every number are not said. */
const END = 2_000_000_000

/** What a number may be, in words. */
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
